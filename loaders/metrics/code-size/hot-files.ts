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

/** The hottest of them, production before tests; of each those that nobody changes come last, the most complex first. */
export function hottest(files: readonly Hotspot[]): Hotspot[] {
  const heat = ({ complexity, changes_12m: changes }: Hotspot) => complexity * changes;
  return files
    .toSorted(
      (a, b) =>
        Number(a.test ?? false) - Number(b.test ?? false) ||
        heat(b) - heat(a) ||
        b.complexity - a.complexity ||
        (a.path < b.path ? -1 : 1),
    )
    .slice(0, keptFiles);
}

/** Of its functions together; where they are not known, its length stands in. */
function complexityOf({ measures }: MeasuredFile): number {
  return measures.functions?.reduce((sum, { complexity }) => sum + complexity, 0) ?? Math.round(measures.code / 10);
}
