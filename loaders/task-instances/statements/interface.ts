import { changedLines } from '../changed-lines.ts';
import { definedIn } from '../leaks.ts';
import {
  constantsIn,
  errorsAsked,
  hole,
  isNew,
  namesAsked,
  namesAskedInside,
  valuesAsked,
  variablesIn,
} from './asked.ts';
import { changedFunctions, functionsIn, headsIn, hunksOf, maxOwners, ownersIn, plain } from './definitions.ts';
import type { DefinedFunction, Parameter } from './definitions.ts';
import { namesTest } from './names-test.ts';
import { withoutComment, words, wordsOf } from './told.ts';
import type { Texts } from './told.ts';

const heading = '## Interface\n\nWhat the tests ask for, by the name or in the words that they have for it:\n\n';

/** A statement with what it does not say behind it. */
export function withInterface(given: { statement: string; interface: string }): string {
  if (given.interface === '') return given.statement;
  const fences = given.statement.match(/^[^\S\n]{0,20}```/gm) ?? [];
  return `${given.statement}${fences.length % 2 === 1 ? '\n```' : ''}\n\n${heading}${given.interface}`;
}

/** A statement, and what stands behind it by our own heading. */
export function messageAndInterface(statement: string): { message: string; interface: string } {
  const at = statement.lastIndexOf(heading);
  return at === -1
    ? { message: statement, interface: '' }
    : { message: statement.slice(0, at), interface: statement.slice(at + heading.length) };
}

/** What stands between marks of code in an interface: its names and texts without the words that are ours. */
export const spansOf = (text: string): string[] =>
  Array.from(
    text.matchAll(/(?<!`)(?:`` ([^\n]{1,400}?) ``|`([^`\n]{1,400})`)(?!`)/g),
    ([, double, single]) => double ?? single ?? '',
  );

/** So much is told at most: of a task whose tests ask for more the rest is not told, and it is flagged. */
const maxEntries = 24;
const maxLength = 3000;

/** Of larger patches, with those of their tests, nothing is told: they ask for more than can be said. */
const maxPatchLength = 500_000;

/**
 * What tests ask for by name that the statement does not say, so that nobody has to guess it: new functions with their parameters, options, errors
 * and messages. In words of our own, never in lines of the patch or of its tests; nothing of how it is done. Empty where nothing is left to say.
 */
export function interfaceOf(texts: Texts): string {
  if (texts.patch.length + texts.testPatch.length > maxPatchLength) return '';
  const secret = secretLines(texts);
  const messages = messagesLeft(texts);
  const names = [
    ...functionsAsked(texts),
    ...namesLeft(texts),
    ...errorsAsked(texts).map((kind) => `The tests expect an error of the kind \`${kind}\`.`),
  ];
  const asked = [...names, ...valuesLeft(texts, [...names, ...messages]), ...messages];
  const entries = asked
    .slice(0, 2 * maxEntries)
    .filter(
      (entry) =>
        isPlainText(entry) &&
        !secret.some((line) => entry.includes(line)) &&
        !namesTest({ ...texts, statement: entry }),
    );
  let told = '';
  for (const entry of [...new Set(entries)].slice(0, maxEntries))
    if (told.length + entry.length < maxLength) told += `- ${entry}\n`;
  return told.trimEnd();
}

/** Whether nothing of a fix's code stands in it, as a hole that was not seen has, and nothing that is not seen or breaks its line. */
const isPlainText = (entry: string): boolean => !/[$#]\{|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(entry) && isBalanced(entry);

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const letter of text) {
    if (letter === '{') depth += 1;
    if (letter === '}' && --depth < 0) return false;
  }
  return depth === 0;
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

/** New functions that tests use, and new parameters, that tests give by name, of those that were there. */
function functionsAsked(texts: Texts): string[] {
  const { statement, code, testPatch } = texts;
  const { called, given } = usedIn(testPatch);
  const isNewName = newIn(texts);
  const said = new Set(words(statement));
  const inside = new Set(namesAskedInside(texts).flat());
  const functions = Map.groupBy(functionsIn(code), ({ name }) => name);
  return Array.from(functions, ([name, same]) => {
    const first = oneOf(same);
    const bare = name.replace(/[?!]$/, '');
    if (!first || !called.has(name) || isConstructor(name)) return [];
    if (isNewName(bare)) return said.has(bare) && hasSaid(first, said) ? [] : whole(first);
    const parameters = (first.parameters ?? []).filter(
      (each) => given.has(each.name) && isNewName(each.name) && (!said.has(each.name) || inside.has(each.name)),
    );
    if (parameters.length > 0) return `\`${name}\` takes ${listed(parameters.map(parameter))}.`;
    return first.isAdded && words(first.gives).some((type) => isNewName(type)) ? whole(first, 'Changed is the') : [];
  }).flat();
}

