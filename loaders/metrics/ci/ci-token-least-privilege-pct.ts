import type { MetricSource } from '../metric.ts';
import type { Workflow } from './workflow.ts';
import { earningWorkflows } from './earning-workflows.ts';
import { readsPassages } from './passages.ts';
import { workflowsOf } from './workflows-of.ts';

/**
 * GitHub workflows that grant their token no more than reading at the top, or set it for each job (Scorecard: Token-Permissions). One
 * that only makes believe counts where it grants too much, and is no merit where it does not.
 */
export const ciTokenLeastPrivilege: MetricSource = {
  id: 'ci_token_least_privilege_pct',
  version: 6,
  reads: readsPassages,
  measure(input) {
    const workflows = workflowsOf(input);
    if (workflows.length === 0) return { value: null, reason: 'no_ci_config' };
    const ofGithub = workflows.filter(({ system }) => system === 'github');
    // Other systems' tokens are not set in the tree.
    if (ofGithub.length === 0) return { value: null, reason: 'nothing_to_measure', notApplicable: true };
    const readable = ofGithub.filter(({ root }) => root !== null);
    if (readable.length === 0)
      return { value: null, reason: 'parse_error', evidence: ofGithub.map(({ path }) => ({ path })) };
    const earning = earningWorkflows(input, readable);
    const isLoose = ({ permissions: { top, everyJob } }: Workflow) => top === 'write' || (top === null && !everyJob);
    const github = readable.filter((workflow) => earning.has(workflow.path) || isLoose(workflow));
    if (github.length === 0) return { value: null, reason: 'nothing_to_measure', notApplicable: true };
    const byJobs = github.filter(({ permissions: { top, everyJob } }) => top === null && everyJob);
    const writing = github.filter(({ permissions: { top } }) => top === 'write');
    const silent = github.filter(({ permissions: { top, everyJob } }) => top === null && !everyJob);
    const loose = writing.length + silent.length;
    return {
      value: (100 * (github.length - loose)) / github.length,
      numerator: github.length - loose,
      denominator: github.length,
      evidence: [
        ...writing.map(({ path }) => ({ path, note: 'grants write at the top' })),
        ...silent.map(({ path }) => ({
          path,
          note: 'says nothing: the token may do what the repository’s default allows',
        })),
        ...byJobs.map(({ path }) => ({ path, note: 'set for each job, not at the top' })),
      ],
      quantities: { workflows: loose, writing: writing.length, job_level_only: byJobs.length },
    };
  },
};
