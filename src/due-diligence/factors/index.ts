import { deliveryBuildReproducible } from './delivery-build-reproducible.ts';
import { deliveryCiGates } from './delivery-ci-gates.ts';
import { deliveryLeadTime } from './delivery-lead-time.ts';
import { deliveryReleaseCadence } from './delivery-release-cadence.ts';
import { maintComplexity } from './maint-complexity.ts';
import { maintDebtRatio } from './maint-debt-ratio.ts';
import { maintDuplication } from './maint-duplication.ts';
import { maintFunctionSize } from './maint-function-size.ts';
import { maintHotspots } from './maint-hotspots.ts';
import { maintLeftOut } from './maint-left-out.ts';
import { opsCouplingSpread } from './ops-coupling-spread.ts';
import { opsHardcodedEndpoints } from './ops-hardcoded-endpoints.ts';
import { peopleActivity } from './people-activity.ts';
import { peopleConcentration } from './people-concentration.ts';
import { peopleKnowledgeLoss } from './people-knowledge-loss.ts';
import { securityPatterns } from './security-patterns.ts';
import { securitySecrets } from './security-secrets.ts';
import { securityTokens } from './security-tokens.ts';
import { supplyHashPinning } from './supply-hash-pinning.ts';
import { supplyLockfiles } from './supply-lockfiles.ts';
import { supplyUpdateFlow } from './supply-update-flow.ts';
import { supplyVulnerabilities } from './supply-vulnerabilities.ts';
import { testCoverage } from './test-coverage.ts';
import { testDiscipline } from './test-discipline.ts';
import { testVolume } from './test-volume.ts';

/** The factors, in the order of every answer. */
export const factorCatalog = [
  maintDuplication,
  maintFunctionSize,
  maintComplexity,
  maintHotspots,
  maintDebtRatio,
  maintLeftOut,
  testCoverage,
  testVolume,
  testDiscipline,
  deliveryCiGates,
  deliveryReleaseCadence,
  deliveryLeadTime,
  deliveryBuildReproducible,
  supplyLockfiles,
  supplyHashPinning,
  supplyUpdateFlow,
  supplyVulnerabilities,
  securitySecrets,
  securityPatterns,
  securityTokens,
  peopleConcentration,
  peopleKnowledgeLoss,
  peopleActivity,
  opsCouplingSpread,
  opsHardcodedEndpoints,
] as const;
export type FactorId = (typeof factorCatalog)[number]['id'];
