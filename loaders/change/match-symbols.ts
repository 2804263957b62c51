import type { ChangedPart } from '../../src/model/change.ts';
import type { SideSymbol } from './side.ts';

/** One that both commits have, under whatever name. */
export interface Pair {
  before: SideSymbol;
  after: SideSymbol;
  /** Empty where it is the same. */
  parts: readonly ChangedPart[];
}

export interface Matched {
  pairs: readonly Pair[];
  removed: readonly SideSymbol[];
  added: readonly SideSymbol[];
}

/** So much of their code has to be alike for a symbol in another place, or of another name, to be the same one. */
const minAlike = { moved: 0.5, renamed: 0.6 };
/** One that is shorter is the same in another place only where all of its code is: so many characters. */
const minLength = 40;
/** Of more that are gone and new, each with each, only those are found again whose code is the same. */
const maxComparisons = 250_000;

/**
 * Tells which symbols of two commits are the same: by path and qualified name, then by the file's new name, then what has its name
 * in another place, of this file too, then what has another name in the same place, each by how much of the code is alike.
 */
export function matchSymbols(
  before: Iterable<SideSymbol>,
  after: Iterable<SideSymbol>,
  /** The old path of each file that was renamed, by its new one. */
  oldPaths: ReadonlyMap<string, string>,
): Matched {
  const pairs: Pair[] = [];
  const gone = new Set(before);
  const fresh = new Set(after);
  const pair = (old: SideSymbol, now: SideSymbol) => {
    gone.delete(old);
    fresh.delete(now);
    pairs.push({ before: old, after: now, parts: partsOf(old, now) });
  };
  const byKey = (keyOfOld: Key, keyOfNow: Key) => {
    const olds = Map.groupBy(gone, keyOfOld);
    for (const [key, nows] of Map.groupBy(fresh, keyOfNow)) pairNamesakes(olds.get(key) ?? [], nows, pair);
  };
  const named: Key = ({ type, path, qualifiedName }) => `${type} ${path}#${qualifiedName}`;
  byKey(named, named);
  byKey(named, (symbol) => named({ ...symbol, path: oldPaths.get(symbol.path) ?? symbol.path }));
  const samePlace = ({ path, qualifiedName, name, type }: SideSymbol) =>
    `${type} ${oldPaths.get(path) ?? path}#${qualifiedName.slice(0, qualifiedName.length - name.length)}`;
  const sameName = ({ type, qualifiedName }: SideSymbol) => `${type} ${qualifiedName}`;
  // As it is when something is put around it, a namespace perhaps.
  const sameFile = ({ type, path, name }: SideSymbol) => `${type} ${oldPaths.get(path) ?? path}#${name}`;
  // Classes first: their members follow them.
  for (const type of ['Class', 'Function'] as const) {
    const candidates = (key: Key) => {
      const nows = Map.groupBy(fresh, key);
      return [...gone].flatMap((old) =>
        old.type === type ? (nows.get(key(old)) ?? []).map((now) => [old, now] as const) : [],
      );
    };
    pairAlike(candidates(sameName), minAlike.moved, pair);
    pairAlike(candidates(sameFile), minAlike.moved, pair);
    pairAlike(candidates(samePlace), minAlike.renamed, pair);
    if (type === 'Class') pairMembers(pairs, gone, fresh, pair);
  }
  const sameCode = (side: string) => (symbol: SideSymbol) =>
    isShort(symbol) ? `${side} ${symbol.id}` : `${symbol.type} ${nameless(symbol)}`;
  byKey(sameCode('before'), sameCode('after'));
  return { pairs, removed: [...gone], added: [...fresh] };
}

type Key = (symbol: SideSymbol) => string;
type PairUp = (old: SideSymbol, now: SideSymbol) => void;

/** Overloads and other namesakes: those with the same code first, then those with the same signature, then in their order. */
function pairNamesakes(olds: readonly SideSymbol[], nows: readonly SideSymbol[], pair: PairUp): void {
  const [left, right] = [new Set(olds), new Set(nows)];
  const alike: ((old: SideSymbol, now: SideSymbol) => boolean)[] = [
    (old, now) => old.signature === now.signature && old.code === now.code,
    (old, now) => old.signature === now.signature,
    () => true,
  ];
  for (const isAlike of alike)
    for (const old of left) {
      const now = [...right].find((each) => isAlike(old, each));
      if (!now) continue;
      left.delete(old);
      right.delete(now);
      pair(old, now);
    }
}