/** A function of its name; of several all that is known is that name. Nothing of what is private. */
function oneOf(same: readonly DefinedFunction[]): DefinedFunction | null {
  const [first] = same;
  if (!first || same.some(({ isPrivate }) => isPrivate)) return null;
  const isMember = same.some((each) => each.isMember);
  return same.length === 1 ? first : { ...first, owner: null, gives: '', parameters: null, isMember };
}

/** What added lines of tests call, import, make or have as a member, and what they give by name: not what they define, nor what stands in texts. */
function usedIn(testPatch: string): { called: ReadonlySet<string>; given: ReadonlySet<string> } {
  const lines = linesOf(testPatch).map((line) => withoutComment(line).replaceAll(inMarksOfText, "''"));
  const own = new Set(lines.flatMap((line) => headsIn(line).map(({ name }) => name)));
  const code = lines.join('\n');
  const called = Array.from(
    code.matchAll(
      /(?<![\w$])([A-Za-z_$][\w$]{0,100}[?!]?)\(|(?:\.|->|::|\bnew )([A-Za-z_$][\w$]{0,100}[?!]?)|(?<![\w$.])([a-z_]\w{0,100}[?!])(?=\s|$)/gm,
    ),
    ([, call, member, asked]) => call ?? member ?? asked ?? '',
  );
  const imported = lines.filter((line) => /^\s*(?:import|from|use|export)\b|\brequire\(/.test(line)).flatMap(words);
  const given = Array.from(
    code.matchAll(/[({,]\s{0,80}([A-Za-z_]\w{0,100})(?:=(?![=\s>])|:(?![:=]))/g),
    ([, name = '']) => name,
  );
  return { called: new Set([...called, ...imported].filter((name) => !own.has(name))), given: new Set(given) };
}

const inMarksOfText = /(["'`])(?:(?!\1)[^\\\n]|\\.){0,300}\1/g;

/** What languages call by themselves, or whatever uses a class. */
const isConstructor = (name: string) => /^(__\w+__|constructor|__construct|initialize|new|init|main)$/.test(name);

const hasSaid = ({ parameters }: DefinedFunction, said: ReadonlySet<string>): boolean =>
  parameters === null || parameters.every(({ name }) => said.has(name));

function whole({ name, owner, parameters, gives, isMember }: DefinedFunction, begin = 'New is a'): string {
  if (isMember || parameters?.length === 0) return `New is \`${name}\`, which the tests use.`;
  const of = owner === null || owner.startsWith('_') ? '' : ` of \`${owner}\``;
  if (parameters === null) return `${begin} function \`${name}\`${of}.`;
  const given = gives === '' ? '' : ` and gives \`${gives}\``;
  return `${begin} function \`${name}\`${of}, which takes ${listed(parameters.map(parameter))}${given}.`;
}

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

/** Longer lines are written by no person. */
const maxLine = 500;
const linesOf = (diff: string): string[] => changedLines(diff, '+').filter(({ length }) => length < maxLine);

/** Names other than those of functions and their parameters. */
function namesLeft(texts: Texts): string[] {
  const { statement, code } = texts;
  const functions = functionsAsked(texts).join('\n');
  const takers = functionsIn(code);
  const { called } = usedIn(texts.testPatch);
  const ofFunctions = new Set(takers.map(({ name }) => name));
  const hidden = new Set(takers.flatMap(({ name, isPrivate }) => (isPrivate ? name : [])));
  const wholeNames = new Set(
    changedLines(texts.testPatch, '+')
      .join('\n')
      .match(/[\p{L}_$][\p{L}\p{N}_$]*/gu),
  );
  const isWholeName = (name: string) => !hidden.has(name) && (!/^\w+$/.test(name) || wholeNames.has(name));
  const names = namesAsked({ ...texts, statement: `${statement}\n${functions}` }).filter(
    (name) => !isConstructor(name) && (!ofFunctions.has(name) || called.has(name)) && isWholeName(name),
  );
  const variables = new Set(variablesIn(code));
  const added = linesOf(code).map(withoutComment);
  const isDefined = new Set([...definedIn(code, '+'), ...constantsIn(code)]);
  const owners = ownersIn(code);
  return [
    ...names.slice(0, maxEntries).map((name) => {
      if (variables.has(name)) return `A variable of the environment is \`${name}\`.`;
      const kind = kinds.find(([form]) => {
        // Bounded: lines that linesOf gives.
        const own = new RegExp(form.source.replace('NAME', name.replaceAll('$', String.raw`\$`)));
        return added.some((line) => line.includes(name) && own.test(line));
      });
      if (kind) return `New is ${kind[1]} \`${name}\`${takenBy(name, takers)}.`;
      const value = defaultOf(name, added);
      const owner = owned(owners.get(name));
      if (value !== null) return `An option or parameter${owner} is \`${name}\` (${coded(value)} by default).`;
      return isDefined.has(name)
        ? `New is \`${name}\`, which the tests use.`
        : `An option, parameter or member${owner} is \`${name}\`.`;
    }),
    ...(names.length > 0 || functions !== '' ? [] : callsLeft(texts)),
  ];
}

const owned = (owners: ReadonlySet<string> = new Set()): string =>
  owners.size === 0 || owners.size > maxOwners ? '' : ` of ${inMarks([...owners])}`;

/** Where a class is made of what is given to it. */
function takenBy(name: string, functions: readonly DefinedFunction[]): string {
  const made = functions.filter((each) => isConstructor(each.name) && each.isAdded);
  const [one] = made;
  return made.length === 1 && one?.parameters && one.parameters.length > 0 && /^[A-Z]/.test(name)
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
  ];
  // Bounded: lines that linesOf gives.
  const patterns = forms.map((form) => new RegExp(form));
  for (const line of added.filter((each) => each.includes(name)))
    for (const pattern of patterns) {
      const value = pattern.exec(line)?.[1]?.trim() ?? '';
      if (plain.test(value)) return value;
    }
  return null;
}

/** More names of what is called would be a list of where to look. */
const maxCalls = 2;

/** Functions that were there, in which the fix changes something and which its tests call, where the statement names none that they call. */
function callsLeft({ statement, code, testPatch }: Texts): string[] {
  const called = new Set(
    changedLines(testPatch, '+')
      .flatMap((line) =>
        Array.from(line.slice(0, 1000).matchAll(/(?<![\w$])([A-Za-z_$][\w$]{0,100})\(/g), ([, name = '']) => name),
      )
      .filter((name) => name.length >= 3),
  );
  const said = new Set(words(statement).map((word) => word.toLowerCase()));
  if ([...called].some((name) => said.has(name.toLowerCase()))) return [];
  const hidden = new Set(functionsIn(code).flatMap(({ name, isPrivate }) => (isPrivate ? name : [])));
  const own = changedFunctions(code).filter((name) => called.has(name) && !hidden.has(name) && !isConstructor(name));
  const given = optionsGiven({ statement, testPatch });
  return [
    ...(own.length > 0 && own.length <= maxCalls ? [`The tests call ${inMarks(own)}.`] : []),
    ...(given.length > 0 && given.length <= maxGiven ? [`The tests give ${inMarks(given)}.`] : []),
  ];
}

const inMarks = (names: readonly string[]): string => listed(names.map((name) => `\`${name}\``));

/** More are what any test gives. */
const maxGiven = 3;

/** What tests give by name that are no single words, and do not declare: in which case something is wrong. */
function optionsGiven({ statement, testPatch }: Pick<Texts, 'statement' | 'testPatch'>): string[] {
  const lines = linesOf(testPatch).map(withoutComment);
  const before = new Set(words(changedLines(testPatch, '-').join('\n')));
  const own = new Set(
    lines.flatMap((line) => /^\s*(?:(?:const|let|var)\s+)?(\w+)\s*(?::\s*[\w.]+\s*)?:?=/.exec(line)?.[1] ?? []),
  );
  const given = lines.flatMap((line) => Array.from(line.matchAll(/[({,]\s?(\w+)=(?!=)/g), ([, name = '']) => name));
  const said = new Set(words(statement));
  return [...new Set(given)].filter(
    (name) =>
      /[a-z]_[a-z]|[a-z][A-Z]/.test(name) &&
      !/^test|mock|expect/i.test(name) &&
      !own.has(name) &&
      !said.has(name) &&
      !before.has(name),
  );
}

/** More are no interface, but what is to be found out. */
const maxValues = 8;

/** Of so many some may stand in others; of more what is left is too many. */
const maxCompared = 100;

/** Values, constants and pieces of output that tests compare with and the fix writes down. */
function valuesLeft(texts: Texts, told: readonly string[]): string[] {
  const written = [...new Set([...valuesAsked(texts), ...constantsAsked(texts), ...piecesAsked(texts)])];
  const all = written.filter((value) => !value.includes('`'));
  if (all.length > maxCompared) return [];
  // What stands in another text is said there.
  const values = all.filter((value) => ![...all, ...told].some((other) => other !== value && other.includes(value)));
  return values.length === 0 || values.length > maxValues
    ? []
    : [`Written exactly so: ${values.map(coded).join(', ')}.`];
}

const constant = /(?<![\w.])(?:[a-z]\w{0,60}\.[A-Z]\w{2,60}|[A-Z]\w{0,60}\.[A-Z][A-Z\d_]{2,60})(?![\w(.])/g;

/** Constants of others, such as `http.StatusBadGateway`, that tests and fix have and neither had. */
function constantsAsked({ statement, code, testPatch }: Texts): string[] {
  const constants = (diff: string, sign: '+' | '-' | ' ') =>
    changedLines(diff, sign).flatMap((line) => withoutComment(line).match(constant) ?? []);
  const asked = new Set(constants(testPatch, '+'));
  const said = new Set(words(statement));
  const before = new Set(
    ([code, testPatch] as const).flatMap((diff) => [...constants(diff, '-'), ...constants(diff, ' ')]),
  );
  return [...new Set(constants(code, '+'))].filter(
    (name) => asked.has(name) && !before.has(name) && !said.has(name.split('.')[1] ?? ''),
  );
}

/** Shorter ones, and those of a word alone, stand in any text. */
const minPiece = 5;

/** Pieces of output without a space, such as `[=true|false]`, that stand in the tests' texts. */
function piecesAsked(texts: Texts): string[] {
  const inTests = changedLines(texts.testPatch, '+').map(withoutComment).join('\n');
  return textsIn(texts.code, '+').filter(
    (text) =>
      text.length >= minPiece &&
      text.length <= 60 &&
      /^[^\s\\]+$/.test(text) &&
      /\W.*\W/.test(text) &&
      /\w{2}/.test(text) &&
      !hole.test(text) &&
      !/^[./@]|\/.*\//.test(text) &&
      inTests.includes(text) &&
      isNew(text, texts),
  );
}

const maxMessage = 300;
const minMessage = 6;
const isInWords = (text: string): boolean => /\w[\s…]+\w/.test(text);

/** What tests compare with of the fix's texts of more than a word; what is filled in stands as three dots. */
function messagesLeft(texts: Texts): string[] {
  const added = changedLines(texts.testPatch, '+');
  const inTests = [...textsIn(texts.testPatch, '+'), ...patternsIn(added).slice(0, maxTexts)].filter(
    (text) => text.length >= minMessage && isInWords(text),
  );
  const raw = added.join('\n').replaceAll(/\\(["'`])/g, '$1');
  const before = (['-', ' '] as const).flatMap((sign) => textsIn(texts.code, sign)).map(shown);
  const known = new Set(before);
  const said = texts.statement.toLowerCase();
  const told = textsIn(texts.code, '+')
    .filter((text) => text.length >= minMessage && text.length <= maxMessage && isInWords(text))
    .filter((text) => !known.has(shown(text)) && !said.includes(text.toLowerCase()))
    .flatMap((text) => asTestsHaveIt(text, inTests, raw) ?? [])
    .filter((text) => !said.includes(text.toLowerCase()) && !before.some((other) => other.includes(text)));
  return [...new Set(told)].map((text) =>
    text.includes('…')
      ? `A text reads ${coded(text)}, where … stands for what is filled in, or for more.`
      : `A text reads ${coded(text)}.`,
  );
}

/** So many letters beside what is filled in tell one text from others. */
const minLetters = 10;
const everyHole = new RegExp(`${hole.source}|…`, 'g');
const shown = (text: string): string => text.replaceAll(everyHole, '…').replaceAll(/…[…\s]*…/g, '…');

/** A text of the fix as tests ask for it: whole, filled in, or a part of it; null where they don't. */
function asTestsHaveIt(text: string, inTests: readonly string[], raw: string): string | null {
  if (raw.includes(text)) return text;
  const parts = text.split(everyHole);
  if (parts.length > 1 && parts.join('').replaceAll(/\W/g, '').length >= minLetters)
    for (const asked of inTests) {
      const form = filledIn(parts, asked);
      if (form !== null) return form;
    }
  const isPartOf = (asked: string) => asked.length >= minLetters && parts.some((part) => part.includes(asked));
  const longest = inTests.filter(isPartOf).toSorted((one, other) => other.length - one.length)[0];
  return longest === undefined ? null : aroundPart(text, longest);
}

/** A part of a text, with dots for what stands before and behind it. */
const aroundPart = (text: string, part: string): string =>
  `${text.startsWith(part) ? '' : '…'}${part}${text.endsWith(part) ? '' : '…'}`;

/** The parts of a text as another has them, one behind the other: with dots for what stands between; null where it has not. */
function filledIn(parts: readonly string[], asked: string): string | null {
  let form = '';
  let at = 0;
  for (const [number, part] of parts.entries()) {
    if (part === '') continue;
    const found = asked.indexOf(part, at);
    if (found === -1 || (number === 0 && found > maxBefore)) return null;
    form += (number === 0 ? '' : between(asked.slice(at, found))) + part;
    at = found + part.length;
  }
  return (form + (parts.at(-1) === '' ? between(asked.slice(at)) : '')).trim();
}

/** Where a text begins, there may stand whose it is. */
const maxBefore = 40;

/** What is filled in, without what it says: marks around it are kept. */
function between(text: string): string {
  if (text === '') return '';
  const [, mark] = /^(["'`]).*\1$/.exec(text) ?? [];
  return mark === undefined ? '…' : `${mark}…${mark}`;
}

/** What patterns of tests have in words: in JavaScript between slashes. */
const patternsIn = (lines: readonly string[]): string[] =>
  lines.flatMap((line) =>
    Array.from(
      line.slice(0, 2000).matchAll(/(?<=[(=,:]\s?)\/([^/\n]{6,200})\/|(["'])((?:(?!\2)[^\n]){6,200})\2/g),
      ([, one, , other]) => (one ?? other ?? '').split(/\\.|[.^$*+?()[\]{}|]+/).map((part) => part.trim()),
    ).flat(),
  );

const literal = /(["'`])((?:(?!\1)[^\\\n]|\\.){0,300})\1/g;

/** What stands between two texts that make one: also with something in the middle. */
const joined = /^\)?\s{0,40}[+.\\]?\s{0,40}[a-zA-Z]{0,2}$/;
const joinedAround = /^(?=[^+]*\+)[\s+\w.$()[\]?:!&|]{1,80}$/;
const maxBetween = 80;

/** Nobody compares more. */
const maxTexts = 500;

interface FoundText {
  text: string;
  end: number;
  /** Whether it is one of two, of which the other is still to come: `is ? 'so' : 'other'`. */
  isChosen: boolean;
}

/** The texts of lines of code, one where several are put together. */
const textsIn = (diff: string, sign: '+' | '-' | ' '): string[] =>
  runsOf(diff, sign)
    .flatMap((lines) => textsOfRun(lines.map(withoutComment)))
    .slice(0, maxTexts);

/** Lines with a sign that follow each other. */
function runsOf(diff: string, sign: '+' | '-' | ' '): string[][] {
  const runs: string[][] = [];
  for (const { lines } of hunksOf(diff))
    for (const [at, line] of lines.entries()) {
      if (line.sign !== sign) continue;
      const run = runs.at(-1);
      if (run && at > 0 && lines[at - 1]?.sign === sign) run.push(line.text);
      else runs.push([line.text]);
    }
  return runs;
}

function textsOfRun(lines: readonly string[]): string[] {
  const text = lines.map((line) => line.slice(0, 2000)).join('\n');
  const found: FoundText[] = [];
  for (const { 0: whole, 2: inner = '', index } of text.matchAll(literal)) {
    if (found.length >= maxTexts) break;
    const before = found.at(-1);
    const own = { text: inner.replaceAll(/\\(["'`])/g, '$1'), end: index + whole.length, isChosen: false };
    const gap = before && index - before.end <= maxBetween ? text.slice(before.end, index) : null;
    const one = before && gap !== null && before.text.length < maxMessage ? putTogether(before, gap, own) : null;
    if (one) found.splice(-1, 1, one);
    else found.push(own);
  }
  return found.map((each) => each.text);
}

function putTogether(before: FoundText, gap: string, own: FoundText): FoundText | null {
  if (before.isChosen && /^\s*:\s*$/.test(gap)) return { ...own, text: `${before.text}…` };
  if (joined.test(gap)) return { ...own, text: before.text + own.text };
  const isChosen = gap.includes('?');
  return joinedAround.test(gap) ? { text: `${before.text}…${isChosen ? '' : own.text}`, end: own.end, isChosen } : null;
}
