import type { PipelineRun, PipelineRuns } from '../stores/relational/port.ts';
import type { Names } from './names.ts';

/** What is read of pipeline runs. */
export type RunReader = Pick<PipelineRuns, 'latest' | 'last' | 'succeeded' | 'metrics' | 'measurements'>;

/** The runs of what a caller sees, in the names by which he sees it. */
export function namedRuns(runs: RunReader, { has, keyOf, nameOf }: Names): RunReader {
  const inKeys = <Options extends { repository?: string }>(options: Options): Options =>
    options.repository === undefined ? options : { ...options, repository: keyOf(options.repository) };
  const named = (list: readonly PipelineRun[]) =>
    list
      .filter(({ repository }) => has(repository))
      .map((run) => ({ ...run, repository: nameOf(run.repository) }))
      // Of one repository they stay in their order.
      .toSorted((a, b) => (a.repository < b.repository ? -1 : a.repository > b.repository ? 1 : 0));
  return {
    latest: async (options = {}) => named(await runs.latest(inKeys(options))),
    last: async () => named(await runs.last()),
    succeeded: async (options) => named(await runs.succeeded(inKeys(options))),
    metrics: (ids) => runs.metrics(ids),
    measurements: (id) => runs.measurements(id),
  };
}
