import { analyze } from '../../../loaders/analyze.ts';
import type { AnalyzeOptions } from '../../../loaders/analyze.ts';
import type { Measurements, Metric, MetricId } from '../../../src/model/due-diligence.ts';
import { gitRepository } from '../../support/git-repository.ts';
import type { FileContent, GitRepository } from '../../support/git-repository.ts';

/** What loading a repository measures, by metric. */
export async function metricsOf(
  path: string,
  options: AnalyzeOptions = {},
): Promise<{ metric: (id: MetricId) => Metric; measurements: Measurements }> {
  const { measurements } = (await analyze(path, options)).snapshot;
  if (!measurements) throw new Error('Nothing was measured.');
  const metric = (id: MetricId) => {
    const found = measurements.metrics.find((each) => each.id === id);
    if (!found) throw new Error(`The matrix has no ${id}.`);
    return found;
  };
  return { metric, measurements };
}

/** The same of a repository with these files in one commit. */
export async function metricsOfFiles(files: Record<string, FileContent>, options: AnalyzeOptions = {}) {
  using repository = gitRepository({ files });
  return await metricsOf(repository.path, options);
}

/** So many commits of one person, each of which changes these files. */
export function commits(
  repository: GitRepository,
  person: string,
  dates: readonly string[],
  files: (index: number) => Record<string, FileContent>,
): void {
  const author = { name: person, email: `${person.toLowerCase()}@example.org` };
  for (const [index, date] of dates.entries())
    repository.commit(`${person} ${index}`, { author, date, files: files(index) });
}

/** The same moment of so many days, one week apart, up to a day. */
export const weekly = (until: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(until) - (count - 1 - index) * 7 * 86_400_000).toISOString(),
  );
