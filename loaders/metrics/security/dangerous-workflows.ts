import type { Workflow, WorkflowStep } from '../ci/workflow.ts';
import type { Finding } from './finding.ts';

/** The 21 names of what anybody writes who opens an issue or a pull request (securitylab.github.com: untrusted input of Actions). */
const injected =
  /\$\{\{[^}]{0,200}\bgithub\.(?:head_ref|event\.(?:issue\.(?:title|body)|discussion\.(?:title|body)|pull_request\.(?:title|body|head\.(?:ref|label|repo\.default_branch))|comment\.body|review\.body|review_comment\.body|pages[^}]{0,100}\.page_name|commits[^}]{0,100}\.(?:message|author\.(?:email|name))|head_commit\.(?:message|author\.(?:email|name))|workflow_run\.head_branch))\b/;

/** Events whose runs hold the repository's secrets while the code may be anybody's. */
const trusting = new Set(['pull_request_target', 'workflow_run']);
const headOfOthers = /github\.event\.(pull_request|workflow_run)|github\.head_ref|refs\/pull\//;

/** Workflows that run what others wrote: their code with the repository's rights, or their words as commands (Scorecard: Dangerous-Workflow). */
export function dangerousWorkflows({ path, root, steps }: Workflow, text: string): Finding[] {
  const scripts = steps.filter(({ kind }) => kind === 'run').flatMap((step) => linesOf(step));
  const found = [
    ...checkouts(root).map((ref) => ({ rule: 'untrusted_checkout', line: lineWith(text, ref) })),
    ...scripts.filter(({ script }) => injected.test(script)).map(({ line }) => ({ rule: 'script_injection', line })),
  ];
  return found.map((each) => ({ kind: 'dangerous_workflow', path, ...each }));
}

/** References that steps check out where they must not. */
function checkouts(root: unknown): string[] {
  const workflow = asRecord(root);
  const on = workflow['on'] ?? workflow['true'];
  const events = typeof on === 'string' ? [on] : Array.isArray(on) ? on.map(String) : Object.keys(asRecord(on));
  if (!events.some((event) => trusting.has(event))) return [];
  return Object.values(asRecord(workflow['jobs']))
    .flatMap((job) => asList(asRecord(job)['steps']))
    .flatMap((step) => {
      const { uses, with: inputs, run } = asRecord(step);
      const ref = asRecord(inputs)['ref'];
      if (
        typeof uses === 'string' &&
        uses.includes('actions/checkout') &&
        typeof ref === 'string' &&
        headOfOthers.test(ref)
      )
        return [ref];
      const command = typeof run === 'string' ? /^.*\bgh pr checkout\b.*$/m.exec(run)?.[0] : undefined;
      return command === undefined ? [] : [command];
    });
}

/** A block's text begins one line after its key. */
const linesOf = ({ text, line }: WorkflowStep) =>
  text.split('\n').map((script, index) => ({ script, line: line + index + (text.includes('\n') ? 1 : 0) }));

function lineWith(text: string, part: string): number | null {
  const line = text.split('\n').findIndex((each) => each.includes(part.trim()));
  return line === -1 ? null : line + 1;
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
