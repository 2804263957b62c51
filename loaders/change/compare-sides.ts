import { listed, type BrokenCaller, type Change, type ChangeSymbol } from '../../src/model/change.ts';
import type { ChangedFile } from '../snapshot/commit-range.ts';
import { fits } from './arity.ts';
import { matchSymbols, type Pair } from './match-symbols.ts';
import { affectedBy, callersOf, reach } from './reach.ts';
import type { Side, SideEdge, SideSymbol } from './side.ts';

/** What the code of two commits says of the change between them. */
export type CodeChange = Pick<
  Change,
  'notes' | 'only_comments' | 'files' | 'symbols' | 'edges' | 'affected' | 'broken' | 'tests'
> & {
  /** What others may feel: everything that changed or was removed, by the id it had; with the one it has, if any. */
  felt: ReadonlyMap<string, string | null>;
};

/** Further away nobody is told of. */
const maxDepth = 10;

/** Compares two commits of one repository. Pure, and in an order of its own. */
export function compareSides(before: Side, after: Side, changedFiles: readonly ChangedFile[]): CodeChange {
  const oldPaths = new Map(changedFiles.flatMap(({ path, oldPath }) => (oldPath === null ? [] : [[path, oldPath]])));
  const { pairs, removed, added } = matchSymbols(before.symbols.values(), after.symbols.values(), oldPaths);
  const changed = pairs.filter(({ parts }) => parts.length > 0).sort((a, b) => order(a.after, b.after));
  const nowOf = new Map(pairs.map((pair) => [pair.before.id, pair.after.id]));
  const { gained, lost, kept } = compareEdges(before, after, nowOf);

  const addedIds = new Set(added.map(({ id }) => id));
  // A move alone is felt by nobody but those who still look for it in the old place: these are broken.
  const meant = changed.filter(({ parts }) => parts.some((part) => part !== 'place' && part !== 'visibility'));
  const own = new Set([...addedIds, ...meant.map((pair) => pair.after.id)]);
  const isRemoved = new Set(removed.map(({ id }) => id));
  // Those who called what was removed are still there, but for those that were removed with it.
  const formerly = before.edges.flatMap(({ type, from, to }) =>
    isRemoved.has(to) && !isRemoved.has(from) ? [{ type, from: nowOf.get(from) ?? from, to: gone(to) }] : [],
  );
  const callers = callersOf([...after.edges, ...formerly]);
  const starts = [
    ...meant.map((pair) => pair.after.id),
    ...removed.map(({ id }) => gone(id)),
    ...classesMadeBy(after, [...meant.flatMap((pair) => [pair.before, pair.after]), ...added, ...removed]),
  ];
  const reached = reach(callers, starts, maxDepth);
  const affected = affectedBy(reached, after.symbols, (id) => own.has(id)).map((each) => ({
    ...each,
    way: each.way.map(withoutMark),
  }));
  const byDepth: number[] = [];
  for (const { depth } of affected) byDepth[depth - 1] = (byDepth[depth - 1] ?? 0) + 1;
  const files = filesOf(before, after, changedFiles);
  return {
    only_comments:
      files.some(({ what }) => what === 'comments') &&
      files.every(({ what }) => what === 'comments') &&
      changed.length + removed.length + added.length === 0,
    files: listed(files),
    symbols: {
      added: listed(added.toSorted(order).map(shown)),
      removed: listed(removed.toSorted(order).map(shown)),
      changed: listed(changed.map(shownPair)),
    },
    edges: { gained: listed(gained), lost: listed(lost) },
    affected: { ...listed(affected), by_depth: Array.from(byDepth, (count) => count ?? 0) },
    broken: listed([
      ...brokenBy({ before, after, lost: lost.filter((edge) => !kept.has(keyOf(edge))), nowOf, own }),
      ...unfitting(before, after, pairs),
    ]),
    tests: testsOf(after, [...meant.map((pair) => pair.after), ...added]),
    notes: testsReachNothing(after)
      ? [
          'The tests call none of the code in a way that is seen (a build of it, or another process), so what no test reaches is not known.',
        ]
      : [],
    felt: new Map<string, string | null>([
      ...changed.map(({ before: old, after: now }) => [old.id, now.id] as const),
      ...removed.map(({ id }) => [id, null] as const),
    ]),
  };
}

