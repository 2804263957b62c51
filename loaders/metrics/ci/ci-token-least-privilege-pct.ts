import type { MetricSource } from '../metric.ts';
import { readsWorkflows, workflowsOf } from './workflows-of.ts';

/** GitHub workflows that grant their token no more than reading at the top, or set it for each job (Scorecard: Token-Permissions). */
export const ciTokenLeastPrivilege: MetricSource = {
  id: 'ci_token_least_privilege_pct',
  version: 1,
  reads: readsWorkflows,
  measure(input) {
    const workflows = workflowsOf(input);
    if (workflows.length === 0) return { value: null, reason: 'no_ci_config' };
    const ofGithub = workflows.filter(({ system }) => system === 'github');
    // Other systems' tokens are not set in the tree.
    if (ofGithub.length === 0) return { value: null, reason: 'nothing_to_measure', notApplicable: true };
    const github = ofGithub.filter(({ root }) => root !== null);
    if (github.length === 0)
      return { value: null, reason: 'parse_error', evidence: ofGithub.map(({ path }) => ({ path })) };
    const byTop = github.filter(({ permissions: { top } }) => top === 'read');
    const byJobs = github.filter(({ permissions: { top, everyJob } }) => top === null && everyJob);
    const loose = github.filter((workflow) => !byTop.includes(workflow) && !byJobs.includes(workflow));
    return {
      value: (100 * (github.length - loose.length)) / github.length,
      numerator: github.length - loose.length,
      denominator: github.length,
      evidence: [
        ...loose.map(({ path, permissions: { top } }) => ({
          path,
          note:
            top === 'write'
              ? 'grants write at the top'
              : 'says nothing: the token may do what the repository’s default allows',
        })),
        ...byJobs.map(({ path }) => ({ path, note: 'set for each job, not at the top' })),
      ],
      quantities: { workflows: loose.length, job_level_only: byJobs.length },
    };
  },
};
