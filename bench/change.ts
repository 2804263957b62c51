// How right `repo-intel diff` is about who a change reaches, against what compilers say of both sides: affected callers one edge away,
// and over all edges. Arguments: TRUTHS CLONES [tune|report [OWNER/NAME…]]. CLONES has OWNER+NAME of each repository of change/merges.json (drawn by change/draw.ts),
// TRUTHS has OWNER+NAME/COMMIT.jsonl for the first parent and the merge (a merge of which one is missing is told of and left out): rows as
// for `precision.ts`, and {"type": "DEFINITION", "at": "path:line", "name", "digest"} for each function, method, class and interface, where the digest
// is of the definition without comments, of a class without its methods. A change that is no function's and reaches nobody by the truth
// counts only where somebody is said to be affected. What was merged was compiled, so whoever is said to be broken is not.
// The comment's length is that of `diff --markdown`, whose limit it is below.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startThreads } from '../loaders/extraction/pool.ts';
import { changeMarkdown } from '../src/changes/change-markdown.ts';
import { measureChange } from '../src/cli/measure-change.ts';
import { readConfig } from '../src/config.ts';
import type { AffectedSymbol, Change } from '../src/model/change.ts';
import { isSource } from './change/is-source.ts';
import list from './change/merges.json' with { type: 'json' };

const [truths = '', clones = '', wanted, ...names] = process.argv.slice(2);

interface Row {
  type: 'CALLS' | 'INHERITS' | 'UNKNOWN' | 'DEFINITION';
  from: string;
  to: string;
  to_name: string;
  at: string;
  name: string;
  digest: string;
}

interface Counts {
  right: number;
  said: number;
  true: number;
}

/** How far away: one edge, or any number that a change follows. */
type Reach = 'near' | 'all';

/** As far as a change follows. */
const maxDepth = 10;
/** Characters: what was promised to reviewers. */
const maxComment = 6_000;
const git = (clone: string, ...args: string[]) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' });
const config = readConfig({ DATA_DIR: join(tmpdir(), 'bench-change') });

