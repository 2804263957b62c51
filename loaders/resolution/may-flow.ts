import type { FileImport, FileName } from '../facts/file-import.ts';
import type { FileFlows, FlowFrom, FlowFunction } from '../facts/flow.ts';
import { CalledNames } from './called-names.ts';
import { maxCalls, type Passed, type Sorted } from './flows.ts';
import { GivenNames } from './given-names.ts';

/** So many flows of a kind are looked at: whoever wrote it may want us to look for ever. */
const maxFlows = 500_000;
/** In place of the path of one file. */
const severalFiles = '';

/**
 * The flows that may go on in another file, judged by names alone; null where there are none, and then nobody has to resolve who calls
 * whom. A call is taken for one of every function that has its name in any file, or is given it by any file: languages that need no import,
 * and functions that are handed over, leave no trace among the imports.
 */
export function mayFlow(
  files: Iterable<FileFlows>,
  imports: { inside: readonly FileImport[]; names: readonly FileName[] },
): Sorted | null {
  const { sinks, passed, handed, returned } = sortedOf(files);
  const called = new CalledNames(imports);
  const given = new GivenNames(files, imports.names);
  const harm = new Harm([...passed, ...handed], { called, given });
  for (const { path, flow } of sinks) if (flow.from.kind === 'parameter') harm.add(path, flow.from, flow.to.rule, path);
  harm.followBack();
  const givers = new Map<string, string>();
  for (const { path, of } of returned)
    for (const key of keysOf(given, { path, of, which: '' }))
      givers.set(key, (givers.get(key) ?? path) === path ? path : severalFiles);
  const sorted: Sorted = {
    sinks: sinks.filter(
      ({ path, flow: { from } }) =>
        from.kind !== 'result' || askedBy(called, path, from, '').some((key) => (givers.get(key) ?? path) !== path),
    ),
    passed: passed.filter((each) => harm.isIn(each)),
    handed: handed.filter((each) => harm.isElsewhere(each)),
    returned,
  };
  return sorted.handed.length > 0 || sorted.sinks.some(({ flow }) => flow.from.kind === 'result') ? sorted : null;
}

/** Flows by what they say. */
export function sortedOf(files: Iterable<FileFlows>): Sorted {
  const sorted: Sorted = { sinks: [], passed: [], handed: [], returned: [] };
  for (const { path, flows } of files)
    for (const flow of flows) {
      const { from, to } = flow;
      if (to.kind === 'return') sorted.returned.push({ path, flow, of: to.of });
      else if (to.kind === 'sink') sorted.sinks.push({ path, flow: { ...flow, to } });
      else (from.kind === 'request' ? sorted.handed : sorted.passed).push({ path, flow: { ...flow, to } });
    }
  for (const list of Object.values(sorted) as { path: string }[][]) {
    // Files come in the order in which threads were done with them; those of one file keep theirs.
    list.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    list.length = Math.min(list.length, maxFlows);
  }
  return sorted;
}

/** By name, by file, of all, and of those that may have any name: what a function is asked for by. `which`: of its parameters, by place or name. */
function keysOf(
  given: GivenNames,
  { path, of, which }: { path: string; of: FlowFunction; which: number | string },
): string[] {
  const { names, isAny } = given.of(path, of);
  return [
    ...names.map((each) => `${each} ${which}`),
    ...(isAny ? [`\t ${which}`] : []),
    `${path}\n ${which}`,
    `\n ${which}`,
  ];
}

/** Of these keys those by which a call asks. */
function askedBy(called: CalledNames, path: string, at: { call: string; as?: string }, which: number | string) {
  const { names, within, isAny } = called.of(path, at);
  const keys = [...names].map((name) => `${name} ${which}`);
  keys.push(`\t ${which}`);
  for (const file of within) keys.push(`${file}\n ${which}`);
  if (isAny) keys.push(`\n ${which}`);
  return keys;
}

/** What parameters come to, as far as names say: followed back from where it does harm to whom hands it on. */
class Harm {
  readonly #called: CalledNames;
  readonly #given: GivenNames;
  /** Who asks, by key. */
  readonly #asking = new Map<string, Passed[]>();
  /** By key and rule: the file in which all of it is, or severalFiles. */
  readonly #places = new Map<string, Map<string, string>>();
  #changed = new Set<string>();

  constructor(passed: readonly Passed[], { called, given }: { called: CalledNames; given: GivenNames }) {
    this.#called = called;
    this.#given = given;
    for (const each of passed)
      for (const key of this.#keysOf(each)) {
        const asking = this.#asking.get(key);
        if (asking) asking.push(each);
        else this.#asking.set(key, [each]);
      }
  }

  add(path: string, from: FlowFrom & { kind: 'parameter' }, rule: string, place: string): void {
    for (const which of [from.index, from.name])
      for (const key of keysOf(this.#given, { path, of: from.of, which })) {
        if (!this.#asking.has(key)) continue;
        const places = this.#places.get(key) ?? new Map<string, string>();
        const before = places.get(rule);
        const after = before === undefined || before === place ? place : severalFiles;
        if (after === before) continue;
        this.#places.set(key, places.set(rule, after));
        this.#changed.add(key);
      }
  }

  followBack(): void {
    for (let round = 0; round < maxCalls && this.#changed.size > 0; round++) {
      const before = this.#changed;
      this.#changed = new Set();
      for (const key of before)
        for (const each of this.#asking.get(key) ?? [])
          if (each.flow.from.kind === 'parameter')
            for (const [rule, place] of this.#of(key, each))
              this.add(each.path, each.flow.from, rule, place === each.path ? place : severalFiles);
    }
  }

  isIn(each: Passed): boolean {
    return this.#keysOf(each).some((key) => this.#places.has(key));
  }

  /** Also in another file than its own, as what stays in one file the file tells by itself. */
  isElsewhere(each: Passed): boolean {
    return this.#keysOf(each).some((key) => this.#of(key, each).some(([, place]) => place !== each.path));
  }

  #of(key: string, { flow }: Passed): [rule: string, place: string][] {
    return [...(this.#places.get(key) ?? [])].filter(([rule]) => flow.clean?.includes(rule) !== true);
  }

  #keysOf({ path, flow }: Passed): string[] {
    return askedBy(this.#called, path, flow.to, flow.to.argument);
  }
}
