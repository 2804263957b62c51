import { builtinModules } from 'node:module';
import type { MeasuredFile, MetricInput } from '../metric.ts';
import type { TestCase } from './test-cases.ts';

/** What comes with a language, with its test frameworks or their doubles, and starts, asks and reads nothing. */
const ofLanguages = new Set([
  ...'assert assert/strict async_hooks buffer console constants crypto diagnostics_channel events os path path/posix path/win32 perf_hooks punycode querystring stream stream/promises string_decoder sys test timers timers/promises tty url util util/types zlib'
    .split(' ')
    .filter((name) => builtinModules.includes(name) || name === 'test')
    .flatMap((name) => [name, `node:${name}`]),
  ...'mocha jest @jest/globals vitest jasmine jasmine-core chai should should.js expect expect.js unexpected must power-assert better-assert ava tap tape qunit qunitjs sinon sinon-chai chai-as-promised chai-spies testdouble proxyquire rewire uvu uvu/assert bun:test deno'.split(
    ' ',
  ),
  ...'__future__ abc array base64 binascii bisect builtins calendar cmath collections collections.abc contextlib copy csv dataclasses datetime decimal difflib doctest enum fractions functools gc hashlib heapq hmac html io itertools json keyword locale logging math numbers operator os.path pprint posixpath ntpath queue random re secrets statistics string struct textwrap time timeit traceback types typing typing_extensions unittest unittest.mock mock uuid warnings weakref zlib zoneinfo pytest nose nose.tools hypothesis hypothesis.strategies parameterized ddt testfixtures assertpy hamcrest flexmock'.split(
    ' ',
  ),
]);

/** Of one file, which tests reach production. */
interface ReachOfFile {
  /** By the number of the test in its file. */
  cases: readonly boolean[];
  /** What stands outside of tests does. */
  outside: boolean;
}

/**
 * Which tests reach production: by a name that they speak of which is imported from it, or from what leads to it, or that nobody can
 * account for, as a fixture, a global or a package may start it or ask it. What is the language's, the test framework's or the
 * test's own reaches nothing, nor does code that does nothing. Gives null for a file whose language does not tell.
 */
export function reachOf(
  input: Pick<MetricInput, 'files' | 'documents' | 'imports'>,
): (file: MeasuredFile) => ReachOfFile | null {
  const files = new Map(input.files.map((file) => [file.path, file]));
  const inside = Map.groupBy(input.imports, ({ path }) => path);
  const documents = new Map(input.documents.map((document) => [document.path, document]));
  const known = new Map<string, boolean>();
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
  const leadsFrom = ({ module, to }: Load): boolean => (to.length > 0 ? to.some(leads) : !ofLanguages.has(module));
  /** Whether there is code in a file, or behind it, that does something. */
  function leads(path: string): boolean {
    const before = known.get(path);
    if (before !== undefined) return before;
    known.set(path, false);
    const file = files.get(path);
    const found = !file || (file.test ? reach(file)?.outside !== false : doesSomething(file, loadsOf(path), leads));
    known.set(path, found);
    return found;
  }
  function reach({ path, measures }: MeasuredFile): ReachOfFile | null {
    const spoken = measures.tests?.spoken;
    if (!spoken || !documents.has(path)) return null;
    const loads = loadsOf(path);
    const cases = measures.tests?.cases ?? [];
    const isIn = ({ line, endLine }: TestCase, load: Load) => load.line >= line && load.line <= endLine;
    const speaks = (name: string): boolean => {
      const line = spoken.loaded[name];
      const from = loads.filter((load) => load.local === name || (load.local === '' && load.line === line));
      return from.length === 0 ? line === undefined : from.some(leadsFrom);
    };
    const named = new Set(Object.values(spoken.loaded));
    // What is loaded for nothing but what it does then may change what the language brings.
    const isSilent = (load: Load) => load.local === '' && load.to.length > 0 && !named.has(load.line);
    const all = loads.some((load) => isSilent(load) && !cases.some((each) => isIn(each, load)) && leadsFrom(load));
    const outside = all || spoken.outside.some(speaks);
    const kinds = spoken.kinds.map((names) => names.some((name) => (name === '*' ? outside : speaks(name))));
    return {
      outside,
      cases: cases.map(
        (each, index) =>
          all ||
          (kinds[spoken.ofCase[index] ?? -1] ?? true) ||
          loads.some((load) => isIn(each, load) && leadsFrom(load)),
      ),
    };
  }
  return reach;
}

interface Load {
  module: string;
  local: string;
  line: number;
  /** Files of the repository. */
  to: readonly string[];
}

/** Lines beside functions and imports that only hand on what these give. */
const maxHandingOn = 2;

function doesSomething({ measures }: MeasuredFile, loads: readonly Load[], leads: (path: string) => boolean): boolean {
  const { functions, code } = measures;
  if (!functions || functions.some(({ idle }) => !idle)) return true;
  const within = functions.reduce((sum, each) => sum + each.code, 0);
  const loading = new Set(loads.map(({ line }) => line)).size;
  const own = loads.flatMap(({ to }) => to);
  if (functions.length === 0 && own.length === 0) return code > 0;
  return code - within - loading > maxHandingOn + functions.length || own.some(leads);
}