/** The members of classes that are called otherwise now, or are in another file. */
function pairMembers(pairs: readonly Pair[], gone: Set<SideSymbol>, fresh: Set<SideSymbol>, pair: PairUp): void {
  for (const { before, after } of pairs) {
    if (before.type !== 'Class' || before.id === after.id) continue;
    const rest = ({ path, qualifiedName }: SideSymbol, of: SideSymbol) =>
      path === of.path && qualifiedName.startsWith(`${of.qualifiedName}.`)
        ? qualifiedName.slice(of.qualifiedName.length)
        : null;
    const nows = new Map([...fresh].map((each) => [rest(each, after), each]));
    for (const old of gone) {
      const name = rest(old, before);
      const now = name === null ? undefined : nows.get(name);
      if (now && fresh.has(now)) pair(old, now);
    }
  }
}

/** The most alike first; each once. */
function pairAlike(candidates: readonly (readonly [SideSymbol, SideSymbol])[], least: number, pair: PairUp): void {
  const exact = candidates.length > maxComparisons;
  const counted = new Map<SideSymbol, Map<string, number>>();
  const wordsOf = (symbol: SideSymbol) => {
    const known = counted.get(symbol) ?? wordCounts(symbol);
    counted.set(symbol, known);
    return known;
  };
  const scored = candidates.flatMap(([old, now]) => {
    const [a, b] = [nameless(old), nameless(now)];
    if (a === b) return [{ old, now, score: 1 }];
    if (exact || isShort(old) || isShort(now)) return [];
    const score = dice(wordsOf(old), wordsOf(now));
    return score >= least ? [{ old, now, score }] : [];
  });
  const taken = new Set<SideSymbol>();
  // Sorted stably: of equals the first in the order of files and lines.
  for (const { old, now } of scored.sort((a, b) => b.score - a.score)) {
    if (taken.has(old) || taken.has(now)) continue;
    taken.add(old).add(now);
    pair(old, now);
  }
}

const isShort = ({ code }: SideSymbol) => (code ?? '').length < minLength;

/** Its code without its own name, which a new one says everywhere. */
const nameless = ({ code, name }: SideSymbol) => (code ?? '').replaceAll(name, ' ');

function wordCounts(symbol: SideSymbol): Map<string, number> {
  const words = nameless(symbol).split(/\s+/);
  const counts = new Map<string, number>();
  // In pairs, so that order counts.
  for (let at = 1; at < words.length; at += 1) {
    const two = `${words[at - 1]} ${words[at]}`;
    counts.set(two, (counts.get(two) ?? 0) + 1);
  }
  return counts;
}

function dice(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let [common, all] = [0, 0];
  for (const [word, count] of a) {
    common += Math.min(count, b.get(word) ?? 0);
    all += count;
  }
  for (const count of b.values()) all += count;
  return all === 0 ? 0 : (2 * common) / all;
}

function partsOf(old: SideSymbol, now: SideSymbol): ChangedPart[] {
  const parts: ChangedPart[] = [];
  if (old.name !== now.name) parts.push('name');
  const around = ({ path, qualifiedName, name }: SideSymbol) =>
    `${path}#${qualifiedName.slice(0, qualifiedName.length - name.length)}`;
  if (around(old) !== around(now)) parts.push('place');
  if (old.exported !== now.exported) parts.push('visibility');
  if (old.code === null || now.code === null) return parts;
  const [a, b] = [split(old), split(now)];
  // What stands before it says who sees it, for one thing.
  if (a.signature !== b.signature || (a.before !== b.before && old.exported === now.exported)) parts.push('signature');
  if (a.behind !== b.behind) parts.push('body');
  return parts;
}

/** A symbol's code before its signature, the signature, and what comes behind it, without white space and its own name. */
function split(symbol: SideSymbol): { before: string; signature: string; behind: string } {
  const bare = (text: string) => text.replaceAll(/\s+/g, '');
  const own = (text: string) => (symbol.name === '' ? text : text.replace(symbol.name, ' '));
  const [code, signature] = [symbol.code ?? '', bare(symbol.signature ?? '')];
  const words = bare(code);
  const at = signature === '' ? -1 : words.indexOf(signature);
  // As it can't be told apart, all of it is the body; the signature is compared all the same.
  if (at < 0) return { before: '', signature: own(signature), behind: own(code) };
  return { before: words.slice(0, at), signature: own(signature), behind: behindOf(code, at + signature.length) };
}

/** What comes behind so many characters that are not white space; there white space counts again, as in literals. */
function behindOf(code: string, count: number): string {
  let at = 0;
  for (let seen = 0; seen < count && at < code.length; at += 1) if (!/\s/.test(code[at] ?? '')) seen += 1;
  return code.slice(at).trim();
}
