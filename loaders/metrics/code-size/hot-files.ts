import type { Hotspot } from '../../../src/model/due-diligence.ts';
import type { MeasuredFile, MetricInput } from '../metric.ts';
import { isHuman } from '../people.ts';

/** So many files are kept of a repository. */
const keptFiles = 200;

/** Every source file with its complexity and its changes within twelve months; without a history nothing was changed. */
export function hotFiles({ files, history }: Pick<MetricInput, 'files' | 'history'>): Hotspot[] {
  const touches = new Map<string, { count: number; people: Set<string> }>();
  for (const commit of history?.commits ?? []) {
    if (!isHuman(commit)) continue;
    for (const path of commit.paths ?? []) {
      const touched = touches.get(path) ?? { count: 0, people: new Set() };
      touched.count += 1;
      touched.people.add(commit.author);
      touches.set(path, touched);
    }
  }
  return files.map((file) => ({
    path: file.path,
    code: file.measures.code,
    complexity: complexityOf(file),
    changes_12m: touches.get(file.path)?.count ?? 0,
    people_12m: touches.get(file.path)?.people.size ?? 0,
    ...(file.test && { test: true }),
  }));
}

/**
 * The hottest of them, production before tests, which have a quarter of the places where there are too many of both; of each those that
 * nobody changes come last, the most complex first.
 */
export function hottest(files: readonly Hotspot[]): Hotspot[] {
  const heat = ({ complexity, changes_12m: changes }: Hotspot) => complexity * changes;
  const inOrder = files.toSorted(
    (a, b) => heat(b) - heat(a) || b.complexity - a.complexity || (a.path < b.path ? -1 : 1),
  );
  const tests = inOrder.filter(({ test }) => test);
  const production = inOrder.filter(({ test }) => !test);
  const forTests = Math.min(tests.length, Math.max(keptFiles / 4, keptFiles - production.length));
  return [...production.slice(0, keptFiles - forTests), ...tests.slice(0, forTests)];
}

/** Of its functions together; where they are not known, its length stands in. */
function complexityOf({ measures }: MeasuredFile): number {
  return measures.functions?.reduce((sum, { complexity }) => sum + complexity, 0) ?? Math.round(measures.code / 10);
}
