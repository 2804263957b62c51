import type { Preprocessor } from '../language.ts';
import { endOfDirective, passed } from './scan.ts';
import { settled } from './settle.ts';
import { likelihood } from '../reading/conditions.ts';
import {
  endsStatement,
  expand,
  type Macro,
  type MacroDefinition,
  type MacroTable,
  Macros,
  macrosIn,
} from './macros.ts';

/** Macros of all files, as lines of JSON. */
export const preprocessor: Preprocessor = {
  isHeard: (path) => !/\.(?:c|cc|cpp|cxx|c\+\+)$/.test(path),
  collect: (source) => macrosIn(source).map((one) => JSON.stringify(one)),
  open(collected) {
    const shared = new Macros(collected.map((line) => JSON.parse(line) as MacroDefinition));
    return {
      rewrite: (source, ask = () => undefined) => preprocessed(source, heardAsking(shared, ask)),
      answer: (word) => {
        const macro = shared.of(word);
        return macro && JSON.stringify(macro);
      },
    };
  },
};

/** What expansions may add to a file. */
const maxAdded = 64 * 1024;
/** Of what may stand between the declaration before and a macro that declares: another macro. */
const maxBefore = 200;
/** Likewise with comments: what is longer is not looked through again for each macro in it. */
const maxBeforeWithComments = 4_000;
/** After so many uses of macros that nothing closes, those with parameters are left as they stand. */
const maxUnclosed = 50;
/** Characters of one use of a macro, arguments and all. */
const maxUse = 8_000;

/** The same table, whose questions are heard. What is named as functions are begins statements only of the files that say so. */
const heardAsking = (table: MacroTable, ask: (word: string) => void): MacroTable => ({
  of(name) {
    ask(name);
    const macro = table.of(name);
    return macro?.kind === 'statement' && /[a-z]/.test(name) ? null : macro;
  },
});

/** A source in which macros that the grammar can't take are read; each line keeps its place. */
function preprocessed(source: string, shared: MacroTable): string {
  const own = macrosIn(source);
  return new Rewriting(settled(source), own.length > 0 ? new Macros(own, shared) : shared).text();
}

