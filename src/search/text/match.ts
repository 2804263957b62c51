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
export interface FileMatch extends RankedFile {
  /** The first of those that were found; none where text was not asked for. */
  lines: MatchedLine[];
}

/** What is known of one before any of its lines is read. */
export interface RankedFile extends CandidateFile {
  /** All lines that were found. */
  lineCount: number;
  /** 0 to 7: twice how well a line has it as a word, plus one where the name of the file has it too. */
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
  /** Whether these lines have it: then it is text that goes over no end of a line. */
  isSure: boolean;
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
      isSure: !pattern.isRegex && needed !== '' && !/[\r\n]/.test(needed),
    };
    looks.set(pattern, look);
    return look;
  };
  const isMatch = (pattern: Pattern, text: string) => isFound(lookFor(pattern).regex, text);
  // A repository has many files.
  const meant = new Map<Pattern, Map<string, boolean>>();
  const isNamed = (pattern: Pattern, name: string) => {
    const known = meant.get(pattern) ?? new Map<string, boolean>();
    const is = known.get(name) ?? isMatch(pattern, name);
    meant.set(pattern, known.set(name, is));
    return is;
  };
  const comparing = { isMatch, isNamed };
  const sought = soughtIn(expression);

  return {
    /** Whether the file may fit, by what is known without its text. */
    mayFit: (file: FileFacts) => fits(expression, file, comparing, () => null) !== false,

    /** Null where it does not fit; `lines` reads those that are shown. */
    match(file: CandidateFile, content: string): (RankedFile & { lines(): MatchedLine[] }) | null {
      const { repository, path, language } = file;
      // A mark of the byte order is no part of the first line.
      const text = content.startsWith('\uFEFF') ? content.slice(1) : content;
      const found = new Map<Pattern, number[]>();
      const linesWith = (pattern: Pattern) => {
        const starts = found.get(pattern) ?? linesOf(text, lookFor(pattern));
        found.set(pattern, starts);
        return starts;
      };
      const hasText = (pattern: Pattern) => linesWith(pattern).length > 0;
      if (fits(expression, { repository, path, language }, comparing, hasText) !== true) return null;
      const seen = sought.filter(hasText);
      const starts =
        seen.length === 1 ? seen.flatMap(linesWith) : [...new Set(seen.flatMap(linesWith))].sort((a, b) => a - b);
      const best = seen.map((pattern) => wordFit(lookFor(pattern), text));
      const inName = seen.some((pattern) => isMatch(pattern, basename(path)));
      return {
        ...file,
        lineCount: starts.length,
        fit: 2 * Math.min(3, ...best) + Number(inName),
        lines() {
          const regexes = seen.map((pattern) => lookFor(pattern).regex);
          const shown = starts.slice(0, maxLines);
          const numbers = numbersOf(text, shown);
          return shown.map((start, index) => {
            const line = lineAt(text, start);
            return { line: numbers[index] ?? 1, ...shownOf(line, rangesIn(line, regexes)) };
          });
        },
      };
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

/** Where the lines begin that have what is looked for; what ends the last line begins no other. */
function linesOf(text: string, { test, hint, isSure }: Look): number[] {
  const starts: number[] = [];
  let start = 0;
  while (start < text.length) {
    let at = start;
    if (hint !== null) {
      hint.lastIndex = start;
      if (!hint.test(text)) break;
      at = hint.lastIndex - 1;
      start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
    }
    if (isSure || isFound(test, lineAt(text, start))) starts.push(start);
    start = endOf(text, at) + 1;
  }
  return starts;
}

function endOf(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

/** The line that begins there, without what ends it. */
function lineAt(text: string, start: number): string {
  const end = endOf(text, start);
  return text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
}

/** The numbers of lines, from 1, by where they begin, in order. */
function numbersOf(text: string, starts: readonly number[]): number[] {
  let [number, at] = [1, 0];
  return starts.map((start) => {
    while (at < start) {
      at = endOf(text, at) + 1;
      number += 1;
    }
    return number;
  });
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

/** 3: as a word, in this case; 2: as a word; 1: within one. Of a regular expression, or the ends of lines, it can't be said. */
function wordFit({ pattern: { source, matchCase }, regex, isSure }: Look, text: string): 1 | 2 | 3 {
  if (!isSure) return 1;
  let best: 1 | 2 = 1;
  regex.lastIndex = 0;
  for (let found = regex.exec(text); found !== null; found = regex.exec(text)) {
    const { 0: whole, index } = found;
    if (wordSign.test(text[index - 1] ?? '') || wordSign.test(text[index + whole.length] ?? '')) continue;
    if (matchCase || whole === source) return 3;
    best = 2;
  }
  return best;
}
