import { parts, stem } from './tokens.ts';

/**
 * A file as sentences find it: each word with the shares that BM25 gives it for how often it stands in the text, and in the subjects of
 * commits that changed the file, together, rounded to one of a few levels, so that every engine can keep it as a term and counts alike.
 */

/** The shares that stand for the levels; a word without a level has none. */
export const contentShares = [0.1, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3, 1.5] as const;
/** From one level to the next. */
const STEP = 0.2;

/** What was said of a file when it was changed: the less, the more files were changed with it. */
export interface Said {
  subject: string;
  /** 0 to 1. */
  share: number;
}

/** Of BM25: how slowly more of the same word counts less, and how much the length counts. */
const K1 = 4;
const B = 0.4;
/** A fixed length in words, so that no file's levels depend on others. */
const USUAL_LENGTH = 1_000;
/** A word in the path is as good as so many in the text. */
const PATH_COUNTS = 10;
/** The same of subjects, of which there are few and short ones. */
const SAID = { k1: 2, b: 0.5, usualLength: 90 };
/** Of a long text the words that stand there least are left out. */
const maxWords = 4_000;
const IDENTIFIERS = /[\p{L}\p{N}_$]+/gu;
const maxWordLength = 32;

/** The words of a file, as they are without their endings, by level; each level in the order of UTF-16 units. */
export function contentLevels(path: string, text: string, said: readonly Said[] = []): string[][] {
  const counts = countsOf([{ text, times: 1 }]);
  const slow = K1 * (1 - B + (B * sumOf(counts)) / USUAL_LENGTH);
  for (const word of wordsIn(path)) counts.set(word, (counts.get(word) ?? 0) + PATH_COUNTS);
  const changes = countsOf(said.map(({ subject, share }) => ({ text: subject, times: share })));
  const slowly = SAID.k1 * (1 - SAID.b + (SAID.b * sumOf(changes)) / SAID.usualLength);
  const shares = new Map([...counts].map(([word, count]) => [word, count / (count + slow)]));
  for (const [word, count] of changes) shares.set(word, (shares.get(word) ?? 0) + count / (count + slowly));
  const levels = contentShares.map((): string[] => []);
  const most = [...shares].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, maxWords);
  for (const [word, share] of most) levels[Math.min(levels.length, Math.ceil(share / STEP)) - 1]?.push(word);
  return levels.map((words) => words.sort());
}

function countsOf(texts: readonly { text: string; times: number }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text, times } of texts)
    for (const word of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + times);
  return counts;
}

const sumOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

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
