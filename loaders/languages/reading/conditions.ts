/** What no ordinary build on Linux defines, and what each does. */
const never =
  /^(?:_?WIN(?:32|64)|__WIN(?:32|64)__|_MSC_VER|__MINGW(?:32|64)__|__CYGWIN__|__APPLE__|__MACH__|__ANDROID__|__(?:Free|Net|Open)BSD__|__sun|__hpux|_AIX|__BORLANDC__|__WATCOMC__|__INTEL_COMPILER|__ICL|__EMSCRIPTEN__|__OBJC__)$/;
const always = /^(?:__linux__|__linux|__unix__|__unix|__GNUC__|__x86_64__|__STDC__|__ELF__|__LP64__)$/;

/** Of a name that nobody knows: more often than not it is not defined. */
const seldom = 0.3;
/** A longer condition is not read. */
const maxTokens = 200;
const maxLength = 4_000;
/** Steps of what is taken now and then; one more is what is never taken. */
const maxSeldom = 7;
const rankOfNever = maxSeldom + 1;

/**
 * How likely an ordinary build on Linux takes what stands behind `#if`, `#ifdef`, `#ifndef` or `#elif`: from 0 to 1. `cplusplus`: how
 * likely it is of C++.
 */
export function likelihood(directive: string, cplusplus = 1, usual?: RegExp): number {
  const of = (one: string) => ofName(one, cplusplus, usual);
  const [begun = '', word = ''] = /^#\s*(\w+)/.exec(directive) ?? [];
  const text = directive.slice(begun.length);
  if (text.length > maxLength) return seldom;
  const name = /^\s*(\w+)/.exec(text)?.[1] ?? '';
  if (word === 'ifdef' || word === 'elifdef') return of(name);
  if (word === 'ifndef' || word === 'elifndef') return 1 - of(name);
  const tokens =
    text
      .replace(/\\\r?\n|\/\*[^]*?\*\/|\/\/.*/g, ' ')
      .match(/[A-Za-z_]\w*|\d\w*|&&|\|\||[!<>=]=|"[^"]*"|'[^']*'|\S/g) ?? [];
  return tokens.length > maxTokens ? seldom : new Condition(tokens, of).either();
}

function ofName(name: string, cplusplus: number, usual: RegExp | undefined): number {
  if (name === '__cplusplus') return cplusplus;
  if (usual?.test(name)) return 1 - seldom;
  return never.test(name) ? 0 : always.test(name) ? 1 : seldom;
}

class Condition {
  readonly #tokens: readonly string[];
  readonly #ofName: (name: string) => number;
  #at = 0;

  constructor(tokens: readonly string[], likelihoodOf: (name: string) => number) {
    this.#tokens = tokens;
    this.#ofName = likelihoodOf;
  }

  either(): number {
    let value = this.#both();
    while (this.#take('||')) value = Math.max(value, this.#both());
    return value;
  }

  #both(): number {
    let value = this.#compared();
    while (this.#take('&&')) value *= this.#compared();
    return value;
  }

  /** Of a comparison only what can't be is known. */
  #compared(): number {
    const value = this.#single();
    const from = this.#at;
    for (let depth = 0; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at] ?? '';
      if (depth === 0 && (token === '&&' || token === '||' || token === ')')) break;
      if (token === '(') depth++;
      if (token === ')') depth--;
    }
    return this.#at === from || value === 0 ? value : 0.5;
  }

  #single(): number {
    if (this.#take('!')) return 1 - this.#single();
    if (this.#take('(')) {
      const value = this.either();
      this.#take(')');
      return value;
    }
    const token = this.#tokens[this.#at++] ?? '';
    if (token === 'defined') {
      const isOpen = this.#take('(');
      const value = this.#ofName(this.#tokens[this.#at++] ?? '');
      if (isOpen) this.#take(')');
      return value;
    }
    if (/^\d/.test(token)) return Number.parseInt(token, 10) === 0 ? 0 : 1;
    return token === 'true' ? 1 : token === 'false' ? 0 : this.#ofName(token);
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }
}

/** Where conditionals are gone through in their order: how unlikely the place at hand is. */
export class Conditions {
  readonly #cplusplus: number | undefined;
  readonly #usual: RegExp | undefined;
  /** Of each conditional around: how likely this branch is, and the likeliest before it. */
  readonly #around: { likely: number; before: number }[] = [];
  /** Branches around that are never taken, and those that seldom are. */
  #never = 0;
  #seldom = 0;

  /** `cplusplus`: how likely the file is of C++; `usual`: names that are defined more often than not. */
  constructor(cplusplus?: number, usual?: RegExp) {
    this.#cplusplus = cplusplus;
    this.#usual = usual;
  }

  /** `word` is the directive's: `if`, `else`. */
  meet(word: string, directive: string): void {
    const inner = this.#around.at(-1);
    if (word.startsWith('if')) {
      const likely = likelihood(directive, this.#cplusplus, this.#usual);
      this.#around.push({ likely, before: 0 });
      this.#count(likely, 1);
    } else if (word === 'endif') {
      this.#count(this.#around.pop()?.likely ?? 1, -1);
    } else if (word.startsWith('el') && inner) {
      this.#count(inner.likely, -1);
      inner.before = Math.max(inner.before, inner.likely);
      const left = 1 - inner.before;
      inner.likely = word === 'else' ? left : Math.min(likelihood(directive, this.#cplusplus, this.#usual), left);
      this.#count(inner.likely, 1);
    }
  }

  #count(likely: number, by: 1 | -1): void {
    if (likely === 0) this.#never += by;
    else if (likely < 0.5) this.#seldom += by;
  }

  /** 0 where an ordinary build comes by, more the less likely it does; `rankOfNever` where it never does. */
  get rank(): number {
    return this.#never > 0 ? rankOfNever : Math.min(this.#seldom, maxSeldom);
  }

  /** Of the branch at hand. */
  get likely(): number {
    return this.#around.at(-1)?.likely ?? 1;
  }
}
