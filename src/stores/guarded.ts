import type { GraphStore } from './graph/port.ts';
import { createGuard } from './guard.ts';
import type { RelationalStore } from './relational/port.ts';
import type { SearchStore } from './search/port.ts';

// What requests ask goes through the guard. Loads and exports do not: they take their time, and say when they fail.

/** A graph store on a server, guarded. */
export function guardGraph(store: GraphStore): GraphStore {
  const { read, circuit } = createGuard('graph', { timeoutMs: 3_000 });
  return {
    ...store,
    circuit,
    generations: () => read(() => store.generations()),
    linkGenerations: () => read(() => store.linkGenerations()),
    repositoryGraph: () => read(() => store.repositoryGraph()),
    neighbors: (repository) => read(() => store.neighbors(repository)),
    inside: (query) => read(() => store.inside(query)),
    adjacent: (query) => read(() => store.adjacent(query)),
    impact: (query) => read(() => store.impact(query)),
    path: (query) => read(() => store.path(query)),
    node: (id) => read(() => store.node(id)),
    ping: () => read(() => store.ping()),
  };
}

/** A search store on a server, guarded. */
export function guardSearch(store: SearchStore): SearchStore {
  const { read, circuit } = createGuard('search', { timeoutMs: 2_000 });
  return {
    ...store,
    circuit,
    generations: () => read(() => store.generations()),
    search: (query) => read(() => store.search(query)),
    ping: () => read(() => store.ping()),
  };
}

/** A relational store on a server, guarded. */
export function guardRelational(store: RelationalStore): RelationalStore {
  const { read, write, circuit } = createGuard('relational', { timeoutMs: 3_000 });
  const { accounts, checkouts, idempotency, pairings, reports, runs, snapshots, usage, webhooks } = store;
  const { evaluationRuns, mintRuns, taskInstances } = store;
  return {
    ...store,
    circuit,
    accounts: {
      ensureOrganization: (organization) => write(() => accounts.ensureOrganization(organization)),
      organizations: () => read(() => accounts.organizations()),
      principalByDigest: (digests) => read(() => accounts.principalByDigest(digests)),
      apiKeys: () => read(() => accounts.apiKeys()),
      keysByPepper: () => read(() => accounts.keysByPepper()),
    },
    snapshots: {
      ...snapshots,
      list: () => read(() => snapshots.list()),
      get: (repository) => read(() => snapshots.get(repository)),
    },
    runs: {
      begin: (repository) => write(() => runs.begin(repository)),
      fail: (id, error) => write(() => runs.fail(id, error)),
      latest: (options) => read(() => runs.latest(options)),
      succeeded: (options) => read(() => runs.succeeded(options)),
      list: (repository) => read(() => runs.list(repository)),
      metrics: (ids) => read(() => runs.metrics(ids)),
      measurements: (id) => read(() => runs.measurements(id)),
    },
    taskInstances: {
      ...taskInstances,
      list: (query) => read(() => taskInstances.list(query)),
      counts: (filter, by) => read(() => taskInstances.counts(filter, by)),
      get: (instanceId) => read(() => taskInstances.get(instanceId)),
    },
    mintRuns: { ...mintRuns, list: (page) => read(() => mintRuns.list(page)) },
    evaluationRuns: { ...evaluationRuns, list: (page) => read(() => evaluationRuns.list(page)) },
    usage: { append: (events) => write(() => usage.append(events)) },
    idempotency: { once: (request, execute) => write(() => idempotency.once(request, execute)) },
    checkouts: {
      find: (id) => read(() => checkouts.find(id)),
      setHosts: (organizationId, hosts) => write(() => checkouts.setHosts(organizationId, hosts)),
    },
    pairings: {
      owner: (of) => read(() => pairings.owner(of)),
      find: (selector) => read(() => pairings.find(selector)),
      expire: () => write(() => pairings.expire()),
    },
    reports: {
      claim: (options) => write(() => reports.claim(options)),
      renew: (claimed, options) => write(() => reports.renew(claimed, options)),
      release: (claimed, options) => write(() => reports.release(claimed, options)),
      succeed: (claimed, result) => write(() => reports.succeed(claimed, result)),
      fail: (claimed, error) => write(() => reports.fail(claimed, error)),
      expire: () => write(() => reports.expire()),
    },
    webhooks: {
      keep: (event) => write(() => webhooks.keep(event)),
      workOff: (changeOf) => write(() => webhooks.workOff(changeOf)),
    },
    tenant: (organizationId, work) => write(() => store.tenant(organizationId, work)),
    backlog: () => read(() => store.backlog()),
    ping: () => read(() => store.ping()),
  };
}
