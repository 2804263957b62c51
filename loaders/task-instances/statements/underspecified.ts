import { changedLines } from '../changed-lines.ts';
import { definedIn, newSymbolsInTests } from '../leaks.ts';
import { patchSections } from '../patch-sections.ts';
import { isUnclear } from './clarity.ts';
import {
  beside,
  kind,
  saysWhatHappens,
  showsIt,
  subjects,
  withoutComment,
  words,
  wordsOf,
  wordsOfCode,
} from './told.ts';
import type { Texts, Told } from './told.ts';

/** Whether tests ask for what a statement does not say, or it says too little of what goes wrong. */
export const isUnderspecified = (texts: Texts): boolean =>
  isUnclear(texts) ||
  needsWhatIsNotTold(texts) ||
  needsValues(texts) ||
  needsError(texts) ||
  needsInside(texts) ||
  saysTooLittleForItsSize(texts) ||
  namesNoMore(texts) ||
  leansOnAnother(texts) ||
  speaksOfOtherThings(texts) ||
  speaksOfForm(texts) ||
  hasNoTitle(texts);

/** A variable of the environment that is read; `env.lower` is a member of some object that is called so. */
const ofEnvironment =
  /\benv\.([A-Z][A-Z\d_]{2,60})\b|(?:environ(?:\.get)?[[(]|[gG]etenv\()\s*["']([A-Za-z]\w{2,60})["']/g;

/** Whether the tests want names or messages that the fix brings and nothing tells of. */
function needsWhatIsNotTold(texts: Texts): boolean {
  const { statement, code, patch, testPatch } = texts;
  const known = new Set([...wordsOf(code, '-', ' '), ...wordsOf(testPatch, '-', ' '), ...words(statement)]);
  const inTests = changedLines(testPatch, '+').join('\n');
  const asked = new Set(
    Array.from(inTests.matchAll(/\.([A-Za-z_]\w+)|\b([A-Za-z_]\w+)[=:](?=[^=\s])/g), membersAndKeywords),
  );
  for (const [, names = ''] of inTests.matchAll(/^[ \t]*from [\w.]+ import ([^\n]+)/gm))
    for (const name of words(names)) asked.add(name);
  const variables = changedLines(code, '+').flatMap((line) =>
    Array.from(line.matchAll(ofEnvironment), ([, member, key]) => member ?? key ?? ''),
  );
  const inTestWords = wordsOf(testPatch, '+');
  const written = wordsOfCode(code, '+');
  // A key of an object, an option or a parameter, that is no single word.
  const keys = Array.from(inTests.matchAll(/[{,(]\s*([a-z]\w*)\s*[:=](?![:=])/gi), ([, name = '']) => name);
  const compound = keys.filter((name) => /[a-z][A-Z]|[a-z]_[a-z]/.test(name) && written.has(name));
  return (
    compound.some((name) => !known.has(name)) ||
    newSymbolsInTests(statement, patch, testPatch).length > 0 ||
    variables.some((name) => inTestWords.has(name) && !known.has(name)) ||
    membersIn(code, '+').some((name) => asked.has(name) && !known.has(name)) ||
    messagesIn(inTests).some((message) => isOfFixAlone(message, { statement, code, testPatch })) ||
    partsOfMessages(code).some((part) => inTests.includes(part) && isNew(part, { statement, code, testPatch })) ||
    pairsOfMessages(code).some(([one, other]) => isFilledIn(inTests, one, other) && isNew(one, texts)) ||
    partsOfPatterns(inTests).some((part) => isNew(part, { statement, code, testPatch }))
  );
}

/** What stands in code as it is, and is no word of a language: texts without space, and numbers that nobody would think of. */
const valuesIn = (line: string): string[] => [
  ...Array.from(line.matchAll(/(["'`])([^"'`\\\s]{3,60})\1/g), ([, , inner = '']) => inner),
  ...Array.from(line.matchAll(/(?<![\w.])(?:\d+\.\d+|\d{3,})(?![\w.])/g), ([number]) => number),
];

/** Whether the tests ask for a value that the fix writes down and nothing tells of: a default, a format, a key. */
function needsValues({ statement, code, testPatch }: Texts): boolean {
  const values = (diff: string, ...signs: ('+' | '-' | ' ')[]) =>
    new Set(signs.flatMap((sign) => changedLines(diff, sign).flatMap(valuesIn)));
  const asked = values(testPatch, '+');
  const known = new Set([...values(code, '-', ' '), ...values(testPatch, '-', ' ')]);
  const said = statement.toLowerCase();
  // `Content-Length` is told by `the content length`.
  const inWords = ` ${words(said).join(' ')} `;
  const isTold = (value: string) =>
    said.includes(value.toLowerCase()) ||
    (/^[a-z]+([-_][a-z]+)+$/i.test(value) && inWords.includes(` ${value.toLowerCase().replaceAll(/[-_]/g, ' ')} `));
  return [...values(code, '+')].some((value) => asked.has(value) && !known.has(value) && !isTold(value));
}

/** With fewer words beside the number of an issue it is that issue which says what is wrong. */
const minWordsBesideIssue = 12;

function leansOnAnother({ statement }: Told): boolean {
  if (/\bthe same (fix|change) (as|in)\b/i.test(statement)) return true;
  const issue = /(?:\b(?:issues?|tickets?|bugs?|pr|gh)[ -]?#?|#)\d+\b/gi;
  return issue.test(statement) && words(statement.replaceAll(issue, '')).length < minWordsBesideIssue;
}

const form = new RegExp(
  String.raw`${kind}(some |minor |more |code )*(moderni[sz]|simplify |add .* to .*tests?$|clean(ed|ing)?[ -]?up|tid(y|ied)|reformat|restructur|reorgani[sz]|upgrade (python )?syntax)|` +
    String.raw`\b(refactor\w*|100 ?% (test )?coverage|flake8[\w-]*|pylint|pyupgrade|pre-commit|isort|(drop|add|end)(p?ed|s)? (support|testing) (for|of) (python|node|ruby|java|go)\b|support python [\d.]+)\b|` +
    String.raw`${kind}(update|upgrade|bump|migrate)d? \S+ to (its |it's |the )?(latest|newest|v?\d)|\bfrom v?\d+(\.\d+)* to v?\d+(\.\d+)*\b`,
  'i',
);

/** Whether its title is about form alone: what tests of such a change ask for stands elsewhere. */
const speaksOfForm = ({ statement }: Told): boolean => form.test(statement.split('\n', 1)[0] ?? '');

/** Whether it is a heap of what was done before a release. */
const hasNoTitle = ({ statement }: Told): boolean =>
  /^(:\w+:\s+)?((version|release)\s+)?(v?[\d.]+|dev|wip)$/i.test(statement.split('\n', 1)[0]?.trim() ?? '');

/** A fix of fewer lines hardly does more than its title names. */
const minLinesToTell = 3;

/** Whether more than a line or two of code is written, and an issue neither says what happens, or shall, nor shows it: only a subject, `Forms with files`. */
function saysTooLittleForItsSize({ statement, source, code }: Texts): boolean {
  if (source !== 'issue') return false;
  const added = changedLines(code, '+').filter((line) => words(withoutComment(line)).length > 0);
  const said = statement.split('\n').filter((line, number) => number === 0 || !beside.test(line));
  return added.length >= minLinesToTell && !said.some(saysWhatHappens) && !showsIt(statement);
}

/** With fewer words beside a new name nothing is said of what that does. */
const minBesideName = 3;

/** Whether it names something new that the tests want, a function, a class or an option, and says no more of it. */
function namesNoMore({ statement, code, testPatch }: Texts): boolean {
  const asked = wordsOf(testPatch, '+');
  const before = new Set([...wordsOfCode(code, '-', ' '), ...wordsOf(testPatch, '-', ' ')]);
  const options = [
    ...changedLines(code, '+')
      .join('\n')
      .matchAll(/["'`]--([a-z][\w-]+)/g),
  ].map(([, name = '']) => name);
  const said = statement.toLowerCase();
  const added = [...definedIn(code, '+'), ...options].filter((name) => {
    const parts = words(name);
    const isNew = parts.every((part) => asked.has(part)) && parts.some((part) => !before.has(part));
    return isNew && said.includes(name.toLowerCase());
  });
  if (added.length === 0) return false;
  const named = subjects(added.join(' '));
  const lines = statement.split('\n').filter((line) => !beside.test(line));
  return [...subjects(lines.join('\n'))].filter((word) => !named.has(word)).length < minBesideName;
}

/** Of fewer none need be in the tests by chance. */
const minSubjects = 5;

/** Whether it shares no word that says something with the tests, their names, and the files that the fix changes. */
function speaksOfOtherThings({ statement, patch, testPatch, failToPass }: Told): boolean {
  const asked = subjects(
    [
      ...changedLines(testPatch, '+'),
      ...changedLines(testPatch, ' '),
      ...failToPass,
      ...patchSections(patch).flatMap(({ paths }) => paths),
    ].join('\n'),
  );
  const said = subjects(statement);
  return said.size >= minSubjects && ![...said].some((word) => asked.has(word));
}

const membersAndKeywords = ([, member, keyword]: RegExpMatchArray) => member ?? keyword ?? '';

/** Parameters, fields and members that the lines of a fix with these signs define. */
function membersIn(code: string, ...signs: ('+' | '-' | ' ')[]): string[] {
  return signs
    .flatMap((sign) => changedLines(code, sign))
    .flatMap((line) => [
      ...Array.from(
        line.matchAll(/\b(?:self|this|exports|prototype)\.([A-Za-z_]\w*)\s*=(?!=)/g),
        ([, name = '']) => name,
      ),
      // A parameter on a line of its own, a field of a class, a field of Go's, and what stands between the parentheses of a definition.
      ...words(/^[ \t]+([A-Za-z_]\w*)[ \t]*(?::[^=\n]{1,80})?=(?!=)/.exec(line)?.[1] ?? ''),
      ...words(/^\s+([A-Z]\w*)\s+[\w.*[\]]+(?:\s+`.*`)?$/.exec(line)?.[1] ?? ''),
      ...words(/\b(?:def|function|func)\b[^(]*\(([^()]*)/.exec(line)?.[1] ?? ''),
    ]);
}

/** Texts of more than a word, between marks. */
const messagesIn = (text: string) =>
  Array.from(text.matchAll(/(["'`])((?:(?!\1)[^\\\n]){6,200})\1/g), ([, , inner = '']) => inner).filter((inner) =>
    /\w\s\w/.test(inner),
  );

/** A message is filled in when it is thrown. */
const hole = /\{[^{}]{0,80}\}|\$\{[^{}]{0,80}\}|%[sdr]/;

/** Of what stands beside them, shorter parts are in many texts. */
const minPart = 15;

/** What stands in a fix's messages beside what is filled in. */
const partsOfMessages = (code: string) =>
  messagesIn(changedLines(code, '+').join('\n'))
    .filter((message) => hole.test(message))
    .flatMap((message) => message.split(hole))
    .map((part) => part.trim())
    .filter((part) => part.length >= minPart && /\w\s\w/.test(part));

/** What one throws where nothing says which. */
const usualErrors = new Set(['Error', 'TypeError', 'ValueError', 'ArgumentError']);

/** Whether the tests want an error of a kind that the fix throws, where it threw none of that kind, and nothing tells of it. */
function needsError({ statement, code, testPatch }: Texts): boolean {
  const kinds = (diff: string, form: RegExp) =>
    changedLines(diff, '+').flatMap((line) => Array.from(line.matchAll(form), ([, kind = '']) => kind));
  const wanted = kinds(testPatch, /(?:raises|raise|assertRaises\w*|throws?\w*|warns)\W{1,3}([A-Z]\w*)/gi);
  const thrown = new Set(kinds(code, /(?:\b(?:raise|throw new)\s+|\bwarn\([^)]{0,200},\s*)([A-Z]\w*)/g));
  const known = new Set([...wordsOf(code, '-', ' '), ...wordsOf(testPatch, '-', ' '), ...words(statement)]);
  return wanted.some((kind) => thrown.has(kind) && !known.has(kind) && !usualErrors.has(kind));
}

/** Whether the tests give a new parameter to a function that is private, and of which nothing is said. */
function needsInside({ statement, code, testPatch }: Texts): boolean {
  const before = new Set(membersIn(code, '-', ' '));
  const added = new Set(membersIn(code, '+').filter((name) => !before.has(name)));
  const said = new Set(words(statement));
  const calls = changedLines(testPatch, '+')
    .join('\n')
    .matchAll(/\b(_[a-z]\w{3,})\(([^()]{0,300})/g);
  const names = (given: string) => Array.from(given.matchAll(/\b(\w+)=/g), ([, name = '']) => name);
  return [...calls].some(
    ([, called = '', given = '']) => !said.has(called) && names(given).some((name) => added.has(name)),
  );
}

/** Neighbors among what stands in a fix's messages beside what is filled in, where they are no mere marks. */
const pairsOfMessages = (code: string): [string, string][] =>
  Array.from(
    changedLines(code, '+')
      .join('\n')
      .matchAll(/(["'`])((?:(?!\1)[^\\\n]){6,200})\1/g),
    ([, , inner = '']) => inner,
  )
    .map((message) => message.split(hole))
    .flatMap((parts) => parts.slice(1).map((part, index): [string, string] => [parts[index] ?? '', part]))
    .filter(
      ([one, other]) =>
        one.length >= 3 && other !== '' && `${one}${other}`.replaceAll(/\W/g, '').length >= minLettersOfPair,
    );

const minLettersOfPair = 10;

/** Whether a text has both, with little between them. */
function isFilledIn(text: string, one: string, other: string): boolean {
  for (let at = text.indexOf(one); at !== -1; at = text.indexOf(one, at + 1)) {
    const next = text.indexOf(other, at + one.length);
    if (next !== -1 && next - at - one.length <= 60) return true;
  }
  return false;
}

/** What stands in the patterns by which tests read messages, beside what is none of a message. */
const partsOfPatterns = (tests: string) =>
  Array.from(tests.matchAll(/(["'`])((?:(?!\1)[^\n]){6,200})\1/g), ([, , inner = '']) => inner)
    .flatMap((pattern) => pattern.split(/\\.|[.^$*+?()[\]{}|]+/))
    .map((part) => part.trim())
    .filter((part) => part.length >= minPartOfPattern && /\w\s\w/.test(part));

const minPartOfPattern = 10;

type Places = Pick<Texts, 'statement' | 'code' | 'testPatch'>;

/** Whether only the fix has it: neither the statement, nor what was there. */
function isNew(text: string, { statement, code, testPatch }: Places): boolean {
  const isIn = (diff: string, ...signs: ('+' | '-' | ' ')[]) =>
    signs.some((sign) => changedLines(diff, sign).some((line) => line.includes(text)));
  const isTold = statement.toLowerCase().includes(text.toLowerCase());
  return !isTold && isIn(code, '+') && !isIn(code, '-', ' ') && !isIn(testPatch, '-', ' ');
}

const isOfFixAlone = (message: string, places: Places) =>
  ['"', "'", '`'].some((mark) => places.code.includes(`${mark}${message}${mark}`)) && isNew(message, places);
