import { anyOf } from '../../snapshot/linguist/any-of.ts';
import { tests } from '../../snapshot/linguist/tests.ts';
import type { MetricInput } from '../metric.ts';
import { assertingTests } from '../test-coverage/tests-that-assert.ts';
import { ciCommands, readsCiParts } from './ci-commands.ts';
import type { CiCommand } from './ci-commands.ts';
import { follow } from './follow/follow.ts';
import type { Leaf } from './follow/follow.ts';
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
  /** The folder that it runs in; absent where nobody can tell. */
  dir?: string;
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
  if (!passages) {
    const read = readPassages(input).map((passage) => withTests(passage, input));
    known.set(input, (passages = withinSight(read, input)));
  }
  return passages;
}

/** Of the code of production, a gate sees as much at least. */
const minSeen = 0.05;

/**
 * What runs in folders that hold next to nothing of production, and no test that counts, is no gate of it. A folder of which the tree
 * has nothing is made on the way, and may be for all of it.
 */
function withinSight(passages: readonly Passage[], input: MetricInput): Passage[] {
  const tests = assertingTests(input).paths;
  const seenBy = new Map<string, { share: number; holdsTests: boolean }>();
  const seen = (folders: readonly string[]) => {
    const key = folders.join(':');
    const before = seenBy.get(key);
    if (before) return before;
    const holds = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`));
    const isAll = folders.some(
      (folder) => folder === '.' || /[$*]/.test(folder) || !input.paths.some((path) => path.startsWith(`${folder}/`)),
    );
    let [all, within] = [0, 0];
    for (const { path, test, measures } of isAll ? [] : input.files) {
      if (test) continue;
      all += measures.code;
      if (holds(path)) within += measures.code;
    }
    const found = { share: all === 0 ? 1 : within / all, holdsTests: [...tests].some(holds) };
    seenBy.set(key, found);
    return found;
  };
  const folders = Map.groupBy(
    passages.filter(({ hidden }) => hidden === null),
    ({ gate }) => gate,
  );
  return passages.map((passage) => {
    if (passage.hidden !== null || passage.dir === undefined) return passage;
    const all = [...new Set((folders.get(passage.gate) ?? []).map(({ dir = '.' }) => dir))].sort();
    const { share, holdsTests } = seen(all);
    if (share >= minSeen || (passage.gate === 'test' && holdsTests)) return passage;
    const percent = `${(100 * share).toFixed(1)} %`;
    return { ...passage, hidden: `runs in ${passage.dir}, and with its like sees ${percent} of production code` };
  });
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

/** It names what lies above its folder, or begins elsewhere than where anybody can tell. */
const climbs = ({ words, chain }: Leaf): boolean =>
  [...words, ...chain.flatMap((call) => call.split(' '))].some((word) => /(^|[/=])\.\.(\/|$)|^\$/.test(word));

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
      ...gates.map((gate) => ({
        ...passage,
        gate,
        ...(!climbs(leaf) && { dir: leaf.dir }),
        hidden: leaf.hidden ?? idle,
      })),
    ]);
  });
}