/** A word, or what begins something that is passed over. */
const next = /[A-Za-z_]\w*|\d(?:[\w.]|'\w)*|["'/#{};()\n]/g;

/** A brace that is open, in those around it: all of them are kept as one, however often they are gone back to. */
interface Brace {
  readonly around: Brace | null;
  /** Declarations stand in it and in all around it: they are a namespace's or a class's. */
  readonly declares: boolean;
}

class Rewriting {
  readonly #source: string;
  readonly #macros: MacroTable;
  readonly #parts: string[] = [];
  /** So far the source is in `parts`. */
  #copied = 0;
  #added = 0;
  /** The innermost brace around. */
  #brace: Brace | null = null;
  /** Which that was before each conditional around. */
  readonly #conditionals: (Brace | null)[] = [];
  /** Where the statement or declaration at hand begins. */
  #begin = 0;
  #parens = 0;
  /** Uses of macros whose parentheses nothing closes. */
  #unclosed = 0;

  constructor(source: string, macros: MacroTable) {
    this.#source = source;
    this.#macros = macros;
  }

  text(): string {
    const source = this.#source;
    let isLineStart = true;
    for (let at = 0; at < source.length;) {
      next.lastIndex = at;
      const found = next.exec(source);
      if (!found) break;
      const [word] = found;
      const from = found.index;
      isLineStart &&= word !== '#' || source.slice(Math.max(at, from - 200), from).trim() === '';
      at = from + word.length;
      if (word === '\n') {
        isLineStart = true;
        continue;
      }
      if (word === '#') {
        if (isLineStart) at = this.#directive(from);
      } else if (word.length === 1 && /["'/]/.test(word)) at = passed(source, from);
      else if (/^[A-Za-z_]/.test(word)) at = this.#word(word, from);
      else this.#mark(word, from);
      isLineStart = false;
    }
    this.#parts.push(source.slice(this.#copied));
    return this.#parts.join('');
  }

  #mark(mark: string, at: number): void {
    if (mark === '(') this.#parens++;
    else if (mark === ')') this.#parens = Math.max(0, this.#parens - 1);
    else if (mark === '{' || mark === '}' || mark === ';') {
      if (mark === '{') this.#open(opensDeclarations(this.#source.slice(Math.max(this.#begin, at - 400), at)));
      if (mark === '}') this.#close();
      this.#begin = at + 1;
      if (mark !== ';') this.#parens = 0;
    }
  }

  /** Directives stay; after `#else` the braces are as they were before `#if`. */
  #directive(from: number): number {
    const source = this.#source;
    const end = endOfDirective(source, from);
    const [, word = ''] = /^#[ \t]*(\w*)/.exec(source.slice(from, from + 40)) ?? [];
    const before = this.#conditionals.at(-1);
    if (word.startsWith('if')) this.#conditionals.push(this.#brace);
    else if (word.startsWith('el')) this.#brace = before === undefined ? this.#brace : before;
    else if (word === 'endif') this.#conditionals.pop();
    if (this.#parens === 0) this.#begin = end;
    const legible = legibleDirective(word, source.slice(from, end));
    if (legible !== null) this.#put(from, end, legible);
    return end;
  }

  /** What follows a word, which may be a macro. */
  #word(word: string, from: number): number {
    const source = this.#source;
    const end = from + word.length;
    if (word.length <= 2 && source[end] === '"' && /^(?:R|LR|uR|UR)$/.test(word)) return passed(source, end, true);
    if (word === 'u8R' && source[end] === '"') return passed(source, end, true);
    const macro = this.#macros.of(word);
    if (!macro || this.#added > maxAdded) return end;
    const before = source.slice(Math.max(0, from - 3), from).trimEnd();
    if (before.endsWith('.') || before.endsWith('->') || before.endsWith('::')) return end;
    if (!macro.parameters) return this.#replace(macro, from, end, []);
    if (this.#unclosed > maxUnclosed) return end;
    const use = argumentsAt(source, end);
    if (use) return this.#replace(macro, from, use.end, use.args);
    this.#unclosed += source[end] === '(' ? 1 : 0;
    return end;
  }

  #replace(macro: Macro, from: number, end: number, args: readonly string[]): number {
    const source = this.#source;
    if (macro.kind === 'mark') {
      const isPlain = /[A-Z]|^_/.test(macro.name) || /^\s+[A-Za-z_*&]/.test(source.slice(end, end + 80));
      if (!isPlain || isValue(source, from, end)) return end;
      this.#put(from, end, source.slice(from, end).replace(/[^\n]/g, ' '));
      return end;
    }
    if (macro.kind === 'statement') {
      if (!this.#beginsStatement(from) || !goesOn(source, end, macro)) return end;
    } else if (macro.kind !== 'text') {
      if (this.#parens > 0 || this.#brace?.declares === false) return end;
      if ((macro.kind === 'head') !== (wordBehind(source, end) === '{')) return end;
      if (macro.kind === 'declaration' && !this.#isNear(from)) return end;
    }
    const rows = source.slice(from, end).split('\n').length - 1;
    const text = inRows(expand(macro, args, this.#macros), rows);
    this.#added += Math.max(0, text.length - (end - from));
    this.#put(from, end, text);
    if (macro.kind === 'statement') this.#begin = end;
    else if (/[{};]/.test(text)) this.#follow(text, from);
    return end;
  }

  /** In a function's body, behind what ends or begins another statement. */
  #beginsStatement(at: number): boolean {
    if (this.#parens > 0 || this.#brace?.declares !== false || at - this.#begin > maxBeforeWithComments) return false;
    const before = this.#source.slice(this.#begin, at).replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
    return before.trim() === '' || (endsStatement(before) && !before.includes('?'));
  }

  /** Little stands between the declaration before and this place. */
  #isNear(at: number): boolean {
    if (at - this.#begin > maxBeforeWithComments) return false;
    const before = this.#source.slice(this.#begin, at).replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
    return before.trim().length <= maxBefore;
  }

  #open(declares: boolean): void {
    const around = this.#brace;
    this.#brace = { around, declares: declares && around?.declares !== false };
  }

  #close(): void {
    this.#brace = this.#brace?.around ?? null;
  }

  #put(from: number, end: number, text: string): void {
    this.#parts.push(this.#source.slice(this.#copied, from), text);
    this.#copied = end;
  }

  /** Braces that an expansion opens and closes. */
  #follow(text: string, at: number): void {
    let begin = 0;
    const before = this.#source.slice(this.#begin, at);
    for (let index = 0; index < text.length; index++) {
      const char = text[index];
      if (char === '{') this.#open(opensDeclarations((begin === 0 ? before : '') + text.slice(begin, index)));
      if (char === '}') this.#close();
      if (char === '{' || char === '}' || char === ';') begin = index + 1;
    }
    this.#begin = at;
  }
}

/** The first word, or mark, behind a place. */
const wordBehind = (source: string, at: number): string =>
  /^(?:\s|\/\/.*|\/\*[^*]*\*\/)*(\w+|.?)/.exec(source.slice(at, at + 200))?.[1] ?? '';

/** A statement goes on with a block or another statement; without parameters, a name behind it may be a variable of this type. */
function goesOn(source: string, end: number, { parameters }: Macro): boolean {
  const after = wordBehind(source, end);
  if (/^(?:\{|if|for|while|do|switch|return|throw|try)$/.test(after)) return true;
  return parameters !== undefined && /^[A-Za-z_*(]/.test(after);
}

/** It stands where a value does, so another definition of it is meant: `kind = GZIP;`. */
function isValue(source: string, from: number, end: number): boolean {
  const before = source.slice(Math.max(0, from - 40), from).trimEnd();
  const after = source.slice(end, end + 40).trimStart();
  return /(?:[=(,+\-/|!<?]|\b(?:case|return))$/.test(before) && /^[^\w*&({]/.test(after);
}

/** The grammar takes neither a comment between the lines of a macro, nor `__has_include(<a>)`, which stays as likely; null for all others. */
function legibleDirective(word: string, text: string): string | null {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ');
  if (word === 'define' && text.includes('\n')) {
    const [head = ''] = /^#\s*define\s+\w+(?:\([\w\s,.]*\))?/.exec(text) ?? [];
    return `${head} 1${blank(text.slice(head.length))}`;
  }
  if (/^(?:el)?if$/.test(word) && /\(\s*[<"]/.test(text)) {
    const [head = ''] = /^#\s*\w+/.exec(text) ?? [];
    const likely = likelihood(text);
    const condition = likely === 0 ? '0' : likely === 1 ? '1' : likely < 0.5 ? 'x' : 'x>0';
    return `${head} ${condition}${blank(text.slice(head.length + condition.length + 1))}`;
  }
  return null;
}

/** Whether what stands before a brace opens a namespace, a class or a linkage. */
function opensDeclarations(head: string): boolean {
  const plain = head.trimEnd();
  if (/[)=,]$/.test(plain) || /\b(?:const|noexcept|override|final|return|else|do|try|enum)$/.test(plain)) return false;
  return /\b(?:namespace|class|struct|union|extern\s*"C(?:\+\+)?")/.test(plain) && !/\benum\b/.test(plain);
}

/** In so many rows, whatever was in it. */
function inRows(text: string, rows: number): string {
  const have = text.split('\n').length - 1;
  if (have > rows) return text.replace(/\n/g, ' ') + '\n'.repeat(rows);
  return text + '\n'.repeat(rows - have);
}

/** What stands in the parentheses after a macro's name; null where there are none. */
function argumentsAt(source: string, from: number): { args: string[]; end: number } | null {
  let at = from;
  while (/\s/.test(source[at] ?? '')) at++;
  if (source[at] !== '(' || at - from > 100) return null;
  const args: string[] = [];
  let depth = 0;
  let begin = at + 1;
  for (const last = Math.min(source.length, at + maxUse); at < last;) {
    const char = source[at] ?? '';
    if (char === '"' || char === "'" || char === '/') {
      at = passed(source, at);
      continue;
    }
    if (char === '(' || char === '[' || char === '{') depth++;
    if (char === ')' || char === ']' || char === '}') depth--;
    if (char === '#' && source[at - 1] === '\n') return null;
    if ((char === ',' && depth === 1) || depth === 0) {
      args.push(source.slice(begin, at).trim());
      begin = at + 1;
      if (depth === 0) return { args, end: at + 1 };
    }
    at++;
  }
  return null;
}
