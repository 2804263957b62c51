import type { MetricInput } from '../metric.ts';
import { passagesOf } from './passages.ts';
import { scriptCommands } from './shell-script.ts';
import type { Workflow, WorkflowStep } from './workflow.ts';
import { toolOf } from './follow/wrappers.ts';

/**
 * Paths of the CI files whose care is a merit. What is pinned or may only read is none in a file that makes believe: all that reads
 * like a gate in it counts for nothing, it only prepares and prints, or no gate is passed anywhere in the repository.
 */
export function earningWorkflows(input: MetricInput, workflows: readonly Workflow[]): ReadonlySet<string> {
  const passages = passagesOf(input);
  if (passages.every(({ hidden }) => hidden !== null)) return new Set();
  const pretended = new Set(passages.map(({ path }) => path));
  for (const { path, hidden } of passages) if (hidden === null) pretended.delete(path);
  return new Set(
    workflows.filter(({ path, steps }) => !pretended.has(path) && steps.some(does)).map(({ path }) => path),
  );
}

const prepares = /^(actions\/(checkout|setup-[\w-]+|cache|(up|down)load-artifact)|\.\/|\.\.\/)/;
const prints = /^(echo|printf|true|:|sleep|exit|ls|pwd|date|env)$/;

/** Prepares nothing alone, prints nothing alone, and can fail. */
const does = ({ kind, text }: WorkflowStep): boolean =>
  kind === 'run'
    ? scriptCommands(text, { dir: '.', errexit: true, pipefail: true }).some(
        ({ words, hidden }) => hidden === null && !prints.test(toolOf(words)),
      )
    : !prepares.test(text);
