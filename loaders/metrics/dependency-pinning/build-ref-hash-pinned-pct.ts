import { isAside } from '../../snapshot/is-aside.ts';
import type { MetricSource } from '../metric.ts';
import { earningWorkflows } from '../ci/earning-workflows.ts';
import { readsPassages } from '../ci/passages.ts';
import { workflowsOf } from '../ci/workflows-of.ts';
import { dockerfile, mayHoldReferences, referencesIn, referencesOfWorkflow } from './build-references.ts';
import type { BuildReference } from './build-references.ts';

const ownedWeight = 2;
const thirdPartyWeight = 8;
const otherWeight = 10;

/**
 * References of builds that are fixed by a hash, weighted as OpenSSF Scorecard does (checks/evaluation/pinned_dependencies.go): the
 * sum of weight x pinned over the sum of weight x all; GitHub's own actions 2, others' 8, where only one of these is used 10, as
 * everything else. What is fixed in a workflow that only makes believe is no merit.
 */
export const buildRefHashPinned: MetricSource = {
  id: 'build_ref_hash_pinned_pct',
  version: 6,
  reads: (path) => readsPassages(path) || mayHoldReferences(path),
  measure(input) {
    const { paths, text } = input;
    const workflows = workflowsOf(input).filter(({ system }) => system === 'github');
    const files = paths.filter((path) => mayHoldReferences(path) && !isAside(path));
    if (workflows.length === 0 && !files.some((path) => dockerfile.test(path)))
      return { value: null, reason: 'no_container_or_workflow' };
    const earning = earningWorkflows(input, workflows);
    const references = [
      ...workflows.flatMap(referencesOfWorkflow).filter(({ path, pinned }) => !pinned || earning.has(path)),
      ...files.flatMap((path) => referencesIn(path, text(path) ?? '')),
    ];
    if (references.length === 0) return { value: null, reason: 'nothing_to_measure', notApplicable: true };
    const used = new Set(references.map(({ ecosystem }) => ecosystem));
    const bothActions = used.has('github_owned') && used.has('third_party_action');
    const weightOf = ({ ecosystem }: BuildReference) => {
      if (bothActions && ecosystem === 'github_owned') return ownedWeight;
      return bothActions && ecosystem === 'third_party_action' ? thirdPartyWeight : otherWeight;
    };
    const weigh = (some: readonly BuildReference[]) => some.reduce((sum, each) => sum + weightOf(each), 0);
    const loose = references.filter(({ pinned }) => !pinned);
    const numerator = weigh(references.filter(({ pinned }) => pinned));
    const denominator = weigh(references);
    return {
      value: (100 * numerator) / denominator,
      numerator,
      denominator,
      evidence: loose.map(({ path, line, what, ecosystem }) => ({ path, line, note: `${ecosystem}: ${what}` })),
      quantities: {
        refs: loose.length,
        ...Object.fromEntries([...used].map((each) => [`total ${each}`, count(references, each)])),
        ...Object.fromEntries([...used].map((each) => [`pinned ${each}`, count(references, each, true)])),
      },
    };
  },
};

function count(
  references: readonly BuildReference[],
  ecosystem: BuildReference['ecosystem'],
  pinnedOnly = false,
): number {
  return references.filter((each) => each.ecosystem === ecosystem && (each.pinned || !pinnedOnly)).length;
}
