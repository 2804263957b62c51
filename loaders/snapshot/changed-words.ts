import { changedMiddle } from '../languages/reading/changed-middle.ts';

/** Identifiers on lines that differ between two versions of a file; `isWhole` where these are all. */
export interface ChangedWords {
  words: readonly string[];
  isWhole: boolean;
}

/** Of one file so many are kept. */
const maxWords = 200;
/** Where more lies between the first and the last difference, its lines are not compared. */
const maxBytes = 400_000;
const maxWordLength = 64;
const identifiers = /[\p{L}_$][\p{L}\p{M}\p{N}_$]+/gu;
const asciiIdentifiers = /[A-Za-z_$][\w$]+/g;
const ascii = /^[\0-\x7f]*$/;

/** Compares two versions line by line, wherever a line is moved to; null of a file that is not there. */
export function changedWords(after: Buffer | null, before: Buffer | null): ChangedWords {
  const [is, was] = middlesOf(after ?? nothing, before ?? nothing);
  if (is.length + was.length > maxBytes) return { words: [], isWhole: false };
  const [newLines, oldLines] = [linesOf(is), linesOf(was)];
  const words = new Set<string>();
  for (const [lines, others] of [
    [newLines, oldLines],
    [oldLines, newLines],
  ] as const) {
    for (const line of lines) {
      if (others.has(line)) continue;
      for (const word of line.match(ascii.test(line) ? asciiIdentifiers : identifiers) ?? []) {
        if (word.length > maxWordLength || words.has(word)) continue;
        if (words.size === maxWords) return { words: [...words], isWhole: false };
        words.add(word);
      }
    }
  }
  return { words: [...words], isWhole: true };
}

const nothing = Buffer.alloc(0);
const lineFeed = 10;

/** What differs, in whole lines. */
function middlesOf(after: Buffer, before: Buffer): [Buffer, Buffer] {
  const { begin, afterEnd, beforeEnd } = changedMiddle(after, before);
  const start = begin === 0 ? 0 : after.lastIndexOf(lineFeed, begin - 1) + 1;
  const next = afterEnd < after.length ? after.indexOf(lineFeed, afterEnd) : -1;
  const more = (next === -1 ? after.length : next) - afterEnd;
  return [after.subarray(start, afterEnd + more), before.subarray(start, beforeEnd + more)];
}

const linesOf = (bytes: Buffer): ReadonlySet<string> =>
  bytes.length === 0 || bytes.includes(0) ? new Set() : new Set(bytes.toString('utf8').split('\n'));
