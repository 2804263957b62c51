import type { MetricInput } from '../metric.ts';
import { ciSystem, readWorkflow } from './workflow.ts';
import type { Workflow } from './workflow.ts';

const read = new WeakMap<MetricInput, Workflow[]>();

/** The CI files of a repository, each read once. */
export function workflowsOf(input: MetricInput): Workflow[] {
  let workflows = read.get(input);
  if (!workflows) {
    workflows = input.paths
      .filter((path) => ciSystem(path) !== null)
      .map((path) => readWorkflow(path, input.text(path) ?? ''));
    read.set(input, workflows);
  }
  return workflows;
}

/** Of a metric that looks into CI files. */
export const readsWorkflows = (path: string): boolean => ciSystem(path) !== null;
