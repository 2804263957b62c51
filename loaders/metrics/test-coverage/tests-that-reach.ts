import { posix } from 'node:path';
import type { MeasuredFile, MetricInput } from '../metric.ts';
import type { TestCase } from './test-cases.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Modules that come with Node, or are test frameworks and their doubles, and start, load, ask and read nothing. */
const ofEcmascript = new Set([
  ...words(`
    assert assert/strict async_hooks buffer console constants crypto diagnostics_channel events os path path/posix path/win32
    perf_hooks punycode querystring stream stream/promises string_decoder sys test timers timers/promises tty url util util/types
    zlib`).flatMap((name) => [name, `node:${name}`]),
  ...words(`
    mocha jest @jest/globals vitest jasmine jasmine-core chai should should.js expect expect.js unexpected must power-assert
    better-assert ava tap tape qunit qunitjs sinon sinon-chai chai-as-promised chai-spies testdouble uvu uvu/assert bun:test`),
]);

/** Likewise of Python. */
const ofPython = new Set(
  words(`
    __future__ abc array base64 binascii bisect calendar cmath collections collections.abc contextlib copy csv dataclasses datetime
    decimal difflib enum fractions functools gc hashlib heapq hmac html io itertools json keyword locale logging math numbers operator
    os.path posixpath ntpath pprint queue random re secrets statistics string struct sys textwrap time traceback types typing
    typing_extensions unittest unittest.mock mock uuid warnings weakref zlib zoneinfo
    pytest nose nose.tools hypothesis hypothesis.strategies parameterized ddt testfixtures assertpy hamcrest flexmock`),
);

/** Of one file, which tests reach production. */
interface ReachOfFile {
  /** By the number of the test in its file. */
  cases: readonly boolean[];
  /** What stands outside of tests does. */
  outside: boolean;
}

/** Files of which one must lead to code that does something; true where nothing need be asked of others. */
type Behind = true | readonly string[];

/**
 * Which tests reach production: by a name that they speak of which is imported from it, or from what leads to it, or that nobody can
 * account for, as a fixture, a global or a package may start it or ask it. What is the language's, the test framework's or the
 * test's own reaches nothing, nor does code that does nothing. Gives null for a file whose language does not tell.
 */
