import { posix } from 'node:path';
import { shellStatements } from '../dependency-pinning/shell-commands.ts';
import type { ShellStatement } from '../dependency-pinning/shell-commands.ts';

/** A command that a script runs, and why its failure is nobody's: null where it ends the script. */
export interface ScriptCommand {
  /** Without quotes; what only the shell can tell stands as written. */
  words: readonly string[];
  line: number;
  /** From the root of the repository. */
  dir: string;
  /** False where the folder is only the best guess. */
  isDirKnown: boolean;
  hidden: string | null;
}

/** How a script is run. */
export interface ScriptContext {
  /** From the root of the repository. */
  dir: string;
  /** `set -e`: the first failure ends it. */
  errexit: boolean;
  pipefail: boolean;
  /** Its functions may be called by whoever reads it in. */
  sourced?: boolean;
  /** Another script or tool runs it: where it goes from there is not known for sure. */
  isFollowed?: boolean;
  /** Variables that are known. */
  variables?: ReadonlyMap<string, string>;
}

/** A `for` over more items, or commands beyond, are not looked at. */
const maxItems = 8;
const maxCommands = 2_000;

/** What was read before: a script is met on many ways, and in many commits. */
const read = new Map<string, readonly ScriptCommand[]>();
let readCharacters = 0;
const maxReadCharacters = 4_000_000;

/** The commands of a shell script in their order, each with what hides its failure. */
export function scriptCommands(text: string, context: ScriptContext): readonly ScriptCommand[] {
  const { dir, errexit, pipefail, sourced = false, isFollowed = false, variables = [] } = context;
  const key = JSON.stringify([text, dir, errexit, pipefail, sourced, isFollowed, [...variables]]);
  let commands = read.get(key);
  if (commands) return commands;
  commands = commandsIn(text, context);
  readCharacters += key.length;
  if (readCharacters > maxReadCharacters) {
    read.clear();
    readCharacters = key.length;
  }
  read.set(key, commands);
  return commands;
}

