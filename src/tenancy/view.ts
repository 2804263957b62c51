import type { GraphReader, GraphStore } from '../stores/graph/port.ts';
import type {
  ReadSnapshots,
  RelationalStore,
  StoredSnapshot,
  Tenant,
  VisibleRepository,
} from '../stores/relational/port.ts';
import type { SearchReader, SearchStore } from '../stores/search/port.ts';
import type { SourceReader, SourceStore } from '../stores/source/port.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { namedBenchmark } from './named-benchmark.ts';
import type { BenchmarkReader } from './named-benchmark.ts';
import { namedGraph } from './named-graph.ts';
import { namedRuns } from './named-runs.ts';
import type { NamedRunReader, RunReader } from './named-runs.ts';
import { namedSearch } from './named-search.ts';
import { namedSource } from './named-source.ts';
import { namesOf } from './names.ts';
import type { Names } from './names.ts';
import type { Visible } from './visible.ts';

/** Who looks: an organization, with a key that may be restricted to some repositories by the names that it sees. */
export interface Looker {
  organization: { id: string };
  repositories: readonly string[] | null;
}

/** Everything that products answer from, as one organization sees it. Whatever it doesn't see is not there. */
export interface View extends BenchmarkReader {
  names: Names;
  graph: GraphReader;
  search: SearchReader;
  source: SourceReader;
  runs: NamedRunReader;
  snapshots: ReadSnapshots;
  /** The organization's own. */
  sources: Pick<Tenant['sources'], 'list'>;
}

export type ViewOf = (looker: Looker) => Promise<View>;

/** Makes the view of each caller; `unclaimed` where that has what no organization has claimed, as a working tree. */
export function createViews(
  stores: {
    graph: GraphStore;
    search: SearchStore;
    source: SourceStore;
    relational: Pick<RelationalStore, 'tenant'>;
  },
  visible: Visible,
  unclaimed?: { snapshots: ReadSnapshots; runs: RunReader },
): ViewOf {
  const kept = createKeptAnswers((answer) =>
    Object.values(answer).reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0),
  );
  const viewOf = (seen: readonly VisibleRepository[], { organization, repositories }: Looker): View => {
    const names = namesOf(seen, repositories);
    const read = <T>(work: (tenant: Tenant) => Promise<T>): Promise<T> =>
      stores.relational.tenant(organization.id, work);
    return {
      names,
      graph: namedGraph(stores.graph.within(names.keys), names, kept),
      search: namedSearch(stores.search.within(names.keys), names),
      source: namedSource(stores.source.within(names.keys), names),
      runs: namedRuns(
        unclaimed?.runs ?? {
          latest: (options) => read(({ runs }) => runs.latest(options)),
          last: () => read(({ runs }) => runs.last()),
          succeeded: (options) => read(({ runs }) => runs.succeeded(options)),
          metrics: (ids) => read(({ runs }) => runs.metrics(ids)),
          measurements: (id) => read(({ runs }) => runs.measurements(id)),
        },
        names,
      ),
      sources: { list: (page) => read(({ sources }) => sources.list(page)) },
      snapshots: namedSnapshots(
        unclaimed?.snapshots ?? {
          get: (repository) => read(({ snapshots }) => snapshots.get(repository)),
          list: (repositories) => read(({ snapshots }) => snapshots.list(repositories)),
        },
        names,
      ),
      ...namedBenchmark(
        {
          taskInstances: {
            list: (query) => read(({ taskInstances }) => taskInstances.list(query)),
            counts: (filter, by) => read(({ taskInstances }) => taskInstances.counts(filter, by)),
            get: (id, repos) => read(({ taskInstances }) => taskInstances.get(id, repos)),
          },
          mintRuns: { list: (page) => read(({ mintRuns }) => mintRuns.list(page)) },
          evaluationRuns: { list: (page) => read(({ evaluationRuns }) => evaluationRuns.list(page)) },
          evaluationAttempts: {
            get: (id) => read(({ evaluationAttempts }) => evaluationAttempts.get(id)),
            text: (id, of) => read(({ evaluationAttempts }) => evaluationAttempts.text(id, of)),
          },
          evaluationOutcomes: {
            list: (query) => read(({ evaluationOutcomes }) => evaluationOutcomes.list(query)),
            models: (query) => read(({ evaluationOutcomes }) => evaluationOutcomes.models(query)),
            scores: (query) => read(({ evaluationOutcomes }) => evaluationOutcomes.scores(query)),
          },
        },
        names,
        repositories !== null,
      ),
    };
  };
  // Asked for by one request after the other, and the same until something is shared or loaded.
  const known = new WeakMap<readonly VisibleRepository[], { organizationId: string; view: View }>();
  return async (looker) => {
    const { organization, repositories } = looker;
    const seen = await visible(organization.id);
    if (repositories !== null) return viewOf(seen, looker);
    const before = known.get(seen);
    if (before?.organizationId === organization.id) return before.view;
    const view = viewOf(seen, looker);
    known.set(seen, { organizationId: organization.id, view });
    return view;
  };
}

function namedSnapshots(snapshots: ReadSnapshots, { has, keyOf, nameOf, shown }: Names): ReadSnapshots {
  const named = (snapshot: StoredSnapshot): StoredSnapshot => ({
    ...snapshot,
    repository: nameOf(snapshot.repository),
  });
  return {
    async get(repository) {
      const found = await snapshots.get(keyOf(repository));
      return found && named(found);
    },
    async list(repositories) {
      const asked = repositories && new Set(repositories);
      const keys = asked && shown.filter(({ name }) => asked.has(name)).map(({ key }) => key);
      return (await snapshots.list(keys)).filter(({ repository }) => has(repository)).map(named);
    },
  };
}
