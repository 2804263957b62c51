import { Conditions } from '../reading/conditions.ts';

/** A macro as one `#define` says it; without parameters where it takes none. */
export interface MacroDefinition {
  name: string;
  parameters?: string[];
  body: string;
  /** More than 0 where an ordinary build on Linux comes by less likely. */
  rank?: number;
}

/** How a macro is read: what stands in its place, and where that is done. */
export interface Macro {
  name: string;
  parameters?: string[];
  /**
   * mark: says how something is linked, seen or checked, and is left out; text: replaced wherever it stands; declaration: replaced where
   * declarations stand; head: likewise, before a body; statement: replaced where a statement begins.
   */
  kind: 'mark' | 'text' | 'declaration' | 'head' | 'statement';
  body: string;
}

/** A longer body is no part of the grammar: it is code. */
const maxBody = 4_000;
/** Macros in macros are followed so far. */
const maxNesting = 8;
/** Characters that the arguments and macros in one use may make; then their names stay. */
const maxExpansion = 16_000;

const keywords = new Set(
  (
    'auto bool break case catch char class const constexpr continue default delete do double else enum extern false float for goto ' +
    'if int long namespace new nullptr operator private protected public return short signed sizeof static struct switch template ' +
    'this throw true try typedef typename union unsigned using virtual void volatile while defined'
  ).split(' '),
);

/** A macro with its name, parameters and body, or a conditional with all behind it. */
const directive =
  /^[ \t]*#[ \t]*(?:(define)[ \t]+([A-Za-z_]\w*)(?:\(([\w\s,.\\]*)\))?((?:[ \t]|\/\*|\\\r?\n)(?:[^\n\\]+|\\(?:\r?\n|.))*)?|(?:if|el|endif)\w*\b(?:[^\n\\]+|\\(?:\r?\n|.))*)/gm;

