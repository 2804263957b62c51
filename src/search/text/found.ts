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
const MAX_FILES = 5_000;
const MAX_BYTES = 512 * 2 ** 20;

/** Gathers what fits. Throws `BadPattern`. */
export function createSearch(expression: Expression) {
  const matcher = createMatcher(expression);
  const files: FileMatch[] = [];
  let bytes = 0;
  let isComplete = true;
  return {
    mayFit: matcher.mayFit,
    /** False when that is enough. */
    look(file: CandidateFile, text: string): boolean {
      if (files.length >= MAX_FILES || bytes >= MAX_BYTES) {
        isComplete = false;
        return false;
      }
      bytes += text.length;
      const match = matcher.match(file, text);
      if (match !== null) files.push(match);
      return true;
    },
    page: ({ offset, limit }: { offset: number; limit: number }): Found => ({
      files: files.sort(byFit).slice(offset, offset + limit),
      total: files.length,
      lines: files.reduce((sum, { lineCount }) => sum + lineCount, 0),
      isComplete,
    }),
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
