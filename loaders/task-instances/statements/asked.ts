import { changedLines } from '../changed-lines.ts';
import { newSymbolsInTests } from '../leaks.ts';
import { withoutComment, words, wordsOf, wordsOfCode } from './told.ts';
import type { Texts } from './told.ts';

/** Whether tests ask for what neither the statement says nor the base has: a name, a value, an error or a message. */
export const asksForMore = (texts: Texts): boolean =>
  namesAsked(texts).length > 0 ||
  textsAsked(texts).length > 0 ||
  valuesAsked(texts).length > 0 ||
  needsError(texts) ||
  namesAskedInside(texts).length > 0;

/** A variable of the environment that is read; `env.lower` is a member of some object that is called so. */
const ofEnvironment =
  /\benv\.([A-Z][A-Z\d_]{2,60})\b|(?:environ(?:\.get)?[[(]|[gG]etenv\()\s*["']([A-Za-z]\w{2,60})["']/g;

/** The names that tests want and the fix brings, and that nothing tells of. */
export function namesAsked({ statement, code, patch, testPatch }: Texts): string[] {
  const known = new Set([...wordsOf(code, '-', ' '), ...wordsOf(testPatch, '-', ' '), ...words(statement)]);
  const inTests = changedLines(testPatch, '+').join('\n');
  const asked = new Set(
    Array.from(inTests.matchAll(/(?:\.|::)([A-Za-z_]\w+)|\b([A-Za-z_]\w+)[=:](?=[^=:\s])/g), membersAndKeywords),
  );
  for (const [, names = ''] of inTests.matchAll(/^[ \t]*from [\w.]+ import ([^\n]+)/gm))
    for (const name of words(names)) asked.add(name);
  const inTestWords = wordsOfCode(testPatch, '+');
  const written = wordsOfCode(code, '+');
  // A key of an object, an option or a parameter, that is no single word.
  const keys = Array.from(inTests.matchAll(/[{,(]\s*([a-z]\w*)\s*[:=](?![:=])/gi), ([, name = '']) => name);
  const compound = keys.filter((name) => /[a-z][A-Z]|[a-z]_[a-z]/.test(name) && written.has(name));
  const own = new Set(Array.from(inTests.matchAll(/(?<![\w.])([A-Za-z]\w*)\s?:?=/g), ([, name = '']) => name));
  const ofTests = new Set(constantsIn(testPatch));
  const isUnknown = (name: string) => !known.has(name) && !ofLanguages.has(name);
  return [
    ...new Set([
      ...newSymbolsInTests(statement, patch, testPatch).filter((name) => !ofLanguages.has(name)),
      ...variablesIn(code).filter((name) => inTestWords.has(name) && isUnknown(name)),
      ...membersIn(code, '+').filter((name) => asked.has(name) && isUnknown(name)),
      ...compound.filter(isUnknown),
      ...constantsIn(code).filter((name) => inTestWords.has(name) && !ofTests.has(name) && isUnknown(name)),
      ...declaredIn(code).filter(
        (name) => /[a-z][A-Z]/.test(name) && inTestWords.has(name) && !own.has(name) && isUnknown(name),
      ),
    ]),
  ];
}

/** What is a word of languages, or of any text, and no name that anybody gives. */
const ofLanguages = new Set(
  'and as for from if import in init is main not of or that the this to where with'.split(' '),
);

/** Names that Go declares within a list of constants or variables: other than by a single word. */
const declaredIn = (code: string): string[] =>
  changedLines(code, '+').flatMap(
    (line) => /^\t([A-Za-z]\w{0,100})(?: [\w.[\]*]{1,40})? {1,20}= /.exec(line)?.[1] ?? [],
  );

/** Constants within a class that are no private ones, as languages with such modifiers write them. */
export const constantsIn = (code: string): string[] =>
  changedLines(code, '+').flatMap(
    (line) =>
      /^\s*(?:(?:public|protected|internal|static|final|const|val|var|export|readonly|pub|open|override)\s+){1,6}(?:[\w<>[\],.?]{1,60}\s+)?([A-Z][A-Z\d_]{2,80})\s*(?::[^=]{1,80})?=(?!=)/.exec(
        line.slice(0, maxLine),
      )?.[1] ?? [],
  );

/** Longer lines are written by no person. */
const maxLine = 500;

/** Variables of the environment that a fix reads. */
export const variablesIn = (code: string): string[] =>
  changedLines(code, '+').flatMap((line) =>
    Array.from(line.matchAll(ofEnvironment), ([, member, key]) => member ?? key ?? ''),
  );

/** What the tests have of a fix's texts, of those that are more than a word: a whole one, or what is left of it where it is filled in. */
function textsAsked(texts: Texts): string[] {
  const { code, testPatch } = texts;
  const inTests = changedLines(testPatch, '+').join('\n');
  return [
    ...messagesIn(inTests).filter((message) => isOfFixAlone(message, texts)),
    ...partsOfMessages(code).filter((part) => inTests.includes(part) && isNew(part, texts)),
    ...pairsOfMessages(code).flatMap(([one, other]) =>
      isFilledIn(inTests, one, other) && isNew(one, texts) ? one : [],
    ),
    ...partsOfPatterns(inTests).filter((part) => isNew(part, texts)),
  ];
}

/** What a module takes from others names these. */
const imports =
  /^\s*(?:import\b|from\s|use\s|export\b[^'"]{0,200}\bfrom\s|(?:[\w.]{1,40}\s+)?"[\w./-]{1,200}"$)|\brequire\(/;

/** What stands in code as it is, and is no word of a language: texts without space, and numbers that nobody would think of. */
function valuesIn(line: string): string[] {
  if (imports.test(line)) return [];
  const code = withoutComment(line);
  return [
    ...Array.from(code.matchAll(/(["'`])([^"'`\\\s]{3,60})\1/g), ([, , inner = '']) => inner),
    ...Array.from(code.matchAll(/(?<![\w.])(?:\d+\.\d+|\d{3,})(?![\w.])/g), ([number]) => number),
  ];
}

/** The values that tests ask for and the fix writes down, and that nothing tells of: a default, a format, a key. */
export function valuesAsked({ statement, code, testPatch }: Texts): string[] {
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
  return [...values(code, '+')].filter((value) => asked.has(value) && !known.has(value) && !isTold(value));
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
      ...(/\b(?:def|function|func)\b[^(]*\(([^()]*)/.exec(line)?.[1] ?? '')
        .split(',')
        .flatMap((part) => words(part).slice(0, 1)),
    ]);
}

/** Texts of more than a word, between marks. */
const messagesIn = (text: string) =>
  Array.from(text.matchAll(/(["'`])((?:(?!\1)[^\\\n]){6,200})\1/g), ([, , inner = '']) => inner).filter((inner) =>
    /\w\s\w/.test(inner),
  );

/** A message is filled in when it is thrown. */
export const hole = /\{[^{}]{0,80}\}|\$\{[^{}]{0,80}\}|%(?:[-+#]?[sdrvqwxTtfgip]|0\d[dx]|\.\d[fg])/;

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

/** The errors that tests want and the fix throws, of which the statement does not say the kind. */
export function errorsAsked({ statement, code, testPatch }: Texts): string[] {
  const kinds = (diff: string, form: RegExp) =>
    changedLines(diff, '+').flatMap((line) => Array.from(line.matchAll(form), ([, kind = '']) => kind));
  const wanted = [
    ...kinds(
      testPatch,
      /(?:raises|raise|raise_error|assertRaises\w*|expect(?:ed)?_?exception|assertFailsWith|throws?\w*|warns)\W{1,3}(?:\w{1,80}\\){0,9}([A-Z]\w*)/gi,
    ),
    // What is caught where nothing else may come: the end of what is tried fails.
    ...Array.from(
      changedLines(testPatch, '+')
        .join('\n')
        .matchAll(/\bfail\([^{}]{0,300}\}\s{0,80}catch \((?:final )?([A-Z]\w*)/g),
      ([, kind = '']) => kind,
    ),
  ];
  const thrown = new Set(
    kinds(code, /(?:\b(?:raise|throw new|throw)\s+|\bwarn\([^)]{0,200},\s*)(?:\\?\w{1,80}\\){0,9}\\?([A-Z]\w*)/g),
  );
  const said = new Set(words(statement));
  return [...new Set(wanted)].filter((kind) => thrown.has(kind) && !said.has(kind));
}

/** Whether the tests want an error of a kind that the fix throws, where it threw none of that kind, and nothing tells of it. */
function needsError(texts: Texts): boolean {
  const known = new Set([...wordsOf(texts.code, '-', ' '), ...wordsOf(texts.testPatch, '-', ' ')]);
  return errorsAsked(texts).some((kind) => !known.has(kind) && !usualErrors.has(kind));
}

/** New parameters that tests give to a function that is private, and of which nothing is said: function and parameter. */
export function namesAskedInside({ statement, code, testPatch }: Texts): [called: string, parameter: string][] {
  const before = new Set(membersIn(code, '-', ' '));
  const added = new Set(membersIn(code, '+').filter((name) => !before.has(name)));
  const said = new Set(words(statement));
  const calls = changedLines(testPatch, '+')
    .join('\n')
    .matchAll(/\b(_[a-z]\w{3,})\(([^()]{0,300})/g);
  const names = (given: string) => Array.from(given.matchAll(/\b(\w+)=/g), ([, name = '']) => name);
  return Array.from(calls).flatMap(([, called = '', given = '']) =>
    said.has(called)
      ? []
      : names(given)
          .filter((name) => added.has(name))
          .map((name): [string, string] => [called, name]),
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
export function isNew(text: string, { statement, code, testPatch }: Places): boolean {
  const isIn = (diff: string, ...signs: ('+' | '-' | ' ')[]) =>
    signs.some((sign) => changedLines(diff, sign).some((line) => line.includes(text)));
  const isTold = statement.toLowerCase().includes(text.toLowerCase());
  return !isTold && isIn(code, '+') && !isIn(code, '-', ' ') && !isIn(testPatch, '-', ' ');
}

const isOfFixAlone = (message: string, places: Places) =>
  ['"', "'", '`'].some((mark) => places.code.includes(`${mark}${message}${mark}`)) && isNew(message, places);
