import { basename } from 'node:path/posix';
import type { LeftOut } from '../../model/snapshot.ts';
import { fits, soughtIn, type Expression, type FileFacts, type Pattern } from './expression.ts';
import { compile, compileTest, compileText } from './pattern.ts';
import { textNeededBy } from './trigrams.ts';

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
export interface FileMatch extends CandidateFile {
  /** The first of those that were found; none where text was not asked for. */
  lines: MatchedLine[];
  /** All that were found. */
  lineCount: number;
  /** Whether what was looked for is there as a word, 0 to 3, and in the name of the file. */
  fit: number;
}

/** Lines of a file that are shown at most. */
export const maxLines = 20;
/** Of a line. */
export const maxLineLength = 400;
const maxRanges = 50;

/** A file whose text is to be looked at. */
export interface CandidateFile extends FileFacts {
  test: boolean;
  /** Why it is no part of the graph; absent where it is. */
  left_out?: LeftOut | undefined;
}

/** What is run and written here comes before tests, these before documents and data, and these before what others or tools wrote. */
export function placeOf({
  test,
  language,
  left_out,
}: Pick<CandidateFile, 'test' | 'language' | 'left_out'>): 0 | 1 | 2 | 3 {
  if (left_out !== undefined) return 3;
  if (language === null) return 2;
  return test ? 1 : 0;
}

/** How a pattern is looked for. */
interface Look {
  pattern: Pattern;
  /** Finds all of it in a line. */
  regex: RegExp;
  /** Says whether it is in a line. */
  test: RegExp;
  /** Finds the lines that alone may have it; null where these may be any. */
  hint: RegExp | null;
}

/** Looks at files, one after another. Throws `BadPattern`. */
export function createMatcher(expression: Expression) {
  const looks = new Map<Pattern, Look>();
  const lookFor = (pattern: Pattern): Look => {
    const known = looks.get(pattern);
    if (known !== undefined) return known;
    const needed = textNeededBy(pattern);
    const look = {
      pattern,
      regex: compile(pattern),
      test: compileTest(pattern),
      hint: needed === '' ? null : compileText(needed, pattern),
    };
    looks.set(pattern, look);
    return look;
  };
  const isMatch = (pattern: Pattern, text: string) => isFound(lookFor(pattern).regex, text);
  const sought = soughtIn(expression);

  return {
    /** Whether the file may fit, by what is known without its text. */
    mayFit: (file: FileFacts) => fits(expression, file, isMatch, () => null) !== false,

    /** Null where it does not fit. */
    match(file: CandidateFile, content: string): FileMatch | null {
      const { repository, path, language } = file;
      // A mark of the byte order is no part of the first line.
      const lines = linesOf(content.startsWith('\uFEFF') ? content.slice(1) : content);
      const found = new Map<Pattern, number[]>();
      const linesWith = (pattern: Pattern) => {
        const numbers = found.get(pattern) ?? lines.with(lookFor(pattern));
        found.set(pattern, numbers);
        return numbers;
      };
      const hasText = (pattern: Pattern) => linesWith(pattern).length > 0;
      if (fits(expression, { repository, path, language }, isMatch, hasText) !== true) return null;
      const seen = sought.filter(hasText);
      const numbers = [...new Set(seen.flatMap(linesWith))].sort((a, b) => a - b);
      const regexes = seen.map((pattern) => lookFor(pattern).regex);
      const shown = numbers.slice(0, maxLines).map((number) => {
        const line = lines.at(number);
        return { line: number + 1, ...shownOf(line, rangesIn(line, regexes)) };
      });
      return { ...file, lines: shown, lineCount: numbers.length, fit: fitOf() };

      function fitOf() {
        const best = seen.map((pattern) => wordFit(lookFor(pattern), linesWith(pattern), lines.at));
        const inName = seen.some((pattern) => isMatch(pattern, basename(path)));
        return 2 * Math.min(3, ...best) + Number(inName);
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

/** The lines of a text, from 0, without what ends them; what ends the last one begins no other. Counted as far as is asked. */
function linesOf(text: string) {
  const ends: number[] = [];
  /** Where the next one begins. */
  let next = 0;
  /** Counts one more; false at the end of the text. */
  const count = (): boolean => {
    if (next >= text.length) return false;
    const end = text.indexOf('\n', next);
    ends.push(end === -1 ? text.length : end);
    next = (end === -1 ? text.length : end) + 1;
    return true;
  };
  const startOf = (number: number) => (ends[number - 1] ?? -1) + 1;
  const at = (number: number): string => {
    const end = ends[number] ?? text.length;
    return text.slice(startOf(number), text[end - 1] === '\r' && end > startOf(number) ? end - 1 : end);
  };
  /** The first line that ends there or later; as many as there are where none does. */
  const lineAt = (place: number, from: number): number => {
    while ((ends.at(-1) ?? -1) < place && count());
    let [low, high] = [from, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    at,
    /** Those that have what is looked for. */
    with({ test, hint }: Look): number[] {
      const found: number[] = [];
      if (hint === null) {
        for (let number = 0; number < ends.length || count(); number++)
          if (isFound(test, at(number))) found.push(number);
        return found;
      }
      let number = 0;
      for (hint.lastIndex = 0; ;) {
        const place = hint.exec(text)?.index;
        if (place === undefined) break;
        number = lineAt(place, number);
        if (isFound(test, at(number))) found.push(number);
        hint.lastIndex = startOf(++number);
      }
      return found;
    },
  };
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
  let from = line.length <= maxLineLength ? 0 : Math.max(0, Math.min(first - 80, line.length - maxLineLength));
  // No half of a character.
  if (/[\uDC00-\uDFFF]/.test(line[from] ?? '')) from++;
  const text = line.slice(from, from + maxLineLength).replace(/[\uD800-\uDBFF]$/, '');
  const within = (at: number) => Math.min(Math.max(at - from, 0), text.length);
  const shown = ranges
    .map(([start, before]): [number, number] => [within(start), within(before)])
    .filter(([start, before]) => start < before);
  return { text, from, ranges: shown };
}

const wordSign = /[\p{L}\p{N}_]/u;

/** 3: as a word, in this case; 2: as a word; 1: within one. Of a regular expression it can't be said. */
function wordFit({ pattern, regex }: Look, lines: readonly number[], lineAt: (number: number) => string): number {
  const { source, isRegex, matchCase } = pattern;
  if (isRegex) return 1;
  let best = 1;
  for (const number of lines) {
    const line = lineAt(number);
    for (const { 0: text, index } of matchesIn(line, regex)) {
      const isWord = !wordSign.test(line[index - 1] ?? '') && !wordSign.test(line[index + text.length] ?? '');
      if (isWord && (matchCase || text === source)) return 3;
      if (isWord) best = 2;
    }
  }
  return best;
}
