import { languageOf } from '../../snapshot/language-of.ts';
import { patchSections } from '../patch-sections.ts';
import { withoutComment } from './told.ts';

/** A parameter as its definition has it. */
export interface Parameter {
  name: string;
  /** Where callers have to know it to compile. */
  type: string;
  /** As it is written; null where there is none. */
  default: string | null;
}

/** A function that a fix defines, or changes. */
export interface DefinedFunction {
  name: string;
  /** The type or object that has it; null where that is not seen. */
  owner: string | null;
  /** What comes of it, where callers have to know that to compile. */
  gives: string;
  /** Null where not all of them are read. */
  parameters: Parameter[] | null;
  /** Whether it is used as what has a value. */
  isMember: boolean;
  isPrivate: boolean;
  /** Whether its first line is one that the fix adds. */
  isAdded: boolean;
}

/** Where callers give what has a type, that stands on this side of a parameter's name. */
const typed: Readonly<Record<string, 'before' | 'behind' | undefined>> = {
  Go: 'behind',
  Rust: 'behind',
  Kotlin: 'behind',
  Scala: 'behind',
  Swift: 'behind',
  Java: 'before',
  'C#': 'before',
};

/** What stands before the parameters of a function. */
const heads: readonly RegExp[] = [
  /\bdef\s{1,8}(?:self\.)?(?<name>[A-Za-z_]\w{0,80}[?!]?)\s{0,8}(?=\()/g,
  /\bfunction\*?\s{1,8}&?(?<name>[A-Za-z_$][\w$]{0,80})\s{0,8}(?:<[^<>()]{0,80}>)?\s{0,8}(?=\()/g,
  /\bfunc\s{1,8}(?:\((?<go>[^()]{0,80})\)\s{0,8})?(?<name>[A-Za-z_]\w{0,80})\s{0,8}(?:\[[^[\]]{0,80}\])?(?=\()/g,
  /\bfn\s{1,8}(?<name>[a-z_]\w{0,80})\s{0,8}(?:<[^<>()]{0,80}>)?(?=\()/g,
  /\bfun\s{1,8}(?:<[^<>()]{0,80}>\s{1,8})?(?:\w{1,80}\.)?(?<name>[A-Za-z_]\w{0,80})\s{0,8}(?=\()/g,
  /(?:\b(?<js>[A-Za-z_$][\w$]{0,80})(?:\.prototype)?)?\.(?<name>[A-Za-z_$][\w$]{0,80})\s{0,8}=\s{0,8}(?:async\s{1,8})?(?:function\b\*?\s{0,8}[\w$]{0,80}\s{0,8})?(?=\()/g,
  /\b(?:const|let|var)\s{1,8}(?<name>[A-Za-z_$][\w$]{0,80})\s{0,8}=\s{0,8}(?:async\s{1,8})?(?:function\b\*?\s{0,8}[\w$]{0,80}\s{0,8})?(?=\()/g,
  /^[ \t]{0,80}(?:(?:public|private|protected|static|async|override|final|abstract|synchronized|get|set)\s{1,8}){0,6}(?:(?:[A-Z][\w<>[\], ]{0,80}|int|long|short|byte|char|float|double|boolean|bool|string|void)(?:\[\])?\s)?(?!(?:if|for|while|switch|catch|function|return|with|else|do|new|throw|await|yield)\b)(?<name>[A-Za-z_$][\w$]{0,80})\s{0,8}(?=\([^()]{0,300}\)\s{0,8}(?::[^{};=]{1,80})?\{)/g,
];

/** Longer lists of parameters are not read. */
const maxList = 1000;

/** The functions that the new side of a fix's hunks defines. */
export function functionsIn(code: string): DefinedFunction[] {
  return patchSections(code).flatMap(({ text, paths }) => {
    const language = languageOf(paths[0] ?? '') ?? '';
    const types = typed[language];
    return hunksOf(text).flatMap(({ header, lines }) => {
      const kept = lines.filter(({ sign }) => sign !== '-');
      const rest = restOf(kept.map((line) => withoutComment(line.text)));
      let inClass = classAt(header);
      return kept.flatMap((line, at) => {
        inClass = classAt(line.text) ?? inClass;
        const within = inClass !== null && indentOf(line.text) > inClass.indent ? inClass.name : null;
        return headsIn(withoutComment(line.text)).flatMap(({ name, owner, end }) => {
          const code = rest(at);
          const close = closeOf(code, end);
          const parameters = close === null ? null : parametersOf(code.slice(end + 1, close), language);
          const gives = types === 'behind' && close !== null ? givenBehind(code, close) : '';
          const isMember =
            /\b[gs]et\s+[\w$]+\s*\(/.test(line.text.slice(0, maxLine)) || isProperty(kept[at - 1]?.text ?? '');
          const isPrivate = /\bprivate\b/.test(line.text.slice(0, end));
          return { name, owner: owner ?? within, parameters, gives, isMember, isPrivate, isAdded: line.sign === '+' };
        });
      });
    });
  });
}

const isProperty = (line: string): boolean => /^\s*@(?:\w+\.)?(?:cached_)?property\b/.test(line.slice(0, maxLine));

const indentOf = (line: string): number => line.search(/\S|$/);

/** More have a name by chance. */
export const maxOwners = 3;

/** The classes in which a fix writes a line that begins with a name, by that name: of too many, one more than that. */
export function ownersIn(code: string): Map<string, ReadonlySet<string>> {
  const owners = new Map<string, Set<string>>();
  for (const { header, lines } of hunksOf(code)) {
    let inClass = classAt(header);
    for (const { sign, text } of lines) {
      inClass = classAt(text) ?? inClass;
      const [, name] = /^\s+(?:(?:self|this)\.)?([A-Za-z_]\w{0,100})\b/.exec(text.slice(0, maxLine)) ?? [];
      if (sign !== '+' || name === undefined || inClass === null || indentOf(text) <= inClass.indent) continue;
      const known = owners.get(name);
      if (!known) owners.set(name, new Set([inClass.name]));
      else if (known.size <= maxOwners) known.add(inClass.name);
    }
  }
  return owners;
}

/** The class, or the type that is one elsewhere, that begins in a line. */
function classAt(line: string): { name: string; indent: number } | null {
  const [, name] =
    /^\s*(?:(?:export|default|public|final|abstract|pub)\s+){0,4}(?:class|trait|interface|struct|type(?=\s+\w+\s+(?:struct|interface)\b))\s+([A-Za-z_]\w{0,80})/.exec(
      line.slice(0, maxLine),
    ) ?? [];
  return name === undefined ? null : { name, indent: indentOf(line) };
}

/** What stands between the parameters of a function and its body; nothing where that has braces itself, or is no simple type. */
function givenBehind(text: string, close: number): string {
  const given =
    /^\)\s{0,8}(?:(?:->|:)\s{0,8})?([^{\n]{1,80})\{(?!\})/.exec(text.slice(close, close + 100))?.[1]?.trim() ?? '';
  return /^(?:[\w.*[\]<>?, ]|\([\w.*[\]<>?, ]{0,80}\)){1,80}$/.test(given) ? given : '';
}

/** The names of functions in which a fix changes something, by the lines above that git shows. */
export function changedFunctions(code: string): string[] {
  const names = hunksOf(code).flatMap(({ header, lines }) => {
    let current = headsIn(header).at(-1)?.name;
    return lines.flatMap(({ sign, text }) => {
      current = headsIn(text).at(-1)?.name ?? current;
      return sign === ' ' || current === undefined || text.trim() === '' ? [] : current;
    });
  });
  return [...new Set(names)];
}

interface Hunk {
  /** What git says it is in. */
  header: string;
  lines: { sign: string; text: string }[];
}

export function hunksOf(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  let isIn = false;
  for (const line of diff.split('\n')) {
    const [, header] = /^@@ [^@]{1,80} @@ ?(.*)$/.exec(line) ?? [];
    if (line.startsWith('diff --git ')) isIn = false;
    if (header !== undefined) {
      isIn = true;
      hunks.push({ header, lines: [] });
    } else if (isIn && /^[-+ ]/.test(line)) hunks.at(-1)?.lines.push({ sign: line.charAt(0), text: line.slice(1) });
  }
  return hunks;
}

/** Longer lines are written by no person. */
const maxLine = 2000;

interface Head {
  name: string;
  owner: string | null;
  end: number;
}

/** More no line has that people write. */
const maxHeads = 20;

export const headsIn = (line: string): Head[] =>
  line.length > maxLine ? [] : onePerEnd(heads.flatMap((form) => firstOf(line.matchAll(form)))).slice(0, maxHeads);

/** `basket.count = function count(` is one function, and the one that has an owner. */
const onePerEnd = (found: readonly Head[]): Head[] =>
  [...Map.groupBy(found, ({ end }) => end).values()].flatMap(
    (same) => same.find(({ owner }) => owner !== null) ?? same[0] ?? [],
  );

function firstOf(matches: Iterable<RegExpExecArray>): Head[] {
  const found: Head[] = [];
  for (const match of matches) if (found.push(headOf(match)) >= maxHeads) break;
  return found;
}

const headOf = ({ 0: head, groups = {}, index }: RegExpExecArray): Head => ({
  name: groups['name'] ?? '',
  // `c *Context` of Go, `res.send` of JavaScript.
  owner: /([A-Za-z]\w{0,80})(?:\[.{0,80})?$/.exec(groups['go'] ?? '')?.[1] ?? ownerIn(groups['js'] ?? ''),
  end: index + head.length,
});

const ownerIn = (object: string): string | null => (/^(exports|module|this|self|)$/.test(object) ? null : object);

/** Text from a line on, as far as a list of parameters may go. */
const restOf = (lines: readonly string[]) => (from: number) => {
  let text = '';
  for (let at = from; at < lines.length && text.length < maxList; at++)
    text += `${(lines[at] ?? '').slice(0, maxLine)}\n`;
  return text;
};

const opening = '([{<';
const closing = ')]}>';

/** Where the parentheses close that open there; null where they don't. */
function closeOf(text: string, open: number): number | null {
  let depth = 0;
  for (let at = open; at < text.length && at < open + maxList; at++) {
    const letter = text.charAt(at);
    if (letter === '"' || letter === "'" || letter === '`') {
      const end = text.indexOf(letter, at + 1);
      if (end === -1) return null;
      at = end;
    } else if (isOpening(text, at)) depth += 1;
    else if (isClosing(text, at) && --depth === 0) return at;
  }
  return null;
}

/** `->` and `=>` close nothing. */
const isOpening = (text: string, at: number) => opening.includes(text.charAt(at));
const isClosing = (text: string, at: number) =>
  closing.includes(text.charAt(at)) && !(text.charAt(at) === '>' && /[-=]/.test(text.charAt(at - 1)));

/** The parts of a list between its commas, outside of what is within. */
function partsOf(list: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < list.length; at++) {
    const letter = list.charAt(at);
    if (letter === ',') {
      parts.push(list.slice(start, at));
      start = at + 1;
    } else if (isOpening(list, at)) at = closeOf(list, at) ?? list.length;
    else if (letter === '"' || letter === "'") {
      const end = list.indexOf(letter, at + 1);
      at = end === -1 ? list.length : end;
    }
  }
  return [...parts, list.slice(start)].map((part) => part.trim()).filter((part) => part !== '');
}

const simpleType = String.raw`[\w.?*[\]<>|, ]{1,80}`;

/** A parameter as it is simply written, without what it is by default; of other languages nothing is read. */
const grammars: Readonly<Record<string, RegExp | undefined>> = {
  Python: new RegExp(String.raw`^(?<name>\w{1,80})(?:: ?${simpleType})?$`),
  TypeScript: new RegExp(String.raw`^(?<name>[\w$]{1,80})\??(?:: ?${simpleType})?$`),
  JavaScript: /^(?<name>[\w$]{1,80})$/,
  Ruby: /^(?<name>\w{1,80})$/,
  PHP: /^(?:[?\w\\|]{1,60} )?\$(?<name>\w{1,80})$/,
  Go: new RegExp(String.raw`^(?<name>\w{1,80}) (?<type>${simpleType})$`),
  Rust: new RegExp(String.raw`^(?<name>\w{1,80}): ?(?<type>${simpleType})$`),
  Kotlin: new RegExp(String.raw`^(?<name>\w{1,80}): ?(?<type>${simpleType})$`),
};

/** The parameters of a list all of whose parts are simply written; null of any other. */
function parametersOf(list: string, language: string): Parameter[] | null {
  const parameters: Parameter[] = [];
  for (const part of partsOf(list).map((each) => each.replaceAll(/\s+/g, ' '))) {
    if (/^(?:&?self|this|cls)$/.test(part)) continue;
    // Options that are taken apart are as good as parameters.
    const [, options] = /^\{([^{}]{0,500})\}(?: ?= ?\{\})?$/.exec(part) ?? [];
    const own = options === undefined ? parameterOf(part, language) : parametersOf(options, 'JavaScript');
    if (own === null) return null;
    parameters.push(...[own].flat());
  }
  return parameters;
}

function parameterOf(part: string, language: string): Parameter | null {
  const at = part.indexOf('=');
  const head = (at === -1 ? part : part.slice(0, at)).trim();
  const value = at === -1 ? null : part.slice(at + 1).trim();
  if (head.includes('..') || (value !== null && !plain.test(value) && !/^[A-Za-z_][\w.]{0,80}$/.test(value)))
    return null;
  if (typed[language] === 'before') {
    const end = head.lastIndexOf(' ');
    const [type, name] = [head.slice(0, Math.max(end, 0)), head.slice(end + 1)];
    return isSimpleType.test(type) && /^\w{1,80}$/.test(name) ? { name, type, default: value } : null;
  }
  const { name, type = '' } = grammars[language]?.exec(head)?.groups ?? {};
  return name === undefined ? null : { name, type, default: value };
}

const isSimpleType = new RegExp(`^${simpleType}$`);

/** What stands for itself, and is no name of something within. */
export const plain =
  /^(?:-?\d[\w.]{0,20}|None|True|False|null|nil|true|false|undefined|\[\]|\{\}|\(\)|(["'])(?:(?!\1)[^\\\n]){0,60}\1)$/;
