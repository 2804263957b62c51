import type { MetricSource } from '../metric.ts';
import { readsWorkflows, workflowsOf } from './workflows-of.ts';

/** Files that configure a CI system; none is a real zero (specfy/stack-analyser lists the systems). */
export const ciWorkflowCount: MetricSource = {
  id: 'ci_workflow_count',
  version: 1,
  reads: readsWorkflows,
  measure(input) {
    const workflows = workflowsOf(input);
    return {
      value: workflows.length,
      numerator: workflows.length,
      evidence: workflows.map(({ path, system }) => ({ path, note: system })),
    };
  },
};
