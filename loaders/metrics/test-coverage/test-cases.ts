import type { Node } from '../../facts/syntax-tree.ts';
import { CODE } from '../../languages/reading/classify-lines.ts';
import type { FunctionMeasures } from '../file-measures.ts';
import { withoutWhatNeverFails } from './never-fails.ts';
import { spokenNames } from './spoken-names.ts';
import type { SpokenNames } from './spoken-names.ts';
import { testFramework } from './test-frameworks.ts';
import type { TestFramework } from './test-frameworks.ts';

/** What a file has of tests. */
export interface TestMeasures {
  cases: TestCase[];
  /** Functions: what they assert, a test does that calls them. */
  helpers: Helper[];
  /** There is an assertion somewhere in it, within a test or not. */
  asserts: boolean;
  /** What its tests speak of, in their order; null where names do not tell. */
  spoken: SpokenNames | null;
}

export interface TestCase {
  line: number;
  endLine: number;
  /** Code lines. */
  code: number;
  asserts: boolean;
  /** Names of what it calls, where it does not assert itself. */
  calls: string[];
}

interface Helper {
  name: string;
  asserts: boolean;
  calls: string[];
}

/** So many names are kept of what a test calls, and of what asserts for others. */
const maxCalls = 60;
const maxHelpers = 2_000;
const maxCases = 20_000;
/** A source beyond is no test that somebody wrote. */
const maxSourceLength = 2_000_000;
const maxLooks = 30_000_000;
/** So far before what fails a condition is looked for. */
const maxBeforeLength = 10_000;

/** The tests of one file; null for one that nobody wrote. */
export function testsIn(file: {
  source: string;
  linguist: string | null;
  tree: Node | null;
  functions: readonly FunctionMeasures[] | null;
  kinds: Uint8Array;
}): TestMeasures | null {
  const framework = testFramework(file.linguist);
  if (file.source.length > maxSourceLength) return null;
  const text = new TestText(file.source, file.tree, file.linguist);
  const found = [...calledCases(text, framework), ...functionCases(text, framework, file.functions ?? [])];
  const ranges = withoutRepeats(found).slice(0, maxCases);
  const cases = ranges.map((range): TestCase => {
    const asserts = range.expects || text.asserts(range.start, range.end, framework);
    return {
      line: text.lineAt(range.start),
      endLine: text.lineAt(range.end),
      code: codeLines(file.kinds, text.lineAt(range.start), text.lineAt(range.end)),
      asserts,
      calls: asserts ? [] : text.callsIn(range.start, range.end),
    };
  });
  const helpers = helpersIn(text, framework, file.functions ?? []);
  const asserts =
    cases.some((each) => each.asserts) ||
    helpers.some((each) => each.asserts) ||
    text.asserts(0, file.source.length, framework);
  const spoken = spokenNames(
    { source: file.source, code: text.code, linguist: file.linguist, lineAt: (index) => text.lineAt(index) },
    ranges,
  );
  return { cases, helpers, asserts, spoken };
}

interface Range {
  start: number;
  end: number;
  expects: boolean;
}

function withoutRepeats(ranges: readonly Range[]): Range[] {
  const byStart = new Map<number, Range>();
  for (const range of ranges) if (!byStart.has(range.start)) byStart.set(range.start, range);
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}

function codeLines(kinds: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let line = from; line <= to; line += 1) if (kinds[line - 1] === CODE) count += 1;
  return count;
}

/** Tests that a call makes: `it('…', () => { … })`, `TEST(a, b) { … }`, `it "…" do … end`. */
function calledCases(text: TestText, { calls, body }: TestFramework): Range[] {
  const found: Range[] = [];
  for (const match of calls ? text.code.matchAll(calls) : []) {
    if (
      body === 'end' &&
      /&\w/.test(
        text.code
          .slice(match.index, match.index + 100)
          .split('\n', 2)
          .join(' '),
      )
    )
      continue;
    const start = match.index + (match[0].length - match[0].trimStart().length);
    const behind = match.index + match[0].length;
    const end =
      body === 'braces' && match[0].trimEnd().endsWith('(')
        ? text.endOfBody(behind - 1)
        : body === 'end'
          ? text.endOfBlock(start)
          : body === 'braces'
            ? text.endOfBraces(start)
            : text.endOfCalls(behind - 1);
    if (end !== null && (body !== 'parentheses' || isGivenCode(text.code.slice(behind, end))))
      found.push({ start, end, expects: false });
  }
  return found;
}

