import type { Expression } from './expression.ts';
import { createMatcher, placeOf, type CandidateFile, type FileMatch } from './match.ts';

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

/** So many that fit, or so many bytes looked at, are enough: more are not looked for. */
const maxFiles = 5_000;
const maxBytes = 512 * 2 ** 20;

/** What a search has come to: where texts lie on a server, it goes on with those that come next. */
export interface Gathered {
  files: FileMatch[];
  /** Of the texts that were looked at. */
  bytes: number;
  /** False when that is enough, and there was more. */
  isComplete: boolean;
}

/** A page of what was gathered. */
export function pageOf({ files, isComplete }: Gathered, { offset, limit }: { offset: number; limit: number }): Found {
  return {
    files: files.sort(byFit).slice(offset, offset + limit),
    total: files.length,
    lines: files.reduce((sum, { lineCount }) => sum + lineCount, 0),
    isComplete,
  };
}

/** Gathers what fits; `before`: how many did before. Throws `BadPattern`. */
export function createSearch(expression: Expression, before = { files: 0, bytes: 0 }) {
  const matcher = createMatcher(expression);
  const gathered: Gathered = { files: [], bytes: 0, isComplete: true };
  return {
    gathered,
    mayFit: matcher.mayFit,
    /** False when that is enough. */
    look(file: CandidateFile, text: string): boolean {
      if (before.files + gathered.files.length >= maxFiles || before.bytes + gathered.bytes >= maxBytes) {
        gathered.isComplete = false;
        return false;
      }
      gathered.bytes += text.length;
      const match = matcher.match(file, text);
      if (match !== null) gathered.files.push(match);
      return true;
    },
  };
}

/** What is run before tests and what was left out, then by how well it fits and how often; then by name. */
function byFit(a: FileMatch, b: FileMatch): number {
  return (
    placeOf(a) - placeOf(b) ||
    b.fit - a.fit ||
    b.lineCount - a.lineCount ||
    inOrder(a.repository, b.repository) ||
    inOrder(a.path, b.path)
  );
}

const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