function commandsIn(text: string, context: ScriptContext): ScriptCommand[] {
  // What a command writes is a word to us.
  const flat = text.replaceAll(/\$\([^()\n]*\)/g, '$_').replaceAll(/`[^`\n]*`/g, '$_');
  const statements = shellStatements(flat).slice(0, maxCommands);
  const functions = functionsIn(statements);
  const walk = new Walk(statements, functions, context, text);
  const isDirKnown = !statements.some((_, index) => movesDoubtfully(statements, index, context));
  return statements
    .flatMap((_, index) => walk.step(index))
    .map((command) => ({ ...command, isDirKnown: isDirKnown && walk.isDirKnown }));
}

const mover = /(?:^|[\s;&|(="'])(?:cd|chdir|pushd|popd|sl|(?:set|push|pop)-location)(?:$|[\s;"'])/i;
const moves = ({ written }: ShellStatement): boolean =>
  written.some((word) => mover.test(word)) ||
  (/^(?:source|\.)$/.test(written[0] ?? '') && !written[1]?.endsWith('activate'));

/** It changes the folder, perhaps, and is more than `cd` to a folder below that is always run. */
function movesDoubtfully(
  statements: readonly ShellStatement[],
  index: number,
  { isFollowed = false }: ScriptContext,
): boolean {
  const statement = statements[index];
  if (!statement || !moves(statement)) return false;
  const [first, folder = '', ...more] = statement.written.map(unquoted);
  const isPlain = first === 'cd' && more.length === 0 && /^[\w.@][\w.@/-]*$/.test(folder) && !folder.includes('..');
  const isAsked =
    statement.before === '||' ||
    (statement.before === '&&' && /^(?:test|\[\[?)$/.test(statements[index - 1]?.written[0] ?? ''));
  return isFollowed || !isPlain || isAsked || statements.some(({ background }) => background);
}

/** Names of functions by the statement that begins them: a name, then `(`, `)` and `{`. */
function functionsIn(statements: readonly ShellStatement[]): Map<number, string> {
  const found = new Map<number, string>();
  for (const [index, { written, before }] of statements.entries()) {
    const next = statements[index + 1];
    const [first = '', second] = written;
    if (first === 'function' && second !== undefined) found.set(index, second);
    else if (written.length === 1 && before !== '|' && next?.before === ')' && next.keywords[0] === '{')
      found.set(index, first);
  }
  return found;
}

interface Frame {
  kind: 'if' | 'loop' | 'case' | 'braces' | 'parens';
  dead: string | null;
  /** Where it began, to be back there behind parentheses. */
  dir: string;
  /** Items of a `for`. */
  variable?: string | undefined;
}

const closes: Readonly<Record<string, Frame['kind']>> = { fi: 'if', done: 'loop', esac: 'case' };
const isNothing = (words: readonly string[]): boolean =>
  /^(?:true|:|exit 0|return 0|continue|break|\/bin\/true)$/.test(words.join(' '));
const isNever = (words: readonly string[]): boolean => /^(?:false|\/bin\/false|\[ 1 = 0 \])$/.test(words.join(' '));
const saysOnly = (words: readonly string[]): boolean => /^(?:echo|printf|say|log|warn|cat)$/.test(words[0] ?? '');
const failsItself = (words: readonly string[]): boolean =>
  /^(?:exit(?: .{0,80}[^0].{0,80}| \$.{0,80})?|return .{0,80}[^0 ].{0,80}|false|fail|die|abort|kill)\b/.test(
    words.join(' ').slice(0, 200),
  ) && !isNothing(words);

class Walk {
  readonly #statements: readonly ShellStatement[];
  readonly #functions: ReadonlyMap<number, string>;
  readonly #called: ReadonlySet<string>;
  readonly #frames: Frame[] = [];
  readonly #asksStatus: boolean;
  readonly #sourced: boolean;
  readonly #items = new Map<string, readonly string[]>();
  readonly #variables: Map<string, string>;
  #errexit: boolean;
  #pipefail: boolean;
  #dir: string;
  /** False where a folder is entered within a condition, a loop or a function. */
  isDirKnown = true;
  #ended: string | null = null;
  #pendingFunction: string | null = null;

  constructor(
    statements: readonly ShellStatement[],
    functions: ReadonlyMap<number, string>,
    context: ScriptContext,
    text: string,
  ) {
    this.#statements = statements;
    this.#functions = functions;
    this.#called = new Set(
      statements.flatMap(({ written }, index) => (functions.has(index) ? [] : written.map(unquoted))),
    );
    this.#errexit = context.errexit;
    this.#pipefail = context.pipefail;
    this.#dir = context.dir;
    this.#variables = new Map(context.variables);
    this.#sourced = context.sourced ?? false;
    this.#asksStatus = /\$\?|\$\{?PIPESTATUS/.test(text);
  }

  step(index: number): Omit<ScriptCommand, 'isDirKnown'>[] {
    const statement = this.#statements[index];
    if (!statement) return [];
    this.#structure(statement, index);
    if (moves(statement) && this.#frames.some(({ kind }) => kind !== 'parens')) this.isDirKnown = false;
    const name = this.#functions.get(index);
    if (name !== undefined) {
      this.#pendingFunction = name;
      return [];
    }
    for (const each of statement.assignments) this.#assign(each);
    const expanded = this.#expand(statement.written.map(unquoted));
    const [words = []] = expanded;
    if (words.length === 0 || words[0] === undefined || words[0] in closes) return [];
    if (this.#isControl(words, statement)) return [];
    const hidden = this.#ended ?? this.#deadFrame() ?? this.#hiddenBy(index, words);
    return expanded.map((each) => ({ words: each, line: statement.line, dir: this.#dir, hidden }));
  }

  #assign(text: string): void {
    const at = text.indexOf('=');
    const value = unquoted(text.slice(at + 1));
    if (!/[$`]/.test(value)) this.#variables.set(text.slice(0, at), value);
  }

  /** Opens and closes what commands stand in. */
  #structure({ parentheses, keywords, written, words }: ShellStatement, index: number): void {
    for (const sign of parentheses) {
      if (sign === '(') this.#open('parens', null);
      // That of a pattern of `case` ends nothing.
      else if (this.#frames.at(-1)?.kind === 'parens') this.#close('parens');
    }
    for (const keyword of keywords) {
      if (keyword === 'if') this.#open('if', isNever(words) ? 'the condition is never true' : null);
      else if (keyword === 'while' || keyword === 'until')
        this.#open('loop', isNever(words) === (keyword === 'while') && isNever(words) ? 'the loop never runs' : null);
      else if (keyword === 'elif' || keyword === 'else') this.#otherwise(keyword, words);
      else if (keyword === '{') this.#open('braces', this.#functionIsDead());
      else if (keyword === '}') this.#close('braces');
    }
    const [first = ''] = written;
    if (first === 'for' || first === 'select') this.#loopOver(written, index);
    else if (first === 'case') this.#open('case', null);
    else if (first in closes) this.#close(closes[first] ?? 'if');
  }

  #functionIsDead(): string | null {
    const name = this.#pendingFunction;
    this.#pendingFunction = null;
    return name === null || this.#sourced || this.#called.has(name)
      ? null
      : `in the function ${name}, which nothing calls`;
  }

  #loopOver(written: readonly string[], index: number): void {
    const [, variable = '', word] = written;
    const items = word === 'in' ? written.slice(3).map(unquoted) : [];
    this.#open('loop', null, variable);
    const isKnown = items.length > 0 && !items.some((item) => /[$`*?]/.test(item)) && index >= 0;
    if (isKnown) this.#items.set(variable, items.slice(0, maxItems));
    else this.#items.delete(variable);
  }

  #open(kind: Frame['kind'], dead: string | null, variable?: string): void {
    this.#frames.push({ kind, dead, dir: this.#dir, variable });
  }

  #close(kind: Frame['kind']): void {
    const at = this.#frames.findLastIndex((frame) => frame.kind === kind);
    if (at === -1) return;
    for (const { dir, variable } of this.#frames.splice(at)) {
      if (kind === 'parens') this.#dir = dir;
      if (variable !== undefined) this.#items.delete(variable);
    }
  }

  #otherwise(keyword: string, words: readonly string[]): void {
    const frame = this.#frames.findLast(({ kind }) => kind === 'if');
    if (!frame) return;
    frame.dead = keyword === 'elif' && isNever(words) ? 'the condition is never true' : null;
  }

  #deadFrame(): string | null {
    return this.#frames.find(({ dead }) => dead !== null)?.dead ?? null;
  }

  /** What changes how the rest is run; true where the command is no more than that. */
  #isControl(words: readonly string[], { before, keywords }: ShellStatement): boolean {
    const [first = '', ...rest] = words;
    if (first === 'set') {
      this.#set(rest.join(' '));
      return true;
    }
    if (first === 'cd' || first === 'pushd') {
      this.#dir = folderFrom(this.#dir, rest.find((word) => !word.startsWith('-')) ?? '');
      return true;
    }
    if (first === 'trap' && /\bexit 0\b|^true$|^:$/.test(rest[0] ?? '')) {
      this.#ended ??= `\`trap ${rest.join(' ').slice(0, 60)}\` hides every failure`;
      return true;
    }
    if (first === 'export' || first === 'declare' || first === 'local' || first === 'readonly') {
      for (const each of rest) if (each.includes('=')) this.#assign(each);
      return true;
    }
    const isPlain = this.#frames.length === 0 && keywords.length === 0 && ['\n', ';', ''].includes(before);
    if (first === 'exit' && isPlain) {
      this.#ended ??= 'after the script’s `exit`';
      return true;
    }
    return ['for', 'case', 'select', 'shift', 'unset', 'wait', 'shopt', 'trap'].includes(first);
  }

  #set(options: string): void {
    for (const [, sign, letters] of options.matchAll(/(?:^| )([-+])([a-z]{1,9})/g))
      if (letters?.includes('e')) this.#errexit = sign === '-';
    if (/-\w{0,9}o (?:\w{1,20} -o )?pipefail/.test(options)) this.#pipefail = true;
    if (/\+o pipefail/.test(options)) this.#pipefail = false;
  }

  /** Each word with what is known of its variables, once for each item of a loop. */
  #expand(words: readonly string[]): string[][] {
    const loop = [...this.#items.keys()].find((name) =>
      words.some((word) => word.includes(`$${name}`) || word.includes(`\${${name}}`)),
    );
    const values = loop === undefined ? [null] : (this.#items.get(loop) ?? [null]);
    return values.map((value) =>
      words.flatMap((word) => {
        if (!word.includes('$')) return [word];
        const known = word.replaceAll(/\$\{?(\w{1,80})\}?/g, (written: string, name: string) =>
          name === loop && value !== null ? value : (this.#variables.get(name) ?? written),
        );
        // A variable may hold a command with its arguments.
        return known === word ? [word] : known.split(/\s+/).filter((part) => part !== '');
      }),
    );
  }

  /** Why the failure of a command is not the script's. */
  #hiddenBy(index: number, words: readonly string[]): string | null {
    const here = this.#statements[index];
    if (!here) return null;
    if (here.before === '&&' && this.#before(index, isNever)) return 'stands behind `false &&`';
    if (here.before === '||' && this.#before(index, (each) => isNothing(each) || saysOnly(each)))
      return 'runs only where what always succeeds has failed';
    const asked = here.keywords.some((word) => ['if', 'elif', 'while', 'until'].includes(word));
    if (asked) return this.#reacts(index) ? null : 'is asked for its result only';
    if (here.keywords.includes('!')) return 'its failure is turned into success';
    return this.#hiddenBehind(index, words);
  }

  #before(index: number, is: (words: readonly string[]) => boolean): boolean {
    return is((this.#statements[index - 1]?.written ?? []).map(unquoted));
  }

  #hiddenBehind(index: number, words: readonly string[]): string | null {
    let at = index;
    for (let next = this.#statements[at + 1]; next; next = this.#statements[at + 1]) {
      if (next.before === '|' || next.before === '|&') {
        if (!this.#pipefail) return `goes into \`${next.written[0] ?? ''}\`, and without pipefail its failure is lost`;
      } else if (next.before === '||') return this.#forgives(at + 1);
      else if (next.before !== '&&') break;
      at += 1;
    }
    if (this.#statements[at]?.background) return 'runs in the background';
    const next = this.#statements[at + 1];
    if (!next) return null;
    const following = next.written.map(unquoted);
    if (next.before.startsWith(';') && next.keywords.length === 0 && isNothing(following))
      return `\`; ${following.join(' ')}\` hides its failure`;
    if (this.#errexit || this.#asksStatus || saysOnly(words)) return null;
    return this.#isLast(at) || this.#failsLater(at) ? null : 'without `set -e` only the last command decides';
  }

  /** What stands behind `||` up to the line's end: only words, or nothing. */
  #forgives(from: number): string | null {
    const first = this.#statements[from];
    if (!first) return null;
    const rest: (readonly string[])[] = [];
    for (let at = from; at < this.#statements.length; at += 1) {
      const each = this.#statements[at];
      if (!each || (at > from && each.before === '\n' && each.line > first.line && first.keywords.length === 0)) break;
      rest.push(each.written.map(unquoted));
      if (at > from && (each.keywords.includes('}') || each.before === ')')) break;
    }
    if (rest.some(failsItself)) return null;
    const [head = []] = rest;
    return isNothing(head) || saysOnly(head) || head.length === 0
      ? `\`|| ${head.join(' ').slice(0, 60)}\` hides its failure`
      : null;
  }

  /** Whether what an `if` leads to may fail. */
  #reacts(index: number): boolean {
    for (let at = index + 1; at < this.#statements.length; at += 1) {
      const each = this.#statements[at];
      if (!each || each.written[0] === 'fi' || each.written[0] === 'done') return false;
      if (each.assignments.length > 0 || failsItself(each.written.map(unquoted))) return true;
    }
    return false;
  }

  /** What follows looks at what was written, perhaps, and fails itself. */
  #failsLater(at: number): boolean {
    return this.#statements.slice(at + 1).some(({ written }) => failsItself(written.map(unquoted)));
  }

  /** Nothing but the ends of what it stands in follows. */
  #isLast(at: number): boolean {
    return this.#statements
      .slice(at + 1)
      .every(
        ({ written, before }) =>
          written.length === 0 || (written[0] ?? '') in closes || before === '|' || before === '|&',
      );
  }
}

/** Without the quotes around it, or around its parts. */
function unquoted(word: string): string {
  return word.replaceAll(/^(["'])([^]*)\1$/g, '$2').replaceAll(/(=)(["'])([^"']*)\2/g, '$1$3');
}

/** The folder that a path from another leads to; what can't be told leads nowhere else. */
export function folderFrom(dir: string, path: string): string {
  if (path === '' || path === '-' || path.includes('$') || path.startsWith('/') || path.startsWith('~')) return dir;
  const joined = posix.join(dir, path).replace(/\/$/, '');
  return joined.startsWith('..') ? '.' : joined;
}
