import { changedLines } from '../changed-lines.ts';
import { definedIn } from '../leaks.ts';
import {
  errorsAsked,
  hole,
  isFilledIn,
  isNew,
  minPart,
  namesAsked,
  namesAskedInside,
  partsOfPatterns,
  valuesAsked,
  variablesIn,
} from './asked.ts';
import { changedFunctions, functionsIn } from './definitions.ts';
import type { DefinedFunction, Parameter } from './definitions.ts';
import { withoutComment, words, wordsOf } from './told.ts';
import type { Texts } from './told.ts';

/** What stands above it, behind what was wrong. */
export const interfaceHeading =
  '## Interface\n\nWhat the tests ask for, by the name or in the words that they have for it:\n\n';

/** So much is told at most: of a task whose tests ask for more the rest is not told, and it is flagged. */
const maxEntries = 24;
const maxLength = 3000;

/**
 * What tests ask for by name that the statement does not say, so that nobody has to guess it: new functions with their parameters, options, errors
 * and messages. In words of our own, never in lines of the patch or of its tests; nothing of how it is done. Empty where nothing is left to say.
 */
export function interfaceOf(texts: Texts): string {
  const secret = secretLines(texts);
  const entries = [
    ...functionsAsked(texts),
    ...namesLeft(texts),
    ...errorsAsked(texts).map((kind) => `The tests expect an error of the kind \`${kind}\`.`),
    ...valuesLeft(texts),
    ...messagesLeft(texts),
  ].filter((entry) => !secret.some((line) => entry.includes(line)));
  let told = '';
  for (const entry of [...new Set(entries)].slice(0, maxEntries))
    if (told.length + entry.length < maxLength) told += `- ${entry}\n`;
  return told.trimEnd();
}

/** Shorter lines stand in any text. */
const minLineLength = 12;

/** Lines that nobody may read who shall solve it; a name alone on a line is none. */
const secretLines = ({ patch, testPatch }: Texts): string[] => [
  ...new Set(
    [patch, testPatch]
      .flatMap((diff) => changedLines(diff, '+'))
      .map((line) => line.trim())
      .filter((line) => line.length >= minLineLength && /\w\W+\w/.test(line)),
  ),
];

/** New functions that tests call, and new parameters of those that were there. */
function functionsAsked(texts: Texts): string[] {
  const { statement, code, testPatch } = texts;
  const asked = wordsOf(testPatch, '+');
  const isNewName = newIn(texts);
  const said = new Set(words(statement));
  const inside = new Set(namesAskedInside(texts).flat());
  const functions = Map.groupBy(functionsIn(code), ({ name }) => name);
  return Array.from(functions, ([name, same]) => {
    const [first] = same;
    if (!first || !asked.has(name) || isConstructor(name)) return [];
    if (isNewName(name)) return said.has(name) && hasSaid(first, said) ? [] : whole(first);
    const parameters = first.parameters.filter(
      (each) => asked.has(each.name) && isNewName(each.name) && (!said.has(each.name) || inside.has(each.name)),
    );
    return parameters.length === 0 ? [] : `\`${name}\` takes ${listed(parameters.map(parameter))}.`;
  }).flat();
}

const isConstructor = (name: string) => /^(__init__|constructor|__construct|initialize|new)$/.test(name);

const hasSaid = ({ parameters }: DefinedFunction, said: ReadonlySet<string>): boolean =>
  parameters.every(({ name }) => said.has(name));

const whole = ({ name, parameters }: DefinedFunction): string =>
  parameters.length === 0
    ? `There is a function \`${name}\`, without parameters.`
    : `There is a function \`${name}\`, which takes ${listed(parameters.map(parameter))}.`;

