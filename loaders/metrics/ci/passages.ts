import { anyOf } from '../../snapshot/linguist/any-of.ts';
import { tests } from '../../snapshot/linguist/tests.ts';
import type { MetricInput } from '../metric.ts';
import { assertingTests } from '../test-coverage/tests-that-assert.ts';
import { ciCommands, readsCiParts } from './ci-commands.ts';
import type { CiCommand } from './ci-commands.ts';
import { follow } from './follow/follow.ts';
import { isFollowed } from './follow/is-followed.ts';
import { gatesOf, gatesOfAction, printedGates } from './gates.ts';
import type { GateFacts, GateId } from './gates.ts';
import { scriptCommands } from './shell-script.ts';
import { readsWorkflows } from './workflows-of.ts';

/** A gate, as a command comes to it. */
export interface Passage {
  gate: GateId;
  path: string;
  line: number;
  chain: readonly string[];
  /** Why it is none; null where it is one. */
  hidden: string | null;
}

/** Of a metric that asks which gates there are. */
export const readsPassages = (path: string): boolean => readsWorkflows(path) || readsCiParts(path) || isFollowed(path);

const isTest = anyOf(tests);
const known = new WeakMap<MetricInput, Passage[]>();

/** All that reads like a gate in a repository's CI, followed to what it runs; each repository is read once. */
export function passagesOf(input: MetricInput): readonly Passage[] {
  let passages = known.get(input);
  if (!passages) known.set(input, (passages = readPassages(input).map((passage) => withTests(passage, input))));
  return passages;
}

/** Running tests that assert nothing is no gate. */
function withTests(passage: Passage, input: MetricInput): Passage {
  if (passage.gate !== 'test' || passage.hidden !== null || assertingTests(input).any) return passage;
  return { ...passage, hidden: 'no test asserts anything' };
}

function readPassages(input: MetricInput): Passage[] {
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