startThreads();
const counted: Record<Reach, Counts[]> = { near: [], all: [] };
console.log(
  '| merge | half | one edge: true | said | precision | recall | all: true | said | precision | recall | broken | comment |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
for (const { name, half, merges } of list.drawn.flatMap(({ repositories }) => repositories)) {
  if ((wanted !== undefined && wanted !== half) || (names.length > 0 && !names.includes(name))) continue;
  const folder = join(clones, name.replace('/', '+'));
  const clone = existsSync(join(folder, 'repo')) ? join(folder, 'repo') : folder;
  for (const merge of merges) {
    const base = git(clone, 'rev-parse', `${merge}^1`).trim();
    const files = [base, merge].map((side) => join(truths, name.replace('/', '+'), `${side}.jsonl`));
    const missing = files.filter((file) => !existsSync(file));
    if (missing.length > 0) {
      console.error(`Without ${missing.join(' and ')} ${merge} is left out.`);
      continue;
    }
    const [before = [], after = []] = files.map(rowsOf);
    const { change } = await measureChange(config, clone, `${base}..${merge}`, {});
    const truth = affectedBy(before, after);
    const of = { near: compare(change, truth, after, 1), all: compare(change, truth, after, maxDepth) };
    if (of.all.true + of.all.said > 0) for (const reach of ['near', 'all'] as const) counted[reach].push(of[reach]);
    const length = changeMarkdown(change).length;
    if (length >= maxComment) throw new Error(`The comment on ${merge} has ${length} characters.`);
    if (change.affected.total > change.affected.items.length)
      console.error(`Of ${merge} not all that are affected are told.`);
    const row = [
      `${name} ${merge.slice(0, 10)}`,
      half,
      ...shown(of.near),
      ...shown(of.all),
      change.broken.total,
      length,
    ];
    console.log(`| ${row.join(' | ')} |`);
    if (half === 'tune') for (const line of differences(change, truth, after)) console.log(`  ${line}`);
  }
}
const total = (all: readonly Counts[]) =>
  all.reduce(
    (sum, each) => ({ right: sum.right + each.right, said: sum.said + each.said, true: sum.true + each.true }),
    { right: 0, said: 0, true: 0 },
  );
console.log(
  `| ${[`all ${counted.all.length}`, wanted ?? '', ...shown(total(counted.near)), ...shown(total(counted.all))].join(' | ')} | | |`,
);

function shown({ right, said, true: all }: Counts): string[] {
  const share = (of: number) => (of === 0 ? '–' : (right / of).toFixed(3));
  return [String(all), String(said), share(said), share(all)];
}

function rowsOf(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}

/** Who, by the compilers, calls or inherits what changed or was removed, or who does that, and neither is new nor changed itself: depth by place in `after`. */
function affectedBy(before: readonly Row[], after: readonly Row[]): Map<string, number> {
  const [olds, nows] = [definitionsOf(before), definitionsOf(after)];
  const changed = new Set<string>();
  for (const [key, { digest }] of nows.byKey) if (olds.byKey.get(key)?.digest !== digest) changed.add(key);
  const removed = new Set([...olds.byKey.keys()].filter((key) => !nows.byKey.has(key)));
  // What is as it was in another file or class has moved, which nobody feels who calls it.
  const own = (key: string) => key.slice(Math.max(key.indexOf('#'), key.lastIndexOf('.')) + 1);
  for (const key of removed) {
    const moved = [...changed].find(
      (now) =>
        !olds.byKey.has(now) && own(now) === own(key) && nows.byKey.get(now)?.digest === olds.byKey.get(key)?.digest,
    );
    if (moved === undefined) continue;
    removed.delete(key);
    changed.delete(moved);
  }
  const callers = new Map<string, Set<string>>();
  const add = (rows: readonly Row[], side: typeof nows, isMeant: (callee: string) => boolean) => {
    for (const { type, from, to } of rows) {
      if (type !== 'CALLS' && type !== 'INHERITS') continue;
      const [caller, callee] = [side.keyAt.get(from), side.keyAt.get(to)];
      if (caller === undefined || callee === undefined || caller === callee || !isMeant(callee)) continue;
      if (nows.byKey.has(caller)) callers.set(callee, (callers.get(callee) ?? new Set()).add(caller));
    }
  };
  add(after, nows, () => true);
  add(before, olds, (callee) => removed.has(callee));
  const depths = new Map(
    [...changed]
      .filter((key) => olds.byKey.has(key))
      .concat([...removed])
      .map((key) => [key, 0]),
  );
  for (const [key, depth] of depths)
    if (depth < maxDepth)
      for (const caller of callers.get(key) ?? []) if (!depths.has(caller)) depths.set(caller, depth + 1);
  return new Map(
    [...depths].flatMap(([key, depth]) =>
      depth > 0 && !changed.has(key) ? [[nows.byKey.get(key)?.at ?? '', depth]] : [],
    ),
  );
}

/** By path, name and, of several of that name, number. */
function definitionsOf(rows: readonly Row[]) {
  const byKey = new Map<string, Row>();
  const keyAt = new Map<string, string>();
  for (const row of rows) {
    if (row.type !== 'DEFINITION') continue;
    const path = pathOf(row.at);
    let [key, number] = [`${path}#${row.name}`, 1];
    while (byKey.has(key)) key = `${path}#${row.name} ${++number}`;
    byKey.set(key, row);
    if (!keyAt.has(row.at)) keyAt.set(row.at, key);
  }
  return { byKey, keyAt };
}

/** Those who are said to be affected, by a way that the truth knows the files of; what it could not type is neither right nor wrong. */
function saidOf(change: Change, truth: ReadonlyMap<string, number>, after: readonly Row[]): AffectedSymbol[] {
  const definitions = after.filter(({ type }) => type === 'DEFINITION');
  const covered = new Set(definitions.map(({ at }) => pathOf(at)));
  const nameAt = new Map(definitions.map(({ at, name }) => [at, `${pathOf(at)}#${lastOf(name)}`]));
  const unknown = new Set(
    after.flatMap(({ type, from, to_name }) => (type === 'UNKNOWN' ? [`${nameAt.get(from)} ${to_name}`] : [])),
  );
  const fileOf = (id: string) => id.slice(0, id.indexOf('#'));
  const short = (id: string) => lastOf(id.slice(id.indexOf('#') + 1));
  return change.affected.items.filter(({ path, line, way }) => {
    if (truth.has(`${path}:${line}`)) return true;
    const known = way.every((id, at) => (at === way.length - 1 ? isSource(fileOf(id)) : covered.has(fileOf(id))));
    return known && !way.some((id, at) => unknown.has(`${fileOf(id)}#${short(id)} ${short(way[at + 1] ?? '')}`));
  });
}

function compare(change: Change, truth: ReadonlyMap<string, number>, after: readonly Row[], longest: number): Counts {
  const places = [...truth].filter(([, depth]) => depth <= longest).map(([place]) => place);
  const said = new Set(
    saidOf(change, truth, after).flatMap(({ depth, path, line }) => (depth <= longest ? [`${path}:${line}`] : [])),
  );
  return { right: places.filter((place) => said.has(place)).length, said: said.size, true: places.length };
}

function differences(change: Change, truth: ReadonlyMap<string, number>, after: readonly Row[]): string[] {
  const said = saidOf(change, truth, after);
  const places = new Set(said.map(({ path, line }) => `${path}:${line}`));
  return [
    ...[...truth].flatMap(([place, depth]) => (places.has(place) ? [] : [`missed ${place} at ${depth}`])),
    ...said.flatMap(({ path, line, way }) =>
      truth.has(`${path}:${line}`) ? [] : [`wrong ${path}:${line} ${way.join(' > ')}`],
    ),
  ];
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function pathOf(place: string): string {
  return place.slice(0, place.lastIndexOf(':'));
}
