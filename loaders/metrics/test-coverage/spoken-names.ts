/**
 * What the tests of a file speak of, in languages in which a name is from a place that its file tells: an import, a declaration, what
 * the language brings. What it brings, and what test frameworks bring, is not told: it says nothing of the repository.
 */
export interface SpokenNames {
  /**
   * Each kind of test once: the names that it speaks of; `*` for what stands outside of tests, `?` for what nobody can account for: a
   * module whose path is computed, or more names than are kept.
   */
  kinds: string[][];
  /** By test, which of them it is. */
  ofCase: number[];
  /** Likewise what stands outside of tests speaks of: set up, helpers, tests that are no functions. */
  outside: string[];
  /** Names that statements which load modules declare, with the line on which the statement ends. */
  loaded: Record<string, number>;
}

interface Part {
  start: number;
  end: number;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

interface Speech {
  /** What the language and its test frameworks bring. */
  known: ReadonlySet<string>;
  /** Statements that load modules, up to their end. */
  loads: RegExp;
  /** Calls that load modules from where nobody can tell by the names alone. */
  opaque: readonly RegExp[];
  /** Names that are declared: the groups hold them. */
  declares: readonly RegExp[];
  /** Likewise, but of what is given to a call by name. */
  assigns?: RegExp;
  /** Code within texts. */
  inTexts: RegExp;
  /** Where what a test is given, or keeps in itself, comes from elsewhere. */
  given: RegExp;
  /** What stands right above a test and names what it gives to it. */
  gives?: RegExp;
}

const ecmascript: Speech = {
  known: new Set(
    words(`
      abstract any arguments as asserts async await bigint boolean break case catch class const continue debugger declare default
      delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is
      keyof let module namespace never new null number object of override package private protected public readonly require return
      satisfies set static string super switch symbol this throw true try type typeof undefined unique unknown var void while with
      yield __dirname __filename
      AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean Buffer DataView Date Error EvalError
      FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN
      Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TextDecoder
      TextEncoder TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
      atob btoa clearImmediate clearInterval clearTimeout console decodeURI decodeURIComponent encodeURI encodeURIComponent escape
      isFinite isNaN parseFloat parseInt performance process queueMicrotask setImmediate setInterval setTimeout structuredClone
      unescape
      it test specify fit xit xtest describe xdescribe fdescribe suite context before after beforeEach afterEach beforeAll afterAll
      setup teardown suiteSetup suiteTeardown expect assert chai should sinon jest vi vitest jasmine td tap tape ava QUnit
      expectTypeOf assertType done fail spyOn only skip each t tt st`),
  ),
  loads:
    /(?<![\w$.])import\b(?!\s{0,9}[(.])[^;"'`]{0,3000}["'][^\n"']{0,300}["']|(?<![\w$.])(?:const|let|var)\s{1,9}(\{[^{}]{0,2000}\}|[A-Za-z_$][\w$]{0,99})\s{0,9}=\s{0,9}require\s{0,9}\([^()\n]{0,300}\)(?:\.[\w$]{1,99}){0,4}/g,
  opaque: [
    // A path that is computed. A template looks like any other text here.
    /(?<![\w$.])(?:require|import)\s{0,9}\((?!\s{0,99}(?:\)|(["'])[^\n"']{0,300}\1\s{0,99}[,)]))/g,
    /(?<![\w$.])(?:require|import)\s{0,9}\(\s{0,9}(?<text>["'`])/g,
    // What bundlers find by a pattern.
    /(?<![\w$.])(?:import\s{0,9}\.\s{0,9}meta\s{0,9}\.\s{0,9}glob|require\s{0,9}\.\s{0,9}context\b)/g,
    // How a test framework loads, but for what stands in for the module.
    /(?<![\w$.])(?:jest|vi|vitest)\s{0,9}\.\s{0,9}(?!\w{0,20}[mM]ock)\w{1,40}\s{0,9}(?:<[^;\n]{0,300}?>)?\s{0,9}\(\s{0,9}(?<path>["'`])/g,
  ],
  declares: [
    /(?<![\w$.])(?:const|let|var)\s{1,9}([A-Za-z_$][\w$]{0,99}|\{[^{}=]{0,500}\}|\[[^[\]=]{0,500}\])/g,
    /(?<![\w$.])(?:function|class)\b\s{0,9}\*?\s{0,9}([A-Za-z_$][\w$]{0,99})/g,
    // What is taken out of an object that a test is given is a fixture, and so from elsewhere.
    /\(([\w$\s,:?<>[\]|.=]{0,500})\)\s{0,9}(?::\s{0,9}[\w<>[\]]{1,60}\s{0,9})?=>/g,
    /(?<![\w$.])([A-Za-z_$][\w$]{0,99})\s{0,9}=>/g,
    /\bfunction\b\s{0,9}\*?\s{0,9}[\w$]{0,99}\s{0,9}\(([\w$\s,:?<>[\]|.=]{0,500})\)/g,
    /\bcatch\s{0,9}\(\s{0,9}([\w$]{1,99})/g,
  ],
  inTexts: /\$\{([^{}]{1,300})\}/g,
  given: /(?<![\w$.])this\s{0,9}\.|\.context\s{0,9}\./,
};

/** What every test of Python's own framework has. */
const unittest =
  'assert(?:(?:Not)?(?:Equal|Is|IsNone|In|IsInstance|AlmostEqual|Regex|RegexpMatches|Equals)|True|False|Raises(?:Regexp?)?|Warns(?:Regex)?|(?:No)?Logs|(?:Multi[lL]ine|Sequence|List|Tuple|Set|Dict|Count|Items|DictContainsSub)(?:Equal|set)|Greater(?:Equal)?|Less(?:Equal)?|_)|fail(?:If|Unless)?(?:Equal)?|skipTest|subTest';

const python: Speech = {
  known: new Set(
    words(`
      False None True and as assert async await break class continue def del elif else except finally for from global if import in is
      lambda match nonlocal not or pass raise return try while with yield case self cls
      ArithmeticError AssertionError AttributeError BaseException DeprecationWarning EOFError Ellipsis Exception FileExistsError
      FileNotFoundError FloatingPointError IOError ImportError IndexError KeyError KeyboardInterrupt LookupError MemoryError NameError
      ModuleNotFoundError NotImplemented NotImplementedError OSError OverflowError PermissionError RecursionError ResourceWarning
      RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SystemExit TimeoutError TypeError UnicodeDecodeError
      UnicodeEncodeError UnicodeError UserWarning ValueError Warning ZeroDivisionError
      abs all any ascii bin bool bytearray bytes callable chr classmethod complex delattr dict dir divmod enumerate filter float format
      frozenset getattr hasattr hash hex id int isinstance issubclass iter len list locals map max memoryview min next object oct ord
      pow print property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
      __file__ __name__ __main__
      pytest unittest mock monkeypatch tmp_path tmpdir capsys capfd caplog recwarn nose hypothesis given`),
  ),
  loads:
    /^[ \t]*(?:from[^\n]{1,300}?\bimport\b[ \t]*(?:\([^)]{0,3000}\)|[^\n\\]{0,1000}(?:\\\n[^\n\\]{0,1000}){0,20})|import\b[^\n]{1,1000})/gm,
  opaque: [/\bimportorskip\b/g],
  declares: [
    /\bfor\s{1,9}([\w\s,()]{1,300}?)\sin\b/g,
    /\bas\s{1,9}([A-Za-z_]\w{0,99})/g,
    /\blambda\s{1,9}([\w\s,]{1,300}):/g,
    /\b(?:def|class)\s{1,9}(\w{1,99})/g,
    // What the test itself is given is a fixture, and so from elsewhere; it stands first.
    /(?<=[\n;])[ \t]*(?:async[ \t]{1,9})?def\s{1,9}\w{1,99}\s{0,9}\(([\w\s,=:*.]{0,500})\)/g,
  ],
  assigns: /(?<=\n)[ \t]*([A-Za-z_][\w, \t]{0,300})(?::[^=\n]{1,200})?=(?!=)/g,
  inTexts: /\{([A-Za-z_][^{}]{0,300})\}/g,
  given: new RegExp(`(?<![\\w.])(?:self|cls)\\.(?!(?:${unittest})\\b)\\w`),
  gives: /@[\w.]{0,100}parametrize\([^@]{0,1500}$/,
};

const speeches: Readonly<Record<string, Speech>> = {
  JavaScript: ecmascript,
  TypeScript: ecmascript,
  TSX: ecmascript,
  Python: python,
};

const wordsOfLoads = new Set(['as', 'const', 'default', 'from', 'import', 'let', 'require', 'type', 'var']);
/** Stands among names for what nobody can account for. */
const unaccounted = '?';
const maxAbove = 2_000;
const maxNames = 60;
const maxKinds = 2_000;
/** Deno and Python's `os` start processes: only the one's tests and the other's paths are of the language. */
const identifier = /(?<![\w$#]|(?<!\.\.)\.\s{0,9})(?!(?:Deno\.test|os\.path)\b)[A-Za-z_$][\w$]{0,99}(?!\w)/g;

/** `code` is the source with its texts and comments blanked; null for a language in which names do not tell that much. */
export function spokenNames(
  file: { source: string; code: string; linguist: string | null; lineAt(index: number): number },
  cases: readonly Part[],
): SpokenNames | null {
  const { source, code, linguist, lineAt } = file;
  const ofLanguage = speeches[linguist ?? ''];
  if (!ofLanguage) return null;
  const loaded: Record<string, number> = {};
  const loads = [...code.matchAll(ofLanguage.loads)].flatMap((match): Part[] => {
    const part = { start: match.index, end: match.index + match[0].length };
    if (loadsUnseen(file, part, ofLanguage)) return [];
    for (const name of declaredNames(match[1] ?? '')) loaded[name] = lineAt(part.end);
    return [part];
  });
  const around = without(code.length, [...cases, ...loads]);
  const declaredOutside = declaredIn(around.map(({ start, end }) => code.slice(start, end)).join('\n'), ofLanguage);
  // What a file gives another meaning is what it says.
  const inLoads = loads.flatMap(({ start, end }) => code.slice(start, end).match(identifier) ?? []);
  const own = new Set([...declaredIn(code, ofLanguage), ...inLoads.filter((word) => !wordsOfLoads.has(word))]);
  const speech = { ...ofLanguage, known: new Set([...ofLanguage.known].filter((word) => !own.has(word))) };
  const outside = around.flatMap(({ start, end }) => [
    ...namesIn(code.slice(start, end), speech),
    ...namesInTexts(source.slice(start, end), speech),
    ...(loadsUnseen(file, { start, end }, speech) ? [unaccounted] : []),
  ]);
  const outsideNames = [...new Set(outside.filter((name) => !declaredOutside.has(name)))];
  const kinds = new Map<string, number>();
  const lists: string[][] = [];
  const ofCase = cases.map(({ start, end }) => {
    const parts = without(
      end,
      loads.filter((load) => load.start < end && load.end > start),
      start,
    );
    const text = parts.map((part) => code.slice(part.start, part.end)).join('\n');
    const declared = declaredIn(text, speech);
    const spoken = new Set([...namesIn(text, speech), ...namesInTexts(source.slice(start, end), speech)]);
    const free = [...spoken].filter((name) => !declared.has(name));
    const given = speech.gives?.exec(headOf(source, start))?.[0] ?? null;
    const isGiven = given !== null || speech.given.test(text) || free.some((name) => declaredOutside.has(name));
    const fromAbove = new Set(given?.match(/\w{1,100}/g));
    const names = free.filter((name) => !declaredOutside.has(name) && !fromAbove.has(name)).sort();
    const isOpaque = names.length > maxNames || loadsUnseen(file, { start, end }, speech);
    const all = isOpaque ? [unaccounted] : [...(isGiven ? ['*'] : []), ...names];
    const key = all.join(' ');
    const known = kinds.get(key) ?? lists.length;
    if (known >= maxKinds) return -1;
    if (known === lists.length) lists.push(all);
    kinds.set(key, known);
    return known;
  });
  return { kinds: lists, ofCase, outside: outsideNames.length > maxNames * 4 ? [unaccounted] : outsideNames, loaded };
}

/** Whether a part of a file loads what its names do not tell. */
function loadsUnseen(file: { source: string; code: string }, { start, end }: Part, { opaque }: Speech): boolean {
  const code = file.code.slice(start, end);
  return opaque
    .flatMap((pattern) => [...code.matchAll(pattern)])
    .some(({ index, 0: written, groups }) => {
      const at = start + index + written.length;
      if (groups?.['text']) return file.source[at - 1] === '`';
      // What a test framework is given may be any text.
      if (groups?.['path']) return /^(?:[.~#/]|@\/)/.test(file.source.slice(at, at + 2));
      return true;
    });
}

/** What stands between a test and the function before it. */
function headOf(source: string, start: number): string {
  const above = source.slice(Math.max(0, start - maxAbove), start);
  return above.slice(above.lastIndexOf('def ') + 1);
}

/** What is left of a text without these parts. */
function without(length: number, parts: readonly Part[], from = 0): Part[] {
  const left: Part[] = [];
  let at = from;
  for (const { start, end } of parts.toSorted((a, b) => a.start - b.start)) {
    if (start > at) left.push({ start: at, end: start });
    at = Math.max(at, end);
  }
  if (at < length) left.push({ start: at, end: length });
  return left;
}

function namesIn(text: string, { known }: Speech): string[] {
  const names: string[] = [];
  for (const { index, 0: name } of text.matchAll(identifier)) {
    if (known.has(name)) continue;
    const behind = text.slice(index + name.length, index + name.length + 10);
    // A key, or the name of an argument.
    const isKey =
      /^\s{0,9}(?::(?!:)|=(?![=>]))/.test(behind) && /[{(,]\s{0,99}$/.test(text.slice(Math.max(0, index - 100), index));
    if (!isKey) names.push(name);
  }
  return names;
}

const namesInTexts = (source: string, speech: Speech): string[] =>
  [...source.matchAll(speech.inTexts)].flatMap(([, inner = '']) => namesIn(inner, speech));

const declaredNames = (written: string): string[] =>
  written
    .replace(/^[{[(]/, '')
    .split(',')
    .flatMap((each) => /([A-Za-z_$][\w$]{0,99})\s{0,9}[\])}]?$/.exec((each.split(/[=?]/)[0] ?? '').trim())?.[1] ?? []);

function declaredIn(text: string, { declares, assigns }: Speech): Set<string> {
  const found = declares.flatMap((pattern) => [...text.matchAll(pattern)]);
  for (const match of assigns ? text.matchAll(assigns) : [])
    if (!/[(,]\s*$/.test(text.slice(Math.max(0, match.index - 100), match.index))) found.push(match);
  return new Set(found.flatMap(([, written = '']) => declaredNames(written)));
}