/** What each `#define` of a file says that can matter to how others are read: of plain values there are too many. */
export function macrosIn(source: string): MacroDefinition[] {
  const found: MacroDefinition[] = [];
  const conditions = new Conditions();
  for (const [whole, word = '', name = '', list, rest = ''] of source.matchAll(directive)) {
    if (word !== 'define') {
      const text = whole.trimStart();
      conditions.meet(/\w+/.exec(text)?.[0] ?? '', text);
      continue;
    }
    if (keywords.has(name) || rest.length > maxBody) continue;
    // Bounded: a body has at most maxBody characters.
    const body = rest
      .replace(/\\\r?\n/g, ' ')
      .replace(/\/\*.*?(?:\*\/|$)|\/\/.*$/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    if (list === undefined && /^(?:[-+(\s]*[\d'"L].*|[A-Za-z_]\w*_H_{0,2})$/.test(body)) continue;
    if (list === undefined && body === '' && /(?:_H|_HPP|_HH|INCLUDED)_*$/i.test(name)) continue;
    const parameters = list?.split(',').map((one) => one.replace(/\\/g, '').trim());
    const { rank } = conditions;
    found.push({
      name,
      ...(parameters && {
        parameters: parameters.filter((one) => one !== '').map((one) => (one === '...' ? '__VA_ARGS__' : one)),
      }),
      body,
      ...(rank > 0 && { rank }),
    });
  }
  return found;
}

const markWords =
  /^(?:inline|__inline|__inline__|__forceinline|extern|const|constexpr|consteval|constinit|noexcept|override|final|virtual|explicit|volatile|register|restrict|__restrict|__restrict__|thread_local|__thread|_Thread_local|_Noreturn|__extension__|__cdecl|__stdcall|__fastcall|__vectorcall|WINAPI|APIENTRY|CALLBACK)$/;
const groupWords =
  /^(?:__attribute__|__attribute|__declspec|_declspec|alignas|_Alignas|_Pragma|__pragma|noexcept|throw|__asm__|__asm|asm)$/;

/** A word, a string, a number, an attribute's brackets, or one mark. */
const token = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Za-z_]\w*|\d(?:[\w.]|'\w)*|\[\[|\]\]|::|->|##|[^\s]/g;

export const tokensOf = (text: string): string[] => text.match(token) ?? [];

/** What is asked of macros. */
export interface MacroTable {
  /** How this name is to be read; null for what is no macro, or code that the grammar takes as it stands. */
  of(name: string): Macro | null;
}

/** All macros of a repository, by name: those that its files say as one. */
export class Macros implements MacroTable {
  readonly #definitions: ReadonlyMap<string, readonly MacroDefinition[]>;
  readonly #shared: MacroTable | null;
  readonly #read = new Map<string, Macro | null>();
  readonly #open = new Set<string>();

  /** `shared`: what the other files say, which counts where these say nothing. */
  constructor(definitions: readonly MacroDefinition[], shared: MacroTable | null = null) {
    this.#shared = shared;
    this.#definitions = Map.groupBy(definitions, ({ name }) => name);
  }

  of(name: string): Macro | null {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const definitions = this.#definitions.get(name);
    if (!definitions && this.#shared) return this.#shared.of(name);
    if (!definitions || this.#open.has(name) || this.#open.size > maxNesting) return null;
    this.#open.add(name);
    const macro = this.#together(definitions);
    this.#open.delete(name);
    this.#read.set(name, macro);
    return macro;
  }

  /** What several definitions, one a platform, are together. */
  #together(all: readonly MacroDefinition[]): Macro | null {
    const isCalled = all[0]?.parameters !== undefined;
    const ranks = [...new Set(all.map(({ rank = 0 }) => rank))].sort((a, b) => a - b);
    for (const lowest of ranks) {
      const macro = this.#ofOneBuild(
        all.filter(({ rank = 0 }) => rank === lowest),
        all,
        isCalled,
      );
      if (macro) return macro;
    }
    return null;
  }

  /** `equals` are as likely as each other. */
  #ofOneBuild(equals: readonly MacroDefinition[], all: readonly MacroDefinition[], isCalled: boolean): Macro | null {
    const definitions = equals.filter((one) => (one.parameters !== undefined) === isCalled);
    const [{ name, parameters } = { name: '' }] = definitions;
    const read = definitions.map((one) => this.#kindOf(one));
    const marks = read.filter((one) => one?.kind === 'mark');
    const others = read.filter((one) => one !== null && one.kind !== 'mark');
    const [other] = others;
    if (other && (others.length + marks.length === read.length || (isCalled && other.kind === 'text'))) return other;
    if (marks.length === 0) return null;
    // A log that release builds leave out is no mark: what it is given is called elsewhere.
    const isMark =
      isCalled && /[A-Z]|^_/.test(name) && all.every(({ body, rank = 0 }) => rank > 1 || this.#markOf(body) !== null);
    const looksMarked = !isCalled || isMark;
    const unclear = definitions.filter((_, index) => read[index] === null);
    if (!looksMarked || !unclear.every(({ body }) => /^[\w\s]+(?:\([^()]*\))?$/.test(body))) return null;
    const isStatic = marks.every((one) => one?.body === 'static');
    return {
      name,
      ...(parameters ? { parameters } : {}),
      kind: isStatic ? 'text' : 'mark',
      body: isStatic ? 'static' : '',
    };
  }

  #kindOf(definition: MacroDefinition): Macro | null {
    const { name, body, parameters } = definition;
    const own = { name, ...(parameters ? { parameters } : {}) };
    const mark = this.#markOf(body);
    if (mark !== null) return { ...own, kind: 'mark', body: mark };
    const tokens = tokensOf(body);
    if (isStructure(tokens)) return { ...own, kind: 'text', body };
    if (opensStatement(tokens)) return { ...own, kind: 'statement', body };
    if (parameters && parameters.length > 0 && this.#isWrapper(tokens, parameters))
      return { ...own, kind: 'text', body };
    if (/^(?:typename )?(?:::)?\w+(?:::\w+)* ?<.*>(?:::\w+)?[ *&]*(?:= ?\w+)?$/.test(body) && !/<<|>=|<=|&&/.test(body))
      return { ...own, kind: 'text', body };
    if (parameters && (isDeclaration(body) || isListOfDeclarations(body))) return { ...own, kind: 'declaration', body };
    const first = tokens[0] ?? '';
    if (
      parameters &&
      /^\w[\w:<>,*&# ]*[ *&#]\w[\w:~#]* ?\(.*\)[ \w]*$/.test(body) &&
      /^[A-Za-z_]/.test(first) &&
      !statementWords.test(first)
    )
      return { ...own, kind: 'head', body };
    return null;
  }

  /** What is left of a text that only says how something is linked or checked: `static`, or nothing; null for any other. */
  #markOf(body: string): string | null {
    // `64 KB`: the number alone says as much.
    if (/^[*+|-] ?\(/.test(body)) return '';
    const tokens = tokensOf(body);
    let left = '';
    for (let at = 0; at < tokens.length; at++) {
      const word = tokens[at] ?? '';
      const isGroup = tokens[at + 1] === '(';
      if (word === 'static' && !isGroup) left = 'static';
      else if (groupWords.test(word) && isGroup) at = closing(tokens, at + 1);
      else if (word === '[[') at = tokens.indexOf(']]', at) < 0 ? tokens.length : tokens.indexOf(']]', at);
      else if (word === '"C"' && tokens[at - 1] === 'extern') continue;
      else if (!markWords.test(word)) {
        const inner = this.of(word);
        if (inner?.kind !== 'mark' && inner?.body !== 'static') return null;
        if (inner.body === 'static') left = 'static';
        if (inner.parameters && isGroup) at = closing(tokens, at + 1);
      }
    }
    return left;
  }

  /** Only its arguments, with marks around: `#define API(type) EXTERN type`. */
  #isWrapper(tokens: readonly string[], parameters: readonly string[]): boolean {
    let some = false;
    for (let at = 0; at < tokens.length; at++) {
      const word = tokens[at] ?? '';
      const isGroup = tokens[at + 1] === '(';
      if (parameters.includes(word)) some = true;
      else if (groupWords.test(word) && isGroup) at = closing(tokens, at + 1);
      else if (word === 'static' || word === '*' || word === '&' || markWords.test(word)) continue;
      else if (this.of(word)?.kind === 'mark') at = isGroup ? closing(tokens, at + 1) : at;
      else if (word === '"C"' && tokens[at - 1] === 'extern') continue;
      else return false;
    }
    return some;
  }
}

const statementWords = /^(?:do|if|for|while|switch|return|case|else|throw|goto|try|delete|new|sizeof)$/;

/** What stands before a block that the use of the macro brings: `try`, `catch (...)`, `if (true)`; no call is in it. */
function opensStatement(tokens: readonly string[]): boolean {
  if (tokens.length === 1) return /^(?:try|do|else)$/.test(tokens[0] ?? '');
  const from = tokens[0] === 'else' ? 1 : 0;
  if (!/^(?:catch|if|while|for)$/.test(tokens[from] ?? '') || tokens[from + 1] !== '(') return false;
  const isCalled = (word: string, index: number) => /\w$/.test(word) && tokens[index + 1] === '(';
  return (
    closing(tokens, from + 1) === tokens.length - 1 &&
    !tokens.slice(from + 1).some((word, index) => isCalled(word, index + from + 1))
  );
}

/** It opens what it does not close, or closes what it has not opened. */
function isStructure(tokens: readonly string[]): boolean {
  let depth = 0;
  let lowest = 0;
  for (const one of tokens) {
    if (one === '{') depth++;
    if (one === '}') lowest = Math.min(lowest, --depth);
  }
  return depth !== 0 || lowest < 0;
}

/** It defines functions or classes, and is no statement. */
function isDeclaration(body: string): boolean {
  const [first = ''] = tokensOf(body);
  if (statementWords.test(first) || !/^[A-Za-z_]/.test(first)) return false;
  return (
    /^[\w:<>,*&#~ ]*[ *&#]\w[\w:~#]* ?\([^{};]*\) ?(?:const|noexcept|override|final| )*\{.*\}/.test(body) ||
    /^(?:template ?<.*> ?)?(?:class|struct|namespace|union) [\w# ,:<>]*\{.*\}/.test(body)
  );
}

/** It ends as declarations do, and begins as no statement does. */
function isListOfDeclarations(body: string): boolean {
  const [first = '', second = ''] = tokensOf(body);
  return (
    /[;}]$/.test(body) &&
    /^[A-Za-z_]/.test(first) &&
    !statementWords.test(first) &&
    /^(?:[A-Za-z_]|::|<|\*|&|##)/.test(second)
  );
}

/** Index of the bracket that ends what begins at `from`. */
function closing(tokens: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    if (tokens[at] === '(') depth++;
    if (tokens[at] === ')' && --depth === 0) return at;
  }
  return tokens.length;
}

/** Whether a statement may begin behind this text. */
export const endsStatement = (text: string): boolean => /(?:[{};):]|\b(?:else|do))\s*$/.test(text);

/** A macro's body with these arguments, and the macros in it read, as long as `room` is left. */
export function expand(
  macro: Macro,
  args: readonly string[],
  macros: MacroTable,
  nesting = 0,
  room = { left: maxExpansion },
): string {
  const { parameters = [], body } = macro;
  const isVariadic = parameters.at(-1) === '__VA_ARGS__';
  const argumentOf = (name: string): string | undefined => {
    const at = parameters.indexOf(name);
    if (at < 0 || room.left < 0) return undefined;
    const text = isVariadic && at === parameters.length - 1 ? args.slice(at).join(',') : (args[at] ?? '');
    room.left -= text.length;
    return text;
  };
  const joined = pasted(
    body.replace(/"(?:[^"\\]|\\.)*"|#?#?\b[A-Za-z_]\w*/g, (word) => {
      if (/^#[^#]/.test(word)) return `"${(argumentOf(word.slice(1)) ?? '').replace(/["\\\n]/g, ' ').trim()}"`;
      if (word.startsWith('##')) return `##${(argumentOf(word.slice(2)) ?? word.slice(2)).trim()}`;
      return argumentOf(word) ?? word;
    }),
  );
  room.left -= joined.length;
  if (nesting >= maxNesting || room.left < 0) return joined;
  return joined.replace(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b([A-Za-z_]\w*)\b(?:(\s*)\(([^()]*)\))?/g,
    (whole: string, name: string | undefined, space: string, list: string | undefined, at: number) => {
      const inner = name === undefined || name === macro.name || room.left < 0 ? null : macros.of(name);
      if (!inner) return whole;
      if (inner.kind === 'mark') return inner.parameters || list === undefined ? '' : `${space}(${list})`;
      const isRead =
        inner.kind === 'text' ||
        (inner.kind === 'statement' && endsStatement(joined.slice(Math.max(0, at - maxSpace), at)));
      if (!isRead || (inner.parameters && list === undefined)) return whole;
      const text = expand(inner, inner.parameters ? (list ?? '').split(',') : [], macros, nesting + 1, room);
      return inner.parameters || list === undefined ? text : `${text}${space}(${list})`;
    },
  );
}

/** Of what stands before a macro in another: it is one line, and has no longer gaps. */
const maxSpace = 20;

/** What `##` joins, without it and the white space around it. */
function pasted(text: string): string {
  return text
    .split('##')
    .map((part, index, { length }) => {
      const begun = index === 0 ? part : part.trimStart();
      return index === length - 1 ? begun : begun.trimEnd();
    })
    .join('');
}
