import { changedLines } from '../changed-lines.ts';
import { edits, kind, saysWhatHappens, subjects, words, wordsOf, wordsOfCode } from './told.ts';
import type { Texts } from './told.ts';

/**
 * What speaks for a statement of a commit or a pull request, and against it, by the weights that say best of statements that people read
 * whether they could be worked with: `node bench/statements.ts` fits them. Lengths and counts are natural logarithms of one more.
 */
const weights = {
  /** Words of its title, up to eight: who says in which case what happens needs some. */
  titleWords: 2.29,
  /** Whether its title says what happens, or what shall. */
  titleSaysWhatHappens: 1.13,
  /** The share of what it speaks of that the tests speak of, too: these see a program from outside. */
  shareInTests: 1.46,
  /** Names that the tests use, that only the fix has, and that it does not say. */
  namesNotTold: -1.44,
  /** Whether its title says that something is better, was wrong or is tested, and not what: `Improve handling of some issues`. */
  titleIsVague: -1.27,
  /** Whether its title begins with what is done to code. */
  titleEdits: -1.66,
} as const;
const atNothing = -4.19;

/**
 * Of statements with so much, of histories that the weights were not fitted on, 78 in 100 could be worked with. With .65 it is 82 in 100, and of
 * histories like gin's half as many are listed.
 */
const minClarity = 0.5;

/** Whether a statement is probably none to work with. What is said in an issue follows no such form. */
export const isUnclear = (texts: Texts): boolean =>
  texts.source !== 'issue' && clarityOf(clarityFeatures(texts)) < minClarity;

export type ClarityFeatures = Record<keyof typeof weights, number>;

/** How probably a statement can be worked with, 0 to 1. */
function clarityOf(features: ClarityFeatures): number {
  const sum = (Object.keys(weights) as (keyof typeof weights)[]).reduce(
    (total, name) => total + weights[name] * features[name],
    atNothing,
  );
  return 1 / (1 + Math.exp(-sum));
}

const vague =
  /\b(tweak\w*|improv\w*|better|heuristic\w*|faster|smarter|more|some|additional|various|clean\w*|rework\w*|simplif\w*|handling|bugs?|issues?|problems?|regressions?|tests?|coverage)\b/i;
const beginning = new RegExp(kind, 'i');
const editing = new RegExp(`^(${edits})\\b`, 'i');

/** More words of a title say nothing more of whether one can work with it. */
const enoughWords = 8;

/** Of shorter names many stand in any test. */
const minNameLength = 3;

export function clarityFeatures({ statement, code, testPatch, testFiles }: Texts): ClarityFeatures {
  const firstLine = (statement.trim().split('\n', 1)[0] ?? '').trim();
  const title = firstLine.replace(beginning, '');
  const asked = wordsOf(testPatch, '+');
  const before = new Set([...wordsOf(code, '-', ' '), ...wordsOf(testPatch, '-', ' ')]);
  const said = statement.toLowerCase();
  const notTold = [...wordsOfCode(code, '+')].filter(
    (name) =>
      name.length >= minNameLength && asked.has(name) && !before.has(name) && !said.includes(name.toLowerCase()),
  );
  const inTests = subjects([...changedLines(testPatch, '+'), ...testFiles].join('\n'));
  const about = [...subjects(statement)];
  return {
    titleWords: Math.log1p(Math.min(words(title).length, enoughWords)),
    // `TypeError: price of a basket` begins as `fix: price of a basket` does.
    titleSaysWhatHappens: saysWhatHappens(title) || saysWhatHappens(firstLine) ? 1 : 0,
    shareInTests: about.length === 0 ? 0 : about.filter((word) => inTests.has(word)).length / about.length,
    namesNotTold: Math.log1p(notTold.length),
    titleIsVague: vague.test(title) ? 1 : 0,
    titleEdits: editing.test(title) ? 1 : 0,
  };
}