/** `/a/.test(text)` and the like are given no function. */
const isGivenCode = (within: string) =>
  /=>|\bfunction\b|\bfn\b|\|[\w\s,:&]{0,200}\||,\s{0,99}[\w.$]{1,99}\s{0,9}\)?$|\bassert|\{/.test(
    within.slice(0, 20_000),
  );

/** Tests by the names of functions, or by what marks them. */
function functionCases(
  text: TestText,
  { named, declared, marked, expects }: TestFramework,
  functions: readonly FunctionMeasures[],
): Range[] {
  return functions.flatMap(({ name, line, endLine }) => {
    const head = text.headOf(line, endLine);
    const called = name === '' ? nameIn(head.declared) : name;
    const isMarked = marked?.test(head.all) ?? false;
    const isNamed = (named?.test(called) ?? false) && (declared?.test(head.declared) ?? true);
    if (!isMarked && !isNamed) return [];
    const start = text.startOf(line);
    return [{ start, end: text.startOf(endLine + 1), expects: expects?.test(head.all) ?? false }];
  });
}

/** The name of a function whose grammar gives it none; never a framework's own word, which an arrow function stands behind. */
function nameIn(declared: string): string {
  const name =
    /\b(?:fun|def|function|fn|func)\s{1,9}(?:<[^<>]{0,60}>\s{0,9})?`?([\w$]{1,100})/.exec(declared)?.[1] ??
    /\b(?:const|let|var)\s{1,9}([\w$]{1,100})\s{0,9}=/.exec(declared)?.[1] ??
    /([\w$]{1,100})\s{0,9}[:=]\s{0,9}(?:async\s{0,9})?(?:function\b|\()/.exec(declared)?.[1] ??
    /^[^()\n]{0,200}[\s*&:~]([\w$]{1,100})\s{0,9}\(/.exec(declared.trimStart())?.[1] ??
    '';
  return ofFrameworks.test(name) ? '' : name;
}

const ofFrameworks =
  /^(?:it|test|tests|specify|describe|suite|context|expect|assert|should|each|TEST[A-Z_]{0,40}|(?:before|after)(?:Each|All)?|setup|setUp|teardown|tearDown|then|call|run)$/;

function helpersIn(text: TestText, framework: TestFramework, functions: readonly FunctionMeasures[]): Helper[] {
  const helpers = functions.slice(0, maxHelpers).flatMap(({ name, line, endLine }): Helper[] => {
    const start = text.startOf(line);
    const called = name === '' ? nameIn(text.headOf(line, endLine).declared) : name;
    if (called === '') return [];
    const end = text.startOf(endLine + 1);
    const asserts = text.asserts(start, end, framework);
    const calls = asserts ? [] : text.callsIn(start, end);
    return asserts || calls.length > 0 ? [{ name: called, asserts, calls }] : [];
  });
  // Rust's macros are no functions.
  for (const match of text.code.matchAll(/\bmacro_rules!\s{1,9}(\w{1,80})/g)) {
    const end = text.endOfBraces(match.index);
    if (end !== null && text.asserts(match.index, end, framework, true))
      helpers.push({ name: match[1] ?? '', asserts: true, calls: [] });
  }
  return helpers;
}

const blanked =
  /(?:^|_)(?:comment|string|char|character|rune|regex|heredoc|text_block|template_string|raw_string|string_literal|character_literal)(?:_|$)/;
const notBlanked = /type|interpolat|substitution|expression|start|identifier|_end|_specifier|concatenated|array/;
const literals = new Set(
  'true false null nil None True False undefined NaN Infinity NULL nullptr void typeof not is in and or new return await async const let var'.split(
    ' ',
  ),
);

const statementEnds = ['\n', ';', '{', '}'];

/** A source whose strings and comments are blanked; every character keeps its place. */
class TestText {
  readonly code: string;
  /** Of it what can fail. */
  readonly #live: string;
  readonly #source: string;
  readonly #starts: number[] = [0];
  /** Characters that may still be looked at: what is nested or never closed would take the square of its length. */
  #budget = maxLooks;
  #declared: ReadonlySet<string> | null = null;
  #own: ReadonlySet<string> | null = null;

  constructor(source: string, tree: Node | null, linguist: string | null) {
    this.#source = source;
    // A preprocessor may have moved what the tree knows.
    const known = tree?.tree.source.length === source.length ? tree : null;
    this.code = known ? withoutStrings(source, known) : withoutCStrings(source);
    this.#live = withoutWhatNeverFails(this.code, known, linguist);
    for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** Lines begin with 1. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.code.length;
  }

  lineAt(index: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= index) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** What stands above and before a function's body: annotations, attributes, comments that mark it. */
  headOf(line: number, endLine: number): { all: string; declared: string } {
    let from = line;
    while (from > 1 && line - from < 12 && /^\s*(?:@|#\[|\[|\*|\/\*\*|\/\/\/|\)\]|\))/.test(this.#lineText(from - 1)))
      from -= 1;
    const start = this.startOf(line);
    const text = this.#source.slice(start, this.startOf(Math.min(line + 8, endLine + 1)));
    const brace = this.code.slice(start, start + text.length).search(/\{|=>/);
    const declared = brace === -1 ? text.slice(0, 600) : text.slice(0, brace);
    return {
      all: this.#source.slice(this.startOf(from), start) + declared,
      declared: this.code.slice(start, start + declared.length),
    };
  }

  #lineText(line: number): string {
    return this.#source.slice(this.startOf(line), this.startOf(line + 1)).slice(0, 300);
  }

  /** Behind the parenthesis that closes the one here, and those that are called at once: `each([…])('…', …)`. */
  endOfCalls(at: number): number | null {
    let end = this.#closing(at);
    while (end !== null && '(`'.includes(this.code[end] ?? ' ')) end = this.#closing(end);
    return end;
  }

  /** Behind the body that stands right behind the parentheses here: `TEST(a, b) { … }`. */
  endOfBody(open: number): number | null {
    const end = this.#closing(open);
    if (end === null) return null;
    const next = /\S/.exec(this.code.slice(end, end + 200));
    return next?.[0] === '{' ? this.#closing(end + next.index) : null;
  }

  /** Behind the brace that closes the next one that opens. */
  endOfBraces(from: number): number | null {
    const open = this.code.indexOf('{', from);
    return open === -1 || open - from > 2_000 ? null : this.#closing(open);
  }

  #closing(open: number): number | null {
    const first = this.code[open] ?? '';
    if (first === '`') {
      const end = this.code.indexOf('`', open + 1);
      return end === -1 ? null : end + 1;
    }
    const last = { '(': ')', '{': '}', '[': ']' }[first];
    if (last === undefined) return null;
    let depth = 0;
    for (let at = open; at < this.code.length; at += 1) {
      if ((this.#budget -= 1) < 0) return null;
      const sign = this.code[at];
      if (sign === first) depth += 1;
      else if (sign === last && (depth -= 1) === 0) return at + 1;
    }
    return null;
  }

  /** Behind the `end` that stands as far in as the line here, or the brace of a block on one line. */
  endOfBlock(start: number): number | null {
    const line = this.lineAt(start);
    const own = this.#lineText(line);
    const indent = own.length - own.trimStart().length;
    if (/\}\s*$|\bend\s*$/.test(own)) return this.startOf(line + 1);
    for (let at = line + 1; at <= this.#starts.length; at += 1) {
      const text = this.code.slice(this.startOf(at), this.startOf(at + 1));
      if ((this.#budget -= text.length) < 0) return null;
      const isEnd = /^\s*(?:end\b|\})/.test(text.slice(0, 300));
      if (isEnd && text.length - text.trimStart().length <= indent) return this.startOf(at + 1);
    }
    return null;
  }

  /**
   * Whether something is asserted that is more than literals, or that fails on a condition. That a thing is there, of a test that calls
   * nothing, is no more than that it was loaded.
   */
  asserts(start: number, end: number, framework: TestFramework, isMacro = false): boolean {
    const within = this.#live.slice(start, end);
    if ((this.#budget -= within.length) < 0) return false;
    const whole = this.code.slice(start, end);
    // Most functions assert nothing, and need none of these.
    const constants = lazy(() => constantsIn(whole));
    // Nearly all tests are told by this; who wrote what a name holds takes longer.
    const written = lazy(
      () => new Set([...constants(), ...declaredIn(whole), ...(this.#declared ??= declaredIn(this.code))]),
    );
    for (const { called, given } of claimsIn(within, framework))
      if (isMacro || (involves(given, written(), framework) && !saysPresence(called, given))) return true;
    const claims = [...claimsIn(within, framework)];
    if ((this.#budget -= claims.length * costOfClaim) < 0) return false;
    const fixed = lazy(() => new Set([...constants(), ...ownNames(whole, claims), ...this.#ownNames(framework)]));
    const isReal = (text: string) => involves(text, fixed(), framework);
    const real = claims.filter(({ given }) => isReal(given));
    if (real.some(({ called, given }) => !saysPresence(called, given))) return true;
    if (real.length > 0 && callsBeside(whole, claims)) return true;
    if (framework.always && within.search(framework.always) !== -1) return true;
    for (const match of framework.suffixes ? within.matchAll(framework.suffixes) : []) {
      const near = within.slice(Math.max(0, match.index - 200), match.index + 1);
      const before = near.slice(Math.max(...statementEnds.map((sign) => near.slice(0, -1).lastIndexOf(sign))) + 1);
      // A chain over lines begins above.
      if (/^\s*[.?)\]}]/.test(before) || isReal(before)) return true;
    }
    for (const match of within.matchAll(framework.fails)) {
      const before = within.slice(Math.max(0, match.index - maxBeforeLength), match.index);
      if ((this.#budget -= before.length) < 0) return false;
      if (isMacro || hasCondition(before, isReal)) return true;
    }
    return false;
  }

  /** Of the whole file. */
  #ownNames(framework: TestFramework): ReadonlySet<string> {
    return (this.#own ??= ownNames(this.code, [...claimsIn(this.code, framework)]));
  }

  /** Names of what is called in a part, each once. */
  callsIn(start: number, end: number): string[] {
    const within = this.code.slice(start, end);
    if ((this.#budget -= within.length) < 0) return [];
    const names = new Set<string>();
    for (const [, name = ''] of within.matchAll(
      /([A-Za-z_$][\w$]{0,99})[!?]?\s{0,9}(?=[({\n,);]|\.\.\.|$|[ \t][\w:"'[@])/g,
    )) {
      if (names.size >= maxCalls * 4) break;
      names.add(name);
    }
    return [...names]
      .filter((name) => !literals.has(name) && name.length > 2 && !ofFrameworks.test(name))
      .slice(0, maxCalls);
  }
}

/** Of C, and of what was not parsed. */
const withoutCStrings = (source: string): string =>
  source.replaceAll(
    /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)'/g,
    (written) =>
      written.startsWith('/') ? written.replaceAll(/[^\n]/g, ' ') : `"${' '.repeat(Math.max(0, written.length - 2))}"`,
  );

function withoutStrings(source: string, tree: Node): string {
  const types = new Set<string>();
  for (const [index, type] of tree.tree.names.types.entries())
    if (tree.tree.names.isNamed[index] && blanked.test(type) && !notBlanked.test(type)) types.add(type);
  let code = '';
  let at = 0;
  for (const node of tree.descendantsOfType([...types])) {
    const { startIndex, endIndex } = node;
    if (startIndex < at || endIndex - startIndex < 2) continue;
    const isComment = node.type.includes('comment');
    const quote = isComment ? ' ' : '"';
    const inside = source.slice(startIndex + 1, endIndex - 1).replaceAll(/[^\n]/g, ' ');
    code += source.slice(at, startIndex) + quote + inside + quote;
    at = endIndex;
  }
  return code + source.slice(at);
}

/** Made when it is first asked for. */
function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

const maxStatementLength = 3_000;

/** What an assertion is given: to the end of its parentheses and of what is called upon it, or of its line. */
function statementFrom(text: string, from: number, isBare: boolean): string {
  let depth = 0;
  const last = Math.min(text.length, from + maxStatementLength);
  for (let at = from; at < last; at += 1) {
    const sign = text[at] ?? '';
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) {
      depth -= 1;
      if (depth < 0) return text.slice(from, at);
    } else if (depth === 0 && sign === ';') return text.slice(from, at);
    else if (depth === 0 && sign === '\n') {
      const next = text.slice(at + 1, at + 300).trimStart();
      const goesOn =
        /^(?:\.|\?\.|->|&&|\|\||and\b|or\b|==|shouldBe)/.test(next) ||
        /[,\\(=.]\s*$/.test(text.slice(Math.max(from, at - 80), at));
      if (!goesOn && (isBare || at > from)) return text.slice(from, at);
    }
  }
  return text.slice(from, last);
}

/** An assertion: what it is called by, and what it is given. */
interface Claim {
  start: number;
  called: string;
  given: string;
}

function* claimsIn(text: string, { asserts, bare }: TestFramework): Generator<Claim> {
  for (const { index: start, 0: called } of text.matchAll(asserts))
    yield { start, called, given: statementFrom(text, start + called.length, bare ?? false) };
}

/** Characters that looking at an assertion once more costs. */
const costOfClaim = 100;
const declaration = /([A-Za-z_$][\w$]{0,60})\s{0,9}:?=(?![=>])\s{0,9}(?=[[{"\d])/g;
/** What changes a name where it stands in an assertion. */
const counted = /(?:\+\+|--)\s?([\w$]{1,60})|(?<![\w$])([A-Za-z_$][\w$]{0,60})\s?(?:\+\+|--|[-+*/%|&^?]{1,2}=)/g;
const maxOwnLength = 2_000;

/** Names that are given a list, a map or a literal somewhere. */
const declaredIn = (text: string): Set<string> => new Set([...text.matchAll(declaration)].map(([, name = '']) => name));

/** Names that a test gives literals, lists and maps of them among these, and speaks of in assertions alone: nothing else can change what they hold. */
function ownNames(text: string, claims: readonly Claim[]): Set<string> {
  const own = new Map<string, number>();
  const other = new Set<string>();
  for (const { index, 0: written, 1: name = '' } of text.matchAll(declaration)) {
    const value = valueFrom(text, index + written.length);
    if (value === null || !isOfLiterals(value)) other.add(name);
    else own.set(name, (own.get(name) ?? 0) + 1 + timesIn(value, name));
  }
  for (const [, before = '', after = ''] of own.size === 0 ? [] : text.matchAll(counted)) other.add(before || after);
  for (const name of other) own.delete(name);
  if (own.size === 0) return new Set();
  // Overlapping ones, as of one assertion within another, count once.
  let end = 0;
  const spoken = new Map<string, number>();
  const all = countNames(text, own);
  for (const { start, called, given } of claims) {
    const from = Math.max(end, start);
    end = Math.max(end, start + called.length + given.length);
    for (const [name, times] of countNames(text.slice(from, end), own))
      spoken.set(name, (spoken.get(name) ?? 0) + times);
  }
  return new Set(
    [...own].filter(([name, times]) => all.get(name) === times + (spoken.get(name) ?? 0)).map(([name]) => name),
  );
}

function countNames(text: string, names: ReadonlyMap<string, number>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [name] of text.matchAll(/(?<![\w$.])[A-Za-z_$][\w$]{0,60}/g))
    if (names.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const timesIn = (text: string, name: string) => countNames(text, new Map([[name, 0]])).get(name) ?? 0;

/** A list or a map up to where it closes, or a literal up to the end of its statement; null where that is not in sight. */
function valueFrom(text: string, from: number): string | null {
  let depth = 0;
  const last = Math.min(text.length, from + maxOwnLength);
  for (let at = from; at < last; at += 1) {
    const sign = text[at] ?? '';
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    if (depth < 0 || (depth === 0 && (sign === ';' || sign === '\n'))) return text.slice(from, at);
  }
  return last === text.length ? text.slice(from) : null;
}

/** Keys may be names. */
const isOfLiterals = (value: string) =>
  /^(?:[\s,:[\]{}]|"[^"]*"|-?\d[\w.]*(?![\w.])|\b(?:true|false|null|undefined|None|True|False|nil)\b|[A-Za-z_$][\w$]*\s*:(?!:))*$/.test(
    value,
  );

/** The beginning of an assertion, without white space that says nothing. */
const compact = (text: string) =>
  text
    .slice(0, 400)
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([^\w$" ]) ?/g, '$1');

const subject = '(?:typeof )?[A-Za-z_$][\\w$]{0,80}';
const member = `${subject}(?:\\??\\.[A-Za-z_$][\\w$]{0,80}){0,6}`;
const message = '(?:,[^,()]{0,300})?';
const words = '\\.(?:[a-z]{2,4}\\.){0,4}';
/** Behind a subject: that it is there or not, is something, or is of a type. */
const presentBehind = [
  new RegExp(
    `^\\(${member}\\)${words}(?:toBeDefined|toBeNull|toBeUndefined|exists?|undefined|null|toBe|toEqual|toStrictEqual|equal|eql?|toBeInstanceOf|instance[oO]f)(?:\\((?:null|undefined|Object|Function)?\\))?$`,
  ),
  new RegExp(`^\\(${member}\\)${words}(?:toBeTypeOf|an?)\\("[^"]*"\\)$`),
  new RegExp(`^\\(${subject}\\)${words}(?:toBeTruthy|toBeFalsy|ok|true)(?:\\(\\))?$`),
  new RegExp(`^\\(typeof ${member}\\)${words}(?:toBe|toEqual|equal|eql?)\\("[^"]*"\\)$`),
];
/** Of an assertion that says so by its name, and of one that says nothing more than that its subject holds. */
const presentByName =
  /(?:[dD]efined|[nN]ot_?[nN](?:one|ull|il)|refute_nil|[eE]xists?|is(?:Object|Function)|callable)\s{0,9}$/;
const holds = /(?:^|[._])(?:assert|[aA]ssertTrue|assert_true|ok|True|truthy|isTrue|isOk|isTruthy|t)\s{0,9}$/;
const ofMember = new RegExp(`^\\((?:t,)?${member}${message}\\)$`);
const ofName = [new RegExp(`^\\((?:t,)?${subject}${message}\\)$`), new RegExp(`^${subject}${message}$`)];
const notNothing = [
  new RegExp(`^\\(?${member}(?: is not None|!==?(?:null|undefined|nil|None))${message}\\)?$`),
  new RegExp(`^\\(?typeof ${member}===?"[^"]*"${message}\\)?$`),
];

/** Whether an assertion says only that something is there: `expect(a).toBeDefined()`, `assert a is not None`, `ok(a)`. */
function saysPresence(called: string, given: string): boolean {
  const text = compact(given);
  const is = (pattern: RegExp) => pattern.test(text);
  if (presentBehind.some(is)) return true;
  return presentByName.test(called) ? is(ofMember) : holds.test(called) && [...ofName, ...notNothing].some(is);
}

/** Whether a test calls anything beside its assertions and what loads a module. */
function callsBeside(text: string, claims: readonly Claim[]): boolean {
  let rest = '';
  let at = 0;
  for (const { start, called, given } of claims) {
    rest += start > at ? text.slice(at, start) : '';
    at = Math.max(at, start + called.length + given.length);
  }
  rest += text.slice(at);
  const calls = [
    ...rest.matchAll(/(?<!\b(?:def|function|func|fun|fn|void)\s{1,9})(?<![\w$])([A-Za-z_$][\w$]{0,99})[!?]?\s{0,9}\(/g),
  ];
  return (
    calls.some(([, name = '']) => !ofFrameworks.test(name) && !loads.test(name)) ||
    /\b(?:await|new|yield)\s|<-|`/.test(rest)
  );
}

const loads =
  /^(?:require|import|import_module|__import__|importlib|function|async|TEST\w*|if|for|while|catch|return)$/;

/** Names that hold nothing but a literal where they stand. */
function constantsIn(text: string): ReadonlySet<string> {
  const fixed = new Set<string>();
  const other = new Set<string>();
  for (const [, name = '', value = ''] of text.matchAll(
    /([A-Za-z_$][\w$]{0,60})\s{0,9}(?::\s{0,9}[\w[\]<>]{1,40}\s{0,9})?:?=(?![=>])\s{0,9}([^\n;]{0,300})/g,
  )) {
    const isLiteral =
      /^(?:"[^"]{0,280}"|-?[\d_.]{1,40}\w{0,3}|true|false|True|False|None|nil|null|undefined)\s{0,9}[,)]?\s{0,9}$/.test(
        value,
      );
    (isLiteral ? fixed : other).add(name);
  }
  for (const [, before = '', after = ''] of text.matchAll(
    /(?:\+\+|--)([\w$]{1,60})|([A-Za-z_$][\w$]{0,60})\s{0,9}(?:\+\+|--|[-+*/%|&^?]{1,2}=|<<|\.(?:push|append|add)\b)/g,
  ))
    other.add(before || after);
  return new Set([...fixed].filter((name) => !other.has(name)));
}

/** Whether there is a name in it that is more than a literal, a matcher or the framework's own. */
function involves(text: string, fixed: ReadonlySet<string>, { neutral = [] }: TestFramework): boolean {
  const plain = text.replaceAll(/"[^"]*"/g, ' ');
  if (areSame(plain)) return false;
  if (ofItself.test(plain)) return true;
  for (const match of plain.matchAll(/(\.|->|::|\?\.)?\s{0,9}(?<![\w$])([A-Za-z_$@][\w$]{0,99})/g)) {
    const [, sign, name = ''] = match;
    // What a literal or an assertion is asked for says nothing; an argument of it may.
    if (sign !== undefined || literals.has(name) || neutral.includes(name) || fixed.has(name)) continue;
    return true;
  }
  return false;
}

/** A member of the test: what it holds was set by what is tested, perhaps. */
const ofItself = /(?<![\w$])(?:\$?this|self|static|cls)(?:->|::|\.)\$?(?!assert|expect|fail)\w/;

/** `equal(a, a)`, `equal(t, a, a, "…")`, `expect(a).toBe(a)`, `a is a`: both sides are one name. */
function areSame(text: string): boolean {
  const plain = compact(text);
  return sameSides.some((sides) => {
    const [, one, other] = sides.exec(plain) ?? [];
    return one !== undefined && one === other;
  });
}

const sameSides: readonly RegExp[] = [
  /^\((?:t,)?([\w$.]{1,80})(?:,|[=!]==?)([\w$.]{1,80})(?:,[^()]{0,200})?\)$/,
  /^\(([\w$.]{1,80})\)(?:\.\w{1,40}){1,6}\(([\w$.]{1,80})\)$/,
  /^([\w$.]{1,80})(?:[=!]==?| is(?: not)? | eql? )([\w$.]{1,80})(?:,[^()]{0,200})?$/,
];

/** Something decides whether it is reached, and not a literal. */
function hasCondition(before: string, isReal: (text: string) => boolean): boolean {
  for (const match of before.matchAll(
    /\b(?:if|elif|elsif|unless|while|switch|match|when|case|catch|except|rescue|for|else)\b([^\n]{0,200})/g,
  ))
    if (/^(?:catch|except|rescue)/.test(match[0]) || isReal((match[1] ?? '').split('{')[0] ?? '')) return true;
  // What should have thrown has not.
  const tried = /\b(?:try|begin)\b([^]*)$/.exec(before)?.[1];
  if (tried !== undefined && isReal(tried)) return true;
  return /\.catch\s{0,9}\(|\bor\s|\|\|/.test(before.slice(-300));
}
