import { changedLines } from '../changed-lines.ts';
import {
  beside,
  codeWords,
  edits,
  kind,
  membersOf,
  saysWhatHappens,
  showsIt,
  subjects,
  words,
  wordsOf,
  wordsOfCode,
} from './told.ts';
import type { Texts } from './told.ts';

/**
 * What speaks for a statement of a commit or a pull request, and against it, by the weights that say best of statements that people read
 * whether they could be worked with: `node bench/statements.ts` fits them. Lengths and counts are natural logarithms of one more.
 */
const weights = {
  /** Words that say something, each once and up to eight, of its title, or of that and the sentence behind it where it is short. */
  leadWords: 1.81,
  /** Whether these say what happens, or what shall. */
  leadSaysWhatHappens: 0.82,
  /** The share of what it speaks of that the tests speak of, too: these see a program from outside. */
  shareInTests: 1.2,
  /** Names that the tests use, that only the fix has, and that it does not say. */
  namesNotTold: -0.37,
  /** Whether its title says that something is better, was wrong or is tested, and not what: `Improve handling of some issues`. */
  titleIsVague: -1.74,
  /** Whether its title begins with what is done to code. */
  titleEdits: -1,
  /** Lines that the fix adds: of a longer one a statement rarely says all that the tests ask for. */
  linesAdded: -0.26,
  /** Names in it, as code is written, that the fix changes and no test has: these are of the way. */
  namesOfTheWay: -1.31,
  /** Whether it shows in code, with a number, what a program gives. */
  showsIt: 1.23,
} as const;
const atNothing = -2.4;

/** See `docs/benchmark.md` for what was measured with it. */
const minClarity = 0.6;

/** Fewer words cannot say in which case what happens. */
const minLeadWords = 3;

/** Whether a statement is probably none to work with. What is said in an issue follows no such form. */
export function isUnclear(texts: Texts): boolean {
  if (texts.source === 'issue') return false;
  const features = clarityFeatures(texts);
  return features.leadWords < Math.log1p(minLeadWords) || clarityOf(features) < minClarity;
}

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
  /^(these|those|this|that|it|they)\b|\b(tweak\w*|improv\w*|enhanc\w*|better|heuristic\w*|faster|smarter|more|some|additional|various|initial|implementation|clean\w*|rework\w*|simplif\w*|handling|bugs?|issues?|problems?|regressions?|tests?|coverage|lint\w*|document\w*)\b/i;
const beginning = new RegExp(kind, 'i');
const editing = new RegExp(`^(${edits})\\b`, 'i');

/** More words say nothing more of whether one can work with it. */
const enoughWords = 8;

/** Words that are in any title, and say nothing. */
const filling = new Set(
  'see what the a an of to in on for with when and or is are be not by from as at it its that this if into all any no'.split(
    ' ',
  ),
);

/** The words of a text that say something, each once. */
const saying = (text: string) =>
  new Set(
    words(text)
      .map((word) => word.toLowerCase())
      .filter((word) => !filling.has(word)),
  );

/** With fewer a title leaves it to the sentence behind it to say what is wrong. */
const minWordsOfTitle = 5;

export const isShort = (title: string): boolean => saying(title).size < minWordsOfTitle;

/** With fewer words it is none: `Expected: 3`. */
const minWordsOfSentence = 4;

/** What is shown is no sentence: code, and where an error came from. */
const shown = /^(```|>>>|at |File ")|```$|```\n/;

/** The title, and the first sentence behind it where that is short: other than those of tests and texts. */
function leadOf(title: string, body: string): string {
  if (!isShort(title)) return title;
  const sentences = body
    .trim()
    .split(/\n(?=[^\S\n]*(?:\n|[*-]\s))|(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && !beside.test(sentence) && !shown.test(sentence));
  const [first = ''] = sentences;
  return words(first).length < minWordsOfSentence ? title : `${title} ${first}`;
}

/** Of shorter names many stand in any test. */
const minNameLength = 3;

export function clarityFeatures({ statement, code, testPatch, testFiles }: Texts): ClarityFeatures {
  const firstLine = statement.trim().split('\n', 1)[0] ?? '';
  const title = firstLine.trim().replace(beginning, '');
  const lead = leadOf(title, statement.trim().slice(firstLine.length));
  const inTests = subjects([...changedLines(testPatch, '+'), ...testFiles].join('\n'));
  const about = [...subjects(statement)];
  return {
    leadWords: Math.log1p(Math.min(saying(lead).size, enoughWords)),
    // `TypeError: price of a basket` begins as `fix: price of a basket` does.
    leadSaysWhatHappens: saysWhatHappens(lead) || saysWhatHappens(firstLine) ? 1 : 0,
    shareInTests: about.length === 0 ? 0 : about.filter((word) => inTests.has(word)).length / about.length,
    namesNotTold: Math.log1p(namesNotTold({ statement, code, testPatch })),
    titleIsVague: vague.test(title) ? 1 : 0,
    titleEdits: editing.test(title) ? 1 : 0,
    linesAdded: Math.log1p(changedLines(code, '+').length),
    namesOfTheWay: Math.log1p(namesOfTheWay({ statement, code, testPatch })),
    showsIt: showsIt(statement) ? 1 : 0,
  };
}

type Places = Pick<Texts, 'statement' | 'code' | 'testPatch'>;

function namesNotTold({ statement, code, testPatch }: Places): number {
  const asked = wordsOf(testPatch, '+');
  const before = new Set([...wordsOfCode(code, '-', ' '), ...wordsOf(testPatch, '-', ' ')]);
  const said = statement.toLowerCase();
  return [...wordsOfCode(code, '+')].filter(
    (name) =>
      name.length >= minNameLength && asked.has(name) && !before.has(name) && !said.includes(name.toLowerCase()),
  ).length;
}

function namesOfTheWay({ statement, code, testPatch }: Places): number {
  const changed = wordsOfCode(code, '+', '-');
  const known = wordsOf(testPatch, '+', '-', ' ');
  const names = new Set([...codeWords(statement), ...membersOf(statement).map(([, name]) => name)]);
  return [...names].filter((name) => changed.has(name) && !known.has(name)).length;
}
