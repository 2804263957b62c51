import type { Evidence } from '../../../src/model/due-diligence.ts';
import { tests } from '../../snapshot/linguist/tests.ts';
import { anyOf } from '../../snapshot/linguist/any-of.ts';
import type { MetricInput, MetricSource } from '../metric.ts';
import { ciCommands, readsCiParts } from './ci-commands.ts';
import type { CiCommand } from './ci-commands.ts';
import { follow } from './follow/follow.ts';
import { isFollowed } from './follow/is-followed.ts';
import { gateIds, gatesOf, gatesOfAction, printedGates } from './gates.ts';
import type { GateFacts, GateId } from './gates.ts';
import { scriptCommands } from './shell-script.ts';
import { assertingTests } from '../test-coverage/tests-that-assert.ts';
import { readsWorkflows, workflowsOf } from './workflows-of.ts';

/** A gate, as a command comes to it. */
interface Passage {
  gate: GateId;
  path: string;
  line: number;
  chain: readonly string[];
  /** Why it is none; null where it is one. */
  hidden: string | null;
}

const isTest = anyOf(tests);
/** What is not counted is told so often. */
const maxUncounted = 40;

/**
 * Five gates on pushes or requests to merge: build, test, lint or type check, static analysis, dependency or secret scan. Commands are
 * followed through the repository's own scripts to what they run; what can't fail, or never runs, is told and not counted.
 */
export const ciGateScore: MetricSource = {
  id: 'ci_gate_score_pct',
  version: 2,
  reads: (path) => readsWorkflows(path) || readsCiParts(path) || isFollowed(path),
  measure(input) {
    const workflows = workflowsOf(input);
    if (workflows.length === 0) return { value: null, reason: 'no_ci_config' };
    const passages = passagesOf(input).map((passage) => withTests(passage, input));
    const found = gateIds.flatMap((id) => passages.find(({ gate, hidden }) => gate === id && hidden === null) ?? []);
    const missing = gateIds.filter((id) => !found.some(({ gate }) => gate === id));
    return {
      value: (100 * found.length) / gateIds.length,
      numerator: found.length,
      denominator: gateIds.length,
      evidence: [
        ...found.map(({ gate, path, line, chain }) => ({ path, line, note: `${gate}: ${chain.join(' → ')}` })),
        ...missing.map((id) => ({ note: `missing: ${id}` })),
        ...uncounted(passages, missing),
      ],
      quantities: { missing: missing.length },
    };
  },
};

/** What reads like a gate and is none, those first that are missing; each reason once for a gate and a file. */
function uncounted(passages: readonly Passage[], missing: readonly GateId[]): Partial<Evidence>[] {
  const told = new Map<string, Passage>();
  for (const each of passages) {
    const key = `${each.gate} ${each.path} ${each.hidden}`;
    const isNews = each.gate !== 'build' || missing.includes('build');
    if (each.hidden !== null && isNews && !told.has(key)) told.set(key, each);
  }
  return [...told.values()]
    .toSorted((a, b) => Number(missing.includes(b.gate)) - Number(missing.includes(a.gate)))
    .slice(0, maxUncounted)
    .map(({ gate, path, line, chain, hidden }) => ({
      path,
      line,
      note: `not counted as ${gate}: ${chain.join(' → ')}: ${hidden}`,
    }));
}

/** Running tests that assert nothing is no gate. */
function withTests(passage: Passage, input: MetricInput): Passage {
  if (passage.gate !== 'test' || passage.hidden !== null || assertingTests(input).any) return passage;
  return { ...passage, hidden: 'no test asserts anything' };
}

function passagesOf(input: MetricInput): Passage[] {
  const facts: GateFacts = { paths: new Set(input.paths), text: (path) => input.text(path), isTest };
  return ciCommands(input).flatMap((command) =>
    command.kind === 'uses' ? ofAction(command) : ofScript(command, facts),
  );
}

const ofAction = ({ text, path, line, hidden }: CiCommand): Passage[] =>
  gatesOfAction(text).map((gate) => ({ gate, path, line, chain: [text], hidden }));

function ofScript(command: CiCommand, facts: GateFacts): Passage[] {
  const { path, line, text } = command;
  // A block's text begins one line after its key.
  const first = text.includes('\n') ? line : line - 1;
  return scriptCommands(text, command).flatMap((each) => {
    const hidden = command.hidden ?? each.hidden;
    const at = { path, line: first + each.line };
    const leaves = follow({ ...each, hidden }, facts).map((leaf) => ({
      ...at,
      leaf,
      chain: leaf.chain,
      ...gatesOf(leaf, facts),
    }));
    const says = (words: readonly string[]) => /^(echo|printf|true|:)$/.test(words[0] ?? '');
    const onlyPrints = leaves.every(({ leaf }) => says(leaf.words));
    return leaves.flatMap(({ leaf, gates, idle, ...passage }): Passage[] => [
      // What a script says beside what it does is nothing to tell.
      ...(onlyPrints ? printedGates(leaf) : []).map((gate) => ({
        ...passage,
        gate,
        hidden: leaf.hidden ?? 'only prints',
      })),
      ...gates.map((gate) => ({ ...passage, gate, hidden: leaf.hidden ?? idle })),
    ]);
  });
}
