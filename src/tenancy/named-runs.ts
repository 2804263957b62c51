import type { PipelineRun, PipelineRuns } from '../stores/relational/port.ts';
import type { Names } from './names.ts';

/** What is read of pipeline runs. */
export type RunReader = Pick<PipelineRuns, 'latest' | 'last' | 'succeeded' | 'metrics' | 'measurements'>;

/** A run of what a caller sees, in the names by which he sees it. */
export type NamedRun = PipelineRun & { full_name: string | null };

/** Reads such runs. */
export type NamedRunReader = Pick<RunReader, 'metrics' | 'measurements'> & {
  [Call in 'latest' | 'last' | 'succeeded']: (...options: Parameters<RunReader[Call]>) => Promise<NamedRun[]>;
};

/** The runs of what a caller sees. */
export function namedRuns(runs: RunReader, { has, keyOf, nameOf, fullNameOf }: Names): NamedRunReader {
  const inKeys = <Options extends { repository?: string }>(options: Options): Options =>
    options.repository === undefined ? options : { ...options, repository: keyOf(options.repository) };
  const named = (list: readonly PipelineRun[]) =>
    list
      .filter(({ repository }) => has(repository))
      .map((run): NamedRun => {
        const repository = nameOf(run.repository);
        return { ...run, repository, full_name: fullNameOf(repository) };
      })
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