/** What stands for itself, and is no name of something within. */
const plain =
  /^(?:-?\d[\w.]{0,20}|None|True|False|null|nil|true|false|undefined|\[\]|\{\}|\(\)|(["'])(?:(?!\1)[^\\\n]){0,60}\1)$/;

function parameter({ name, type, default: value }: Parameter): string {
  const typed = type === '' || /[`\n]/.test(type) ? `\`${name}\`` : `\`${name}\` of the type \`${type}\``;
  if (value === null) return typed;
  return plain.test(value) ? `${typed} (${coded(value)} by default)` : `${typed} (which may be left out)`;
}

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

const coded = (text: string) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

/** Tells whether a name is nowhere in what was there. */
function newIn({ code, testPatch }: Texts): (name: string) => boolean {
  const before = new Set([...wordsOf(code, '-', ' '), ...wordsOf(testPatch, '-', ' ')]);
  return (name) => !before.has(name);
}

/** What has a name of its own and is no function. */
const kinds: readonly [RegExp, string][] = [
  [/\b(?:class|struct|record|object|module|trait|enum)\s+NAME\b/, 'a class or type'],
  [/\b(?:interface|type)\s+NAME\b/, 'a type'],
  [/\b(?:self|this)\.NAME\s*=/, 'an attribute'],
  [/["'`]--NAME\b/, 'an option of the command line'],
];

/** Names other than those of functions and their parameters. */
function namesLeft(texts: Texts): string[] {
  const { statement, code } = texts;
  const functions = functionsAsked(texts).join('\n');
  const names = namesAsked({ ...texts, statement: `${statement}\n${functions}` }).filter(
    (name) => !isConstructor(name),
  );
  const variables = new Set(variablesIn(code));
  const added = changedLines(code, '+').map(withoutComment);
  const isDefined = new Set(definedIn(code, '+'));
  const takers = functionsIn(code);
  return [
    ...names.map((name) => {
      if (variables.has(name)) return `A variable of the environment is \`${name}\`.`;
      const kind = kinds.find(([form]) => {
        const own = new RegExp(form.source.replace('NAME', name.replaceAll('$', String.raw`\$`)));
        return added.some((line) => line.includes(name) && own.test(line));
      });
      if (kind) return `There is ${kind[1]} \`${name}\`${takenBy(name, takers)}.`;
      const value = defaultOf(name, added);
      if (value !== null) return `An option or parameter is \`${name}\` (${coded(value)} by default).`;
      return isDefined.has(name)
        ? `There is \`${name}\`, which the tests use.`
        : `An option, parameter or member is \`${name}\`.`;
    }),
    ...callsLeft(texts, names),
  ];
}

/** Where a class is made of what is given to it. */
function takenBy(name: string, functions: readonly DefinedFunction[]): string {
  const made = functions.filter((each) => isConstructor(each.name) && each.isAdded);
  const [one] = made;
  return made.length === 1 && one && one.parameters.length > 0 && /^[A-Z]/.test(name)
    ? `, which is made of ${listed(one.parameters.map(parameter))}`
    : '';
}

/** What an option is where nobody gives it, as far as a line says so. */
function defaultOf(name: string, added: readonly string[]): string | null {
  const own = name.replaceAll('$', String.raw`\$`);
  const forms = [
    String.raw`\b${own}\s*(?:\?\?|\|\|)=?\s*([^\s,;)}]{1,60})`,
    String.raw`(?:get|pop|fetch)\(\s*[:"']${own}["']?,\s*([^()]{1,60})\)`,
    String.raw`^\s*${own}\s*(?::[^=]{1,80})?=\s*([^=\s][^,;]{0,60}),?$`,
    String.raw`[{,(]\s*${own}\s*=\s*([^\s,;)}]{1,60})`,
  ].map((form) => new RegExp(form));
  for (const line of added.filter((each) => each.length < 500 && each.includes(name)))
    for (const form of forms) {
      const value = form.exec(line)?.[1]?.trim() ?? '';
      if (plain.test(value)) return value;
    }
  return null;
}

/** More names of what is called would be a list of where to look. */
const maxCalls = 2;

/** Functions that were there, in which the fix changes something and which its tests call, where the statement names none that they call. */
function callsLeft({ statement, code, testPatch }: Texts, names: readonly string[]): string[] {
  if (names.length > 0) return [];
  const called = new Set(
    changedLines(testPatch, '+')
      .flatMap((line) => Array.from(line.slice(0, 1000).matchAll(/([A-Za-z_$][\w$]*)\(/g), ([, name = '']) => name))
      .filter((name) => name.length >= 3),
  );
  const said = new Set(words(statement).map((word) => word.toLowerCase()));
  if ([...called].some((name) => said.has(name.toLowerCase()))) return [];
  const own = changedFunctions(code).filter((name) => called.has(name) && !isConstructor(name));
  return own.length > 0 && own.length <= maxCalls
    ? [`The tests call ${listed(own.map((name) => `\`${name}\``))}.`]
    : [];
}

/** More are no interface, but what is to be found out. */
const maxValues = 8;

function valuesLeft(texts: Texts): string[] {
  const values = [...new Set(valuesAsked(texts))].filter((value) => !value.includes('`'));
  return values.length === 0 || values.length > maxValues
    ? []
    : [`Written exactly so: ${values.map(coded).join(', ')}.`];
}

function messagesLeft(texts: Texts): string[] {
  const added = changedLines(texts.testPatch, '+');
  const inTests = [...added, ...textsIn(added)].join('\n').replaceAll(/\\(["'`])/g, '$1');
  const ofPatterns = partsOfPatterns(inTests);
  return textsIn(changedLines(texts.code, '+').map(withoutComment))
    .filter((text) => text.length <= maxMessage && /\w\W+\w/.test(text) && isAsked(text, inTests, ofPatterns, texts))
    .map((text) =>
      hole.test(text) && !inTests.includes(text)
        ? `A text reads ${coded(filled(text))}, where … stands for what is filled in.`
        : `A text reads ${coded(text)}.`,
    );
}

const maxMessage = 300;
const minMessage = 6;

/** Whether tests compare with a text, or with what stands in it beside what is filled in, and nothing says it. */
function isAsked(text: string, inTests: string, ofPatterns: readonly string[], texts: Texts): boolean {
  if (texts.statement.toLowerCase().includes(text.toLowerCase())) return false;
  if (text.length >= minMessage && /\w\s\w/.test(text) && inTests.includes(text)) return isNewText(text, texts);
  const parts = text.split(everyHole).map((part) => part.trim());
  if (
    parts.some((part) => part.length >= minPart && /\w\s\w/.test(part) && inTests.includes(part) && isNew(part, texts))
  )
    return true;
  if (ofPatterns.some((part) => text.includes(part) && isNew(part, texts))) return true;
  const raw = text.split(everyHole);
  return raw
    .slice(1)
    .some(
      (part, at) =>
        (raw[at] ?? '').length >= 3 &&
        part !== '' &&
        `${raw[at] ?? ''}${part}`.replaceAll(/\W/g, '').length >= 10 &&
        isFilledIn(inTests, raw[at] ?? '', part) &&
        isNew(raw[at] ?? '', texts),
    );
}

/** Also of one that goes over several lines. */
function isNewText(text: string, { code, testPatch }: Texts): boolean {
  const before = [
    ...changedLines(code, '-'),
    ...changedLines(code, ' '),
    ...changedLines(testPatch, '-'),
    ...changedLines(testPatch, ' '),
  ];
  return ![...before, ...textsIn(before)].some((line) => line.includes(text));
}

const everyHole = new RegExp(`${hole.source}|…`, 'g');

/** Texts that are filled in with marks around show these. */
const filled = (text: string) =>
  text.replaceAll(everyHole, (found) => (/![r]\}$|^%r$/.test(found) ? "'…'" : found === '%q' ? '"…"' : '…'));

const literal = /(["'`])((?:(?!\1)[^\\\n]|\\.){1,300})\1/g;

/** What stands between two texts that make one: also with something in the middle. */
const joined = /^\s*[+.\\]?\s*[a-zA-Z]{0,2}$/;
const joinedAround = /^\s*[+.]\s*[\w.$()[\]]{1,40}\s*[+.]\s*$/;
const maxBetween = 80;

/** The texts of lines of code, one where several are put together. */
function textsIn(lines: readonly string[]): string[] {
  const text = lines.map((line) => line.slice(0, 2000)).join('\n');
  const found: { text: string; end: number }[] = [];
  for (const { 0: whole, 2: inner = '', index } of text.matchAll(literal)) {
    const before = found.at(-1);
    const own = inner.replaceAll(/\\(["'`])/g, '$1');
    const between = before && index - before.end <= maxBetween ? text.slice(before.end, index) : null;
    const end = index + whole.length;
    if (before && between !== null && before.text.length < maxMessage && joined.test(between))
      found.splice(-1, 1, { text: before.text + own, end });
    else if (before && between !== null && before.text.length < maxMessage && joinedAround.test(between))
      found.splice(-1, 1, { text: `${before.text}…${own}`, end });
    else found.push({ text: own, end });
  }
  return found.map((each) => each.text);
}
