import { posix } from 'node:path';
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

/** What makes a folder a project of its own. */
const project =
  /(?:^|\/)(?:package\.json|composer\.json|pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|(?:GNU)?[mM]akefile|Gemfile|mix\.exs)$/;
/** Where a project says what its tools look at. */
const settings =
  /(?:^|\/)(?:[\w.-]{1,60}\.config\.[cm]?[jt]s(?:on)?|[jt]sconfig[\w.-]{0,40}\.json|\.[\w-]{1,40}rc(?:\.[\w]{1,5})?|conftest\.py|noxfile\.py|pytest\.ini|ruff\.toml|mypy\.ini|\.flake8|phpunit\.xml(?:\.dist)?)$/;

/** Of a metric that asks which gates there are. */
export const readsPassages = (path: string): boolean =>
  readsWorkflows(path) || readsCiParts(path) || isFollowed(path) || project.test(path) || settings.test(path);

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

/** A gate counts if its folders together hold at least this share of production code. */
const minSeen = 0.05;

/**
 * What runs only in projects of their own that hold next to nothing of production, and no test that counts, is no gate of it. What runs
 * in any other folder may look at all of it.
 */
function withinSight(passages: readonly Passage[], input: MetricInput): Passage[] {
  const asserting = [...assertingTests(input).paths];
  const seenBy = new Map<string, { share: number; holdsTests: boolean }>();
  const seen = (folders: readonly string[]) => {
    const key = folders.join(':');
    const before = seenBy.get(key);
    if (before) return before;
    const holds = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`));
    const isAll = !folders.every((folder) => bringsItsProject(folder, input));
    let [all, within] = [0, 0];
    for (const { path, test, measures } of isAll ? [] : input.files) {
      if (test) continue;
      all += measures.code;
      if (holds(path)) within += measures.code;
    }
    const found = { share: all === 0 ? 1 : within / all, holdsTests: asserting.some(holds) };
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

/** A folder with a project whose settings name nothing above it; one that a build writes to is none. */
function bringsItsProject(folder: string, input: MetricInput): boolean {
  if (/(?:^|\/)(?:build|out|dist)(?:\/|$)/.test(folder)) return false;
  const inside = input.paths.filter((path) => posix.dirname(path) === folder);
  return (
    folder !== '.' &&
    inside.some((path) => project.test(path)) &&
    !inside.some(
      (path) =>
        (project.test(path) || settings.test(path)) &&
        /(?:^|[^.\w])\.\.(?:[/\\"'`\s,)\]]|$)/m.test(input.text(path) ?? ''),
    )
  );
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

/** It names a path above its folder, or a word of it begins with a variable, which may hold any path. */
const climbs = ({ words, chain }: Leaf): boolean =>
  [...words, ...chain.flatMap((call) => call.split(' '))].some((word) => /(^|[/=])\.\.(\/|$)|^\$/.test(word));

/** On its way is a tool that is told elsewhere what it works on. */
const buildsElsewhere = ({ chain }: Leaf): boolean =>
  chain.some((call) =>
    /(?:^|[\s/])(?:make|gmake|cmake|ctest|ninja|meson|docker|docker-compose|podman|compose|gradlew?)(?:\s|$)/.test(
      call,
    ),
  );

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
        ...(leaf.isDirKnown && !climbs(leaf) && !buildsElsewhere(leaf) && { dir: leaf.dir }),
        hidden: leaf.hidden ?? idle,
      })),
    ]);
  });
}
