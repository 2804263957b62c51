import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AccessRecord } from '../http/access-record.ts';
import type { Circuit } from '../stores/guard.ts';
import type { Stores } from '../stores/open.ts';

/** What the process counts about itself, for Prometheus. */
export interface Metrics {
  /** Counts a request that has been answered. */
  answered(record: Pick<AccessRecord, 'operation' | 'status' | 'code' | 'ms' | 'organization_id'>): void;
  /** Where they are all registered. */
  readonly registry: Registry;
  /** All of it, in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Seconds; the limits of the design among them. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10.5];

/** Refused before anything was done: not known, too often, too much at once, going down. */
const refusals = new Set([401, 429]);
const turnedAway = new Set(['overloaded', 'shutting_down']);

/** Of so many organizations each is counted by itself, and those that come later together. */
const maxOrganizations = 1_000;

/**
 * Counts requests (`inFlight`: those that are not answered yet) and calls of the stores; the process itself (processor, memory, event loop)
 * comes with it.
 */
export function createMetrics(
  { graph, search, source, relational, ephemeral, disk }: Stores,
  inFlight: () => number,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'ris_http_request_duration_seconds',
    help: 'Requests answered, by operation and class of status.',
    labelNames: ['operation', 'status'] as const,
    buckets,
    registers,
  });
  const refused = new Counter({
    name: 'ris_http_refused_total',
    help: 'Requests refused before anything was done, by error code.',
    labelNames: ['code'] as const,
    registers,
  });
  const byOrganization = new Counter({
    name: 'ris_organization_requests_total',
    help: 'Requests answered, by the id of the organization that asked and class of status.',
    labelNames: ['organization_id', 'status'] as const,
    registers,
  });
  const organizations = new Set<string>();
  const labelOf = (id: string) => {
    if (organizations.size < maxOrganizations) organizations.add(id);
    return organizations.has(id) ? id : 'other';
  };
  /** Adds numbers that are asked for whenever somebody looks; those that can't be told then are left out. */
  const gauges = (
    name: string,
    label: string,
    help: string,
    read: () => Promise<Readonly<Record<string, number>>>,
  ): void => {
    const several = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [],
      async collect() {
        this.reset();
        // A store that is away is no reason to tell nothing.
        const values = await read().catch(() => ({}));
        for (const [value, number] of Object.entries(values)) this.set({ [label]: value }, number);
      },
    });
    registry.registerMetric(several);
  };
  const gauge = (name: string, help: string, read: () => number): void => {
    const one = new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(read());
      },
    });
    registry.registerMetric(one);
  };
  gauge('ris_http_requests_in_flight', 'Requests not yet answered.', inFlight);
  gauge('ris_ledger_waiting', 'Metered calls that this process holds on their way to the ledger.', ephemeral.waiting);
  gauge('ris_ledger_reserved_bytes', 'Room on the disk reserved for metered calls.', ephemeral.reservedBytes);
  gauge('ris_disk_free_bytes', 'Free on the disk of the data folder.', () => disk.look().freeBytes ?? NaN);
  gauge('ris_disk_min_free_bytes', 'With less, nothing new is stored.', () => disk.look().minFreeBytes);
  gauge('ris_disk_low', '1 while nothing new is stored for want of room.', () => Number(disk.look().isLow));
  gauges('ris_backlog', 'of', 'What waits to be done or is under way, of all instances.', async () => ({
    ...(await relational.backlog()),
  }));
  gauges('ris_repositories', 'organization_id', 'Repositories that are known, by the id of their owner.', async () =>
    Object.fromEntries(
      [...Map.groupBy(await relational.repositories.list(), (each) => each.organization_id)].map(([id, own]) => [
        id,
        own.length,
      ]),
    ),
  );
  gauges('ris_store_rebuilding', 'store', '1 while it is made anew from the snapshots.', async () => ({
    graph: Number(Boolean(graph.healing?.rebuilding)),
    search: Number(Boolean(search.healing?.rebuilding)),
    source: Number(Boolean(source.healing?.rebuilding)),
  }));
  measureCircuits(registry, { graph, search, source, relational, ephemeral });
  return {
    answered({ operation, status, code, ms, organization_id: id }) {
      const group = `${Math.floor(status / 100)}xx`;
      requests.observe({ operation: operation ?? 'none', status: group }, ms / 1_000);
      if (id !== null) byOrganization.inc({ organization_id: labelOf(id), status: group });
      if (code !== null && (refusals.has(status) || turnedAway.has(code))) refused.inc({ code });
    },
    registry,
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** How the calls to each server went; an embedded store has no circuit. */
function measureCircuits(registry: Registry, stores: Record<string, { circuit?: Circuit }>): void {
  const circuits = Object.entries(stores).flatMap(([store, { circuit }]) => (circuit ? [{ store, circuit }] : []));
  const counter = (name: string, help: string, read: (circuit: Circuit) => number) =>
    new Counter({
      name,
      help,
      labelNames: ['store'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { store, circuit } of circuits) this.inc({ store }, read(circuit));
      },
    });
  counter('ris_store_calls_total', 'Calls to the server of a store.', ({ calls }) => calls);
  counter('ris_store_failures_total', 'Calls that the server did not answer, or not in time.', (one) => one.failures);
  counter('ris_store_seconds_total', 'Time that all calls to the server took together.', ({ seconds }) => seconds);
  const open = new Gauge({
    name: 'ris_store_circuit_open',
    help: '1 while a server is taken to be away, and not asked.',
    labelNames: ['store'],
    registers: [],
    collect() {
      for (const { store, circuit } of circuits) this.set({ store }, circuit.state === 'closed' ? 0 : 1);
    },
  });
  registry.registerMetric(open);
}
