// How right `repo-intel diff` is about who a change reaches: affected callers (one edge away) against what compilers say of both sides.
// Arguments: TRUTHS COUNT NAME=CLONE… . Of each clone COUNT merged changes are drawn: first-parent commits of HEAD that are merges or
// whose subject ends with (#123), that change source besides tests and have a manifest at their root, in the order of
// SHA-256 of the seed and the commit. TRUTHS holds NAME/COMMIT.jsonl for both sides of each (what is missing is listed, and left out): rows as
// for `precision.ts`, and {"type": "DEFINITION", "at": "path:line", "name", "digest"} for each function, method, class and interface, where the digest
// is of the definition without comments, of a class without its methods. A half by the digest is to tune on; the other one counts.
// What was merged was compiled, so whoever is said to be broken is not.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeOf } from '../loaders/change/change-of.ts';
import { startThreads } from '../loaders/extraction/pool.ts';
import type { Change } from '../src/model/change.ts';

const seed = '25';
const [truths = '', wanted = '', ...clones] = process.argv.slice(2);
const manifests = ['go.mod', 'package.json'];

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

const digestOf = (commit: string) => createHash('sha256').update(`${seed} ${commit}`).digest('hex');
const git = (clone: string, ...args: string[]) =>
  execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
const isSource = (path: string) =>
  /\.(go|[cm]?[jt]sx?)$/.test(path) &&
  !/_test\.go$|\.d\.[cm]?ts$|\.(test|spec)\.|(^|\/)(node_modules|dist|build|coverage|tests?|__tests__|examples?|benchmarks?|bench|deno|vendor|site|docs)\//.test(
    path,
  );

startThreads();
const halves: Record<string, Counts[]> = { tune: [], report: [] };
console.log(
  '| change | half | affected | said | precision | recall | broken |\n| --- | --- | --- | --- | --- | --- | --- |',
);
for (const clone of clones) {
  const [name = '', path = ''] = clone.split('=');
  for (const commit of drawn(path)) {
    const base = git(path, 'rev-parse', `${commit}^1`).trim();
    const files = [base, commit].map((side) => join(truths, name, `${side}.jsonl`));
    const missing = files.filter((file) => !existsSync(file));
    if (missing.length > 0) {
      for (const file of missing) console.log(`needs ${file} ${path}`);
      continue;
    }
    const [before = [], after = []] = files.map(rowsOf);
    const { change } = await changeOf(path, `${base}..${commit}`, { cacheFile: join(tmpdir(), 'bench-change.sqlite') });
    const half = Number.parseInt(digestOf(commit).slice(0, 2), 16) % 2 === 0 ? 'tune' : 'report';
    const counts = compare(change, affectedBy(before, after), after, half === 'tune');
    halves[half]?.push(counts);
    console.log(`| ${[`${name} ${commit.slice(0, 10)}`, half, ...shown(counts), change.broken.total].join(' | ')} |`);
  }
}
for (const [half, all] of Object.entries(halves)) {
  const sum = (key: keyof Counts) => all.reduce((total, counts) => total + counts[key], 0);
  const counts = { right: sum('right'), said: sum('said'), true: sum('true') };
  console.log(`| all ${all.length} | ${half} | ${shown(counts).join(' | ')} | |`);
}

function shown({ right, said, true: all }: Counts): string[] {
  const share = (of: number) => (of === 0 ? '–' : (right / of).toFixed(3));
  return [String(all), String(said), share(said), share(all)];
}

function drawn(clone: string): string[] {
  const lines = git(clone, 'log', '--first-parent', '--format=%H %P|%s', 'HEAD').split('\n');
  const merged = lines.filter((line) => /^\S+ \S+ \S+\||\(#\d+\)$/.test(line)).map((line) => line.slice(0, 40));
  const found: string[] = [];
  for (const commit of merged.sort((a, b) => (digestOf(a) < digestOf(b) ? -1 : 1))) {
    if (found.length === Number(wanted)) break;
    const changed = git(clone, 'diff', '--name-only', `${commit}^1`, commit).split('\n').filter(Boolean);
    if (!changed.some(isSource)) continue;
    const roots = [`${commit}^1`, commit].map((side) => git(clone, 'ls-tree', '--name-only', side).split('\n'));
    if (roots.every((names) => names.some((each) => manifests.includes(each)))) found.push(commit);
  }
  return found;
}

function rowsOf(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}

/** Who, by the compilers, calls or inherits what changed or was removed, and neither is new nor changed itself: place in `after`. */
function affectedBy(before: readonly Row[], after: readonly Row[]): Set<string> {
  const [olds, nows] = [definitionsOf(before), definitionsOf(after)];
  const changed = new Set<string>();
  for (const [key, { digest }] of nows.byKey) if (olds.byKey.get(key)?.digest !== digest) changed.add(key);
  const removed = new Set([...olds.byKey.keys()].filter((key) => !nows.byKey.has(key)));
  // What is as it was in another file has moved, which nobody feels who calls it.
  const inPlace = (key: string) => key.slice(key.indexOf('#'));
  for (const key of removed) {
    const moved = [...changed].find(
      (now) =>
        !olds.byKey.has(now) &&
        inPlace(now) === inPlace(key) &&
        nows.byKey.get(now)?.digest === olds.byKey.get(key)?.digest,
    );
    if (moved === undefined) continue;
    removed.delete(key);
    changed.delete(moved);
  }
  const affected = new Set<string>();
  const add = (rows: readonly Row[], side: typeof nows, felt: ReadonlySet<string>) => {
    for (const { type, from, to } of rows) {
      if (type !== 'CALLS' && type !== 'INHERITS') continue;
      const [caller, callee] = [side.keyAt.get(from), side.keyAt.get(to)];
      if (caller === undefined || callee === undefined || caller === callee || !felt.has(callee)) continue;
      const now = nows.byKey.get(caller);
      if (now && !changed.has(caller)) affected.add(now.at);
    }
  };
  add(after, nows, new Set([...changed].filter((key) => olds.byKey.has(key))));
  add(before, olds, removed);
  return affected;
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

/** What is said of files that the truth knows, against it; what it does not know is neither right nor wrong. */
function compare(change: Change, truth: ReadonlySet<string>, after: readonly Row[], show: boolean): Counts {
  const covered = new Set(after.flatMap(({ type, at }) => (type === 'DEFINITION' ? [pathOf(at)] : [])));
  const unknown = new Set(
    after.filter(({ type }) => type === 'UNKNOWN').map(({ from, to_name }) => `${from} ${to_name}`),
  );
  const nameOf = (id: string) =>
    id
      .slice(id.lastIndexOf('#') + 1)
      .split('.')
      .at(-1);
  const said = new Set(
    change.affected.items
      .filter(({ depth, path }) => depth === 1 && covered.has(path))
      .filter(({ way }) => isSource(pathOf(way.at(-1)?.replace('#', ':') ?? '')))
      .filter(
        ({ path, line, way }) =>
          truth.has(`${path}:${line}`) || !unknown.has(`${path}:${line} ${nameOf(way.at(-1) ?? '')}`),
      )
      .map(({ path, line }) => `${path}:${line}`),
  );
  const right = [...said].filter((place) => truth.has(place));
  if (show) {
    for (const place of truth) if (!said.has(place)) console.log(`  missed ${place}`);
    for (const place of said) if (!truth.has(place)) console.log(`  wrong ${place}`);
  }
  return { right: right.length, said: said.size, true: truth.size };
}

function pathOf(place: string): string {
  return place.slice(0, place.lastIndexOf(':'));
}
