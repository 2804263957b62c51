import { parts, stem } from './tokens.ts';

/**
 * The text of a file as sentences find it: each word with the share that BM25 gives it for how often it stands there and how long the
 * text is, rounded to one of a few levels, so that every engine can keep it as a term and counts alike.
 */

/** The shares that stand for the levels; a word without a level has none. */
export const contentShares = [0.125, 0.375, 0.625, 0.875] as const;

/** Of BM25: how slowly more of the same word counts less, and how much the length counts. */
const K1 = 4;
const B = 0.4;
/** A fixed length in words, so that no file's levels depend on others. */
const USUAL_LENGTH = 1_000;
/** A word in the path is as good as so many in the text. */
const PATH_COUNTS = 10;
/** Of a long text the words that stand there least are left out. */
const maxWords = 4_000;
const IDENTIFIERS = /[\p{L}\p{N}_$]+/gu;
const maxWordLength = 32;

/** The words of a file, as they are without their endings, by level; each level in the order of UTF-16 units. */
export function contentLevels(path: string, text: string): string[][] {
  const counts = new Map<string, number>();
  let length = 0;
  for (const word of wordsIn(text)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    length++;
  }
  for (const word of wordsIn(path)) counts.set(word, (counts.get(word) ?? 0) + PATH_COUNTS);
  const levels = contentShares.map((): string[] => []);
  const often = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, maxWords);
  const slow = K1 * (1 - B + (B * length) / USUAL_LENGTH);
  for (const [word, count] of often) levels[Math.ceil((count / (count + slow)) * levels.length) - 1]?.push(word);
  return levels.map((words) => words.sort());
}

const forms = new Map<string, readonly string[]>();
const maxForms = 20_000;

function* wordsIn(text: string): Generator<string> {
  for (const [identifier] of text.matchAll(IDENTIFIERS)) {
    let own = forms.get(identifier);
    if (own === undefined) {
      own = parts(identifier)
        .filter(({ length }) => length > 1 && length <= maxWordLength)
        .map(stem);
      if (forms.size >= maxForms) forms.clear();
      forms.set(identifier, own);
    }
    yield* own;
  }
}

/** Around a word, so that no other term begins with it. */
const MARK = '\ue005';

/** The term of a word at a level; the word is without its ending (stem). */
export function contentToken(form: string, level: number): string {
  return `${contentBeginning(form)}${level}`;
}

/** What the terms of a word begin with, whatever the level. */
export function contentBeginning(form: string): string {
  return `${MARK}${form}${MARK}`;
}