/** The classes whose constructors these are, among other symbols: who makes an instance calls the class, and feels what is in there. */
function classesMadeBy({ symbols }: Side, touched: readonly SideSymbol[]): string[] {
  const constructors = touched.filter(({ kind }) => kind === 'constructor');
  if (constructors.length === 0) return [];
  const around = ({ path, qualifiedName, name }: SideSymbol) =>
    `${path}#${qualifiedName.slice(0, Math.max(0, qualifiedName.length - name.length - 1))}`;
  const wanted = new Set(constructors.map(around));
  return [...symbols.values()].flatMap(({ id, type, path, qualifiedName }) =>
    type === 'Class' && wanted.has(`${path}#${qualifiedName}`) ? [id] : [],
  );
}

/** So that one that was removed and one that is new under its id are told apart. */
const mark = '\0';
const gone = (id: string) => mark + id;
const withoutMark = (id: string) => (id.startsWith(mark) ? id.slice(mark.length) : id);

const keyOf = ({ type, from, to }: SideEdge) => `${type} ${from} ${to}`;

/** Edges between symbols; those of before by the ids that they have now, where they have one. */
function compareEdges(before: Side, after: Side, nowOf: ReadonlyMap<string, string>) {
  const between = ({ edges, symbols }: Side) => edges.filter(({ from, to }) => symbols.has(from) && symbols.has(to));
  const translated = between(before).map((edge) => {
    const [from, to] = [nowOf.get(edge.from), nowOf.get(edge.to)];
    return { edge, now: from !== undefined && to !== undefined ? { ...edge, from, to } : null };
  });
  const had = new Set(translated.flatMap(({ now }) => (now ? [keyOf(now)] : [])));
  const has = new Set(between(after).map(keyOf));
  return {
    gained: between(after)
      .filter((edge) => !had.has(keyOf(edge)))
      .sort(byEnds),
    lost: translated.flatMap(({ edge, now }) => (now && has.has(keyOf(now)) ? [] : [edge])).sort(byEnds),
    kept: has,
  };
}

const byEnds = (a: SideEdge, b: SideEdge) => (keyOf(a) < keyOf(b) ? -1 : 1);
const order = (a: SideSymbol, b: SideSymbol) =>
  a.path === b.path ? a.line - b.line || (a.id < b.id ? -1 : 1) : a.path < b.path ? -1 : 1;

/**
 * Who lost what it calls or inherits and has nothing of that name in its place, here or outside: it did not change, or it still says
 * the name of a function or class that is gone. (Of a method any other one may be meant by then.)
 */
function brokenBy(known: {
  before: Side;
  after: Side;
  lost: readonly SideEdge[];
  nowOf: ReadonlyMap<string, string>;
  own: ReadonlySet<string>;
}): BrokenCaller[] {
  const { before, after, lost, nowOf, own } = known;
  const has = new Set(after.outside);
  for (const { from, to } of after.edges) has.add(`${from} ${after.symbols.get(to)?.name ?? ''}`);
  return lost.flatMap(({ from, to }) => {
    const caller = after.symbols.get(nowOf.get(from) ?? '');
    const target = before.symbols.get(to);
    if (!caller || !target || nowOf.get(to) === to || has.has(`${caller.id} ${target.name}`)) return [];
    const { id, path, line } = caller;
    const saysIt = target.kind !== 'method' && ` ${caller.code ?? ''} `.includes(` ${target.name} `);
    if (own.has(id) && !saysIt) return [];
    return [{ repository: null, from: id, path, line, to, now: nowOf.get(to) ?? null, arguments: null }];
  });
}

