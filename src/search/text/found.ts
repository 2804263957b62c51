import type { Expression } from './expression.ts';
import { createMatcher, placeOf, type CandidateFile, type FileMatch, type RankedFile } from './match.ts';

/** What fits, of what was looked at. */
export interface Found {
  /** A page, the best first. */
  files: FileMatch[];
  /** Files on all pages. */
  total: number;
  /** Lines in all of them. */
  lines: number;
  /** Whether all were looked at that may fit. */
  isComplete: boolean;
}

/** So many that fit are enough, unless all are asked for. */
const maxFiles = 1_000;
/** So many bytes looked at are enough. */
const maxBytes = 512 * 2 ** 20;

/** What is looked for. */
export interface Sought {
  expression: Expression;
  /** So many files, those that fit best, are given; the others are only counted. */
  best: number;
  /** Whether all that fits is looked for, however much. */
  isAll: boolean;
  /** So many that fit are enough, where not all are looked for. */
  enough?: number;
}

/** What a search has come to: where texts lie on a server, it goes on with those that come next. */
export interface Gathered {
  /** The best first. */
  files: FileMatch[];
  /** Files that fit, and lines in all of them. */
  total: number;
  lines: number;
  /** Of the texts that were looked at. */
  bytes: number;
  /** False when that is enough, and there was more. */
  isComplete: boolean;
}

/** Gathers what fits; `before`: what an earlier part of the same search came to. Throws `BadPattern`. */
export function createSearch(
  { expression, best, isAll, enough = maxFiles }: Sought,
  before: Pick<Gathered, 'total' | 'bytes'> = { total: 0, bytes: 0 },
) {
  const matcher = createMatcher(expression);
  const gathered: Gathered = { files: [], total: 0, lines: 0, bytes: 0, isComplete: true };
  const { files } = gathered;
  return {
    gathered,
    mayFit: matcher.mayFit,
    /** False when that is enough. */
    look(file: CandidateFile, text: string): boolean {
      const isEnough = !isAll && before.total + gathered.total >= enough;
      if (isEnough || before.bytes + gathered.bytes >= maxBytes) {
        gathered.isComplete = false;
        return false;
      }
      gathered.bytes += text.length;
      const match = matcher.match(file, text);
      if (match === null) return true;
      const { lines, ...ranked } = match;
      gathered.total += 1;
      gathered.lines += ranked.lineCount;
      const place = placeIn(files, ranked);
      // Lines are read of none that is not among the best so far.
      if (place < best) files.splice(place, 0, { ...ranked, lines: lines() });
      if (files.length > best) files.length = best;
      return true;
    },
  };
}

/** What two parts of one search came to, in their order. */
export function together(first: Gathered, then: Gathered, best: number): Gathered {
  return {
    files: [...first.files, ...then.files].sort(byFit).slice(0, best),
    total: first.total + then.total,
    lines: first.lines + then.lines,
    bytes: first.bytes + then.bytes,
    isComplete: then.isComplete,
  };
}

/** A page of what was gathered. */
export function pageOf({ files, total, lines, isComplete }: Gathered, offset: number): Found {
  return { files: files.slice(offset), total, lines, isComplete };
}

/** Behind all that fit as well or better. */
function placeIn(files: readonly RankedFile[], file: RankedFile): number {
  let [low, high] = [0, files.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byFit(files[middle] as RankedFile, file) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What is run before tests and what was left out, then by how well it fits and how often; then by name. */
function byFit(a: RankedFile, b: RankedFile): number {
  return (
    placeOf(a) - placeOf(b) ||
    b.fit - a.fit ||
    b.lineCount - a.lineCount ||
    inOrder(a.repository, b.repository) ||
    inOrder(a.path, b.path)
  );
}

const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