export function reachOf(
  input: Pick<MetricInput, 'files' | 'documents' | 'imports'>,
): (file: MeasuredFile) => ReachOfFile | null {
  const paths = new Set(input.files.map(({ path }) => path));
  const inside = Map.groupBy(input.imports, ({ path }) => path);
  const documents = new Map(input.documents.map((document) => [document.path, document]));
  const production = input.files.filter(({ test, language }) => !test && language === 'Python');
  const pythonModules = new Set(production.map(({ path }) => moduleName(path)));
  const packages = Map.groupBy(production, ({ path }) => packageOf(path));
  const loadsOf = (path: string): readonly Load[] => {
    const own = Map.groupBy(inside.get(path) ?? [], ({ line }) => line);
    const imports = documents.get(path)?.facts.imports ?? [];
    return imports.map(({ module, local, line }) => ({
      module,
      local,
      line,
      to: own.get(line)?.flatMap(({ to }) => to) ?? [],
    }));
  };
  const behindProduction = (file: MeasuredFile): Behind => {
    const { functions, code } = file.measures;
    if (!functions || functions.some(({ idle }) => !idle)) return true;
    if (code === 0 && isPackage(file.path))
      return packages.get(posix.dirname(file.path))?.map(({ path }) => path) ?? [];
    return behindIdle(functions, code, loadsOf(file.path));
  };
  let leading: ReadonlySet<string> | null = null;
  const leads = (behind: Behind): boolean => {
    if (behind === true) return true;
    leading ??= leadingFiles(
      input.files.map((file) => [file.path, file.test ? (spokenIn(file)?.outside ?? true) : behindProduction(file)]),
    );
    // What is not measured may do anything.
    return behind.some((path) => leading?.has(path) || !paths.has(path));
  };
  function spokenIn({ path, language, measures }: MeasuredFile): BehindTests | null {
    const spoken = measures.tests?.spoken;
    if (!spoken || !documents.has(path)) return null;
    const loads = loadsOf(path);
    const cases = measures.tests?.cases ?? [];
    const isOfLanguage = (module: string): boolean =>
      language === 'Python'
        ? ofPython.has(module) && !pythonModules.has(module.split('.')[0] ?? '')
        : ofEcmascript.has(module);
    const behindLoad = ({ module, to }: Load): Behind => (to.length > 0 ? to : isOfLanguage(module) ? [] : true);
    const behindName = (name: string): Behind => {
      const line = spoken.loaded[name];
      const from = loads.filter((load) => load.local === name || (load.local === '' && load.line === line));
      return from.length === 0 ? line === undefined || [] : together(from.map(behindLoad));
    };
    const named = new Set(Object.values(spoken.loaded));
    const isIn = ({ line, endLine }: TestCase, load: Load) => load.line >= line && load.line <= endLine;
    // What is loaded for nothing but what it does then may change what the language brings.
    const isSilent = (load: Load) =>
      load.local === '' && load.to.length > 0 && !named.has(load.line) && !cases.some((each) => isIn(each, load));
    const all = together(loads.filter(isSilent).map(behindLoad));
    const outside = together([all, ...spoken.outside.map(behindName)]);
    const kinds = spoken.kinds.map((names) =>
      together(names.map((name) => (name === '*' ? outside : behindName(name)))),
    );
    return {
      outside,
      ofCase: (each, index) =>
        together([
          all,
          kinds[spoken.ofCase[index] ?? -1] ?? true,
          ...loads.filter((load) => isIn(each, load)).map(behindLoad),
        ]),
    };
  }
  return (file) => {
    const behind = spokenIn(file);
    if (!behind) return null;
    const cases = file.measures.tests?.cases ?? [];
    return { outside: leads(behind.outside), cases: cases.map((each, index) => leads(behind.ofCase(each, index))) };
  };
}

interface BehindTests {
  outside: Behind;
  ofCase(test: TestCase, index: number): Behind;
}

interface Load {
  module: string;
  local: string;
  line: number;
  /** Files of the repository. */
  to: readonly string[];
}

const together = (each: readonly Behind[]): Behind =>
  each.includes(true) ? true : [...new Set(each.flatMap((behind) => (behind === true ? [] : behind)))];

/** Files that do something, or lead to one that does or that is not among them; circles of imports among them are fine. */
function leadingFiles(files: readonly (readonly [string, Behind])[]): ReadonlySet<string> {
  const paths = new Set(files.map(([path]) => path));
  const importers = new Map<string, string[]>();
  const leading = new Set<string>();
  for (const [path, behind] of files) {
    if (behind === true || behind.some((each) => !paths.has(each))) {
      leading.add(path);
      continue;
    }
    for (const each of behind) {
      const known = importers.get(each);
      if (known) known.push(path);
      else importers.set(each, [path]);
    }
  }
  // A set that grows is walked to its end.
  for (const path of leading) for (const importer of importers.get(path) ?? []) leading.add(importer);
  return leading;
}

const isPackage = (path: string): boolean => posix.basename(path) === '__init__.py';
/** The name by which Python imports a file from its folder. */
const moduleName = (path: string): string => posix.basename(isPackage(path) ? posix.dirname(path) : path, '.py');
/** The folder whose package a file, or the package that it is, belongs to. */
const packageOf = (path: string): string => posix.dirname(isPackage(path) ? posix.dirname(path) : path);

/** A file that only hands on what it loads may have so many other lines, and one for each function. */
const maxHandingOn = 2;

/** Of a file whose functions do nothing. */
function behindIdle(functions: readonly { code: number }[], code: number, loads: readonly Load[]): Behind {
  const within = functions.reduce((sum, each) => sum + each.code, 0);
  const loading = new Set(loads.map(({ line }) => line)).size;
  const own = loads.flatMap(({ to }) => to);
  if (functions.length === 0 && own.length === 0) return code > 0 || [];
  return code - within - loading > maxHandingOn + functions.length || own;
}