/** Whose arguments were enough for what it calls, and no more than it took, and are not now. */
function unfitting(before: Side, after: Side, pairs: readonly Pair[]): BrokenCaller[] {
  const callsOf = Map.groupBy(after.calls, ({ to }) => to);
  return pairs.flatMap(({ before: { id: to }, after: { id: now }, parts }) => {
    const [old, current] = [before.arities.get(to), after.arities.get(now)];
    if (!old || !current || !parts.includes('signature')) return [];
    return (callsOf.get(now) ?? [])
      .filter(({ passed }) => fits(old, passed) && !fits(current, passed))
      .map(({ from, path, line, passed: { byPlace, byName } }) => {
        const given = byPlace + byName.length;
        return { repository: null, from, path, line, to, now, arguments: given };
      });
  });
}

/** Which tests reach what was added or changed, and what of it none does. */
function testsOf(after: Side, touched: readonly SideSymbol[]): Change['tests'] {
  const callers = callersOf([...after.edges, ...overrides(after)]);
  const code = touched.filter(({ test, type }) => !test && type === 'Function').sort(order);
  const reaching = new Map<string, { id: string; path: string; reaches: number }>();
  const untested: ChangeSymbol[] = [];
  for (const symbol of code) {
    const tests = [...reach(callers, [symbol.id, ...classesMadeBy(after, [symbol])]).keys()].filter(
      (id) => after.symbols.get(id)?.test ?? after.tests.has(id),
    );
    if (tests.length === 0) untested.push(shown(symbol));
    for (const id of tests) {
      const known = reaching.get(id) ?? { id, path: after.symbols.get(id)?.path ?? id, reaches: 0 };
      reaching.set(id, { ...known, reaches: known.reaches + 1 });
    }
  }
  const byReach = [...reaching.values()].sort((a, b) => b.reaches - a.reaches || (a.id < b.id ? -1 : 1));
  return { reaching: listed(byReach), untested: listed(untested) };
}

/** There are tests, and not one edge leads from them to what they are for. */
function testsReachNothing({ tests, symbols, edges }: Side): boolean {
  const isTest = (id: string) => symbols.get(id)?.test ?? tests.has(id);
  return tests.size > 0 && !edges.some(({ from, to }) => isTest(from) && !isTest(to));
}

/** A call of a method may be one of those that override it: an edge from each method above to each below. */
function overrides({ symbols, edges }: Side): SideEdge[] {
  const members = Map.groupBy(
    [...symbols.values()],
    ({ path, qualifiedName, name }) =>
      `${path}#${qualifiedName.slice(0, Math.max(0, qualifiedName.length - name.length - 1))}`,
  );
  return edges.flatMap(({ type, from, to }) => {
    if (type !== 'INHERITS') return [];
    const below = new Map((members.get(from) ?? []).map(({ name, id }) => [name, id]));
    return (members.get(to) ?? []).flatMap(({ name, id }) => {
      const overriding = below.get(name);
      return overriding === undefined ? [] : [{ type: 'CALLS' as const, from: id, to: overriding }];
    });
  });
}

function filesOf(before: Side, after: Side, files: readonly ChangedFile[]): Change['files']['items'] {
  return files.map(({ path, oldPath, status }) => {
    const [old, now] = [before.files.get(oldPath ?? path), after.files.get(path)];
    const isCode = old !== undefined || now !== undefined;
    const what = !isCode ? 'other' : old === now && status === 'changed' ? 'comments' : 'code';
    return { path, old_path: oldPath, status, what } as const;
  });
}

function shown({ id, name, kind, path, line, end_line, signature, exported, test }: SideSymbol): ChangeSymbol {
  return { id, name, kind, path, line, end_line, signature, exported, test };
}

function shownPair({ before: { id, path, line, signature }, after, parts }: Pair) {
  return { ...shown(after), parts: [...parts], before: { id, path, line, signature } };
}
