import type { InsecureCode } from '../../facts/insecure-code.ts';
import type { MetricInput } from '../metric.ts';
import type { Finding } from './finding.ts';
import { insecureCodeOf } from './insecure-code-of.ts';
import { secretsOf } from './secret-finding-count.ts';
import { findingsIn } from './security-pattern-finding-count.ts';

/** Something insecure, whatever found it; `code`: by the rules of insecure code. */
export type SecurityFinding = Omit<Finding, 'kind'> & {
  kind: Finding['kind'] | 'secret' | 'code';
  /** Where a rule says so of this one. */
  severity?: InsecureCode['severity'];
  steps?: readonly number[];
  way?: InsecureCode['way'];
};

/** Everything insecure in the tree that counts in full: secrets, patterns, insecure code, what scanners reported. */
export function securityFindings(input: MetricInput): SecurityFinding[] {
  const secrets = secretsOf(input).filter(({ aside }) => !aside);
  return [
    ...secrets.map(({ path, rule, line }) => ({ kind: 'secret' as const, path, rule, line })),
    ...findingsIn(input),
    ...insecureCodeOf(input)
      .filter(({ aside }) => !aside)
      .map(({ path, rule, line, severity, steps, way }) => ({
        kind: 'code' as const,
        path,
        rule,
        line,
        severity,
        ...(steps ? { steps } : {}),
        ...(way ? { way } : {}),
      })),
  ];
}
