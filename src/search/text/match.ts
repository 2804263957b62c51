import { basename } from 'node:path/posix';
import { fits, soughtIn, type Expression, type FileFacts, type Pattern } from './expression.ts';
import { compile } from './pattern.ts';

/** A line that was found. */
export interface MatchedLine {
  /** From 1. */
  line: number;
  /** The line, or as much of it as is shown of a long one. */
  text: string;
  /** Where in the line the text begins, in UTF-16 units: 0 but in long ones. */
  from: number;
  /** What was found in the text: from, and before, in UTF-16 units. None where only nothing at all fits, as of `/x*` and the like. */
  ranges: [number, number][];
}

/** A file that fits. */
export interface FileMatch extends FileFacts {
  test: boolean;
  /** The first of those that were found; none where text was not asked for. */
  lines: MatchedLine[];
  /** All that were found. */
  lineCount: number;
  /** Whether what was looked for is there as a word, 0 to 3, and in the name of the file. */
  fit: number;
}

/** Lines of a file that are shown at most. */
export const MAX_LINES = 20;
/** Of a line. */
export const MAX_LINE_LENGTH = 400;
const maxRanges = 50;

/** A file whose text is to be looked at. */
export interface CandidateFile extends FileFacts {
  test: boolean;
}

/** Looks at files, one after another. Throws `BadPattern`. */
export function createMatcher(expression: Expression) {
  const compiled = new Map<Pattern, RegExp>();
  const regexOf = (pattern: Pattern) => {
    const regex = compiled.get(pattern) ?? compile(pattern);
    compiled.set(pattern, regex);
    return regex;
  };
  const isMatch = (pattern: Pattern, text: string) => isFound(regexOf(pattern), text);
  const sought = soughtIn(expression);

  return {
    /** Whether the file may fit, by what is known without its text. */
    mayFit: (file: FileFacts) => fits(expression, file, isMatch, () => null) !== false,

    /** Null where it does not fit. */
    match({ repository, path, language, test }: CandidateFile, text: string): FileMatch | null {
      const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
      // What ends a file's last line begins no other one.
      if (lines.at(-1) === '') lines.pop();
      const found = new Map<Pattern, boolean>();
      const hasText = (pattern: Pattern) => {
        const known = found.get(pattern);
        if (known !== undefined) return known;
        const regex = regexOf(pattern);
        const has = (pattern.isRegex || isFound(regex, text)) && lines.some((line) => isFound(regex, line));
        found.set(pattern, has);
        return has;
      };
      if (fits(expression, { repository, path, language }, isMatch, hasText) !== true) return null;
      const seen = sought.filter((pattern) => hasText(pattern));
      return { repository, path, language, test, ...linesIn(lines, seen.map(regexOf)), ...fitOf(seen) };

      function fitOf(patterns: readonly Pattern[]) {
        const best = patterns.map((pattern) => wordFit(pattern, lines, regexOf(pattern)));
        const inName = patterns.some((pattern) => isMatch(pattern, basename(path)));
        return { fit: 2 * Math.min(3, ...best) + Number(inName) };
      }
    },
  };
}

function isFound(regex: RegExp, text: string): boolean {
  regex.lastIndex = 0;
  return regex.test(text);
}

function matchesIn(line: string, regex: RegExp) {
  regex.lastIndex = 0;
  return line.matchAll(regex);
}

function linesIn(lines: readonly string[], regexes: readonly RegExp[]): Pick<FileMatch, 'lines' | 'lineCount'> {
  const shown: MatchedLine[] = [];
  let lineCount = 0;
  for (const [index, line] of lines.entries()) {
    if (!regexes.some((regex) => isFound(regex, line))) continue;
    lineCount++;
    if (shown.length < MAX_LINES) shown.push({ line: index + 1, ...shownOf(line, rangesIn(line, regexes)) });
  }
  return { lines: shown, lineCount };
}

/** In order; what overlaps is one. */
function rangesIn(line: string, regexes: readonly RegExp[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const regex of regexes)
    for (const { 0: text, index } of matchesIn(line, regex)) {
      if (text !== '') ranges.push([index, index + text.length]);
      if (ranges.length > 4 * maxRanges) break;
    }
  const merged: [number, number][] = [];
  for (const [from, before] of ranges.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from < last[1]) last[1] = Math.max(last[1], before);
    else merged.push([from, before]);
  }
  return merged.slice(0, maxRanges);
}

/** The line, or the part of a long one that has what was found first. */
function shownOf(line: string, ranges: readonly [number, number][]): Omit<MatchedLine, 'line'> {
  const first = ranges[0]?.[0] ?? 0;
  let from = line.length <= MAX_LINE_LENGTH ? 0 : Math.max(0, Math.min(first - 80, line.length - MAX_LINE_LENGTH));
  // No half of a character.
  if (/[\uDC00-\uDFFF]/.test(line[from] ?? '')) from++;
  const text = line.slice(from, from + MAX_LINE_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
  const within = (at: number) => Math.min(Math.max(at - from, 0), text.length);
  const shown = ranges
    .map(([start, before]): [number, number] => [within(start), within(before)])
    .filter(([start, before]) => start < before);
  return { text, from, ranges: shown };
}

const wordSign = /[\p{L}\p{N}_]/u;

/** 3: as a word, in this case; 2: as a word; 1: within one. Of a regular expression it can't be said. */
function wordFit({ source, isRegex, matchCase }: Pattern, lines: readonly string[], regex: RegExp): number {
  if (isRegex) return 1;
  let best = 1;
  for (const line of lines) {
    for (const { 0: text, index } of matchesIn(line, regex)) {
      const isWord = !wordSign.test(line[index - 1] ?? '') && !wordSign.test(line[index + text.length] ?? '');
      if (isWord && (matchCase || text === source)) return 3;
      if (isWord) best = 2;
    }
  }
  return best;
}
