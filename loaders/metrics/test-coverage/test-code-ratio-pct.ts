import type { MeasuredFile, MetricSource } from '../metric.ts';
import { assertingTests } from './tests-that-assert.ts';

/**
 * Test code lines for each hundred of production (Sigrid: 100 % is roughly 80 % coverage): of test files, which are told by their paths,
 * that assert something of the repository's own code, without the tests in them that do not.
 */
export const testCodeRatio: MetricSource = {
  id: 'test_code_ratio_pct',
  version: 4,
  measure(input) {
    const { files } = input;
    const lines = (some: readonly MeasuredFile[]) => some.reduce((sum, { measures }) => sum + measures.code, 0);
    const { lines: tested, tests, idle, apart, idleFiles } = assertingTests(input);
    const saying = (file: { idle: number; apart: number; tests: number }) => [
      ...(file.idle > 0 ? [`${file.idle} of ${file.tests} tests assert nothing`] : []),
      ...(file.apart > 0
        ? [`${file.apart} of ${file.tests} tests reach no code of the repository that does anything`]
        : []),
    ];
    const production = lines(files.filter(({ test }) => !test));
    if (production === 0) return { value: null, reason: 'no_source_code' };
    return {
      value: (100 * tested) / production,
      numerator: tested,
      denominator: production,
      evidence: [
        ...saying({ idle, apart, tests }).map((said) => ({ note: `${said} and are not counted` })),
        ...idleFiles.slice(0, maxIdleFiles).map((file) => ({
          path: file.path,
          line: file.line,
          note: saying(file).join(', '),
        })),
        ...untestedFolders(files).map(({ folder, code }) => ({
          path: folder,
          note: `${code} lines, no test file beside them or named after them`,
        })),
      ],
      quantities: { tests, without_assertion: idle, apart },
    };
  },
};

const maxIdleFiles = 20;

/** Folders with production code that no test lies in, nor carries the name of; the largest first. */
function untestedFolders(files: readonly MeasuredFile[]): { folder: string; code: number }[] {
  const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const tests = files.filter(({ test }) => test).map(({ path }) => path);
  const tested = new Set(tests.map(folderOf));
  const words = new Set(tests.flatMap((path) => path.toLowerCase().split(/[^a-z0-9]+/)));
  const folders = new Map<string, number>();
  for (const { path, test, measures } of files)
    if (!test) folders.set(folderOf(path), (folders.get(folderOf(path)) ?? 0) + measures.code);
  return [...folders]
    .filter(([folder]) => !tested.has(folder) && !words.has((folder.split('/').at(-1) ?? '').toLowerCase()))
    .map(([folder, code]) => ({ folder, code }))
    .filter(({ code }) => code > 0)
    .sort((a, b) => b.code - a.code || (a.folder < b.folder ? -1 : 1));
}
