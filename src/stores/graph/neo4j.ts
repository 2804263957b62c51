import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import neo4j, { type Driver, type ManagedTransaction, type RecordShape, type Session } from 'neo4j-driver';
import { edgeTypeSchema, nodeTypeSchema, type GraphEdge, type GraphNode, type NodeType } from '../../model/graph.ts';
import { batches, oneAtATime, whileGathering } from '../batches.ts';
import { StoreUnavailable } from '../errors.ts';
import { cypher } from './cypher.ts';
import {
  firstOfEach,
  toEdge,
  toNeighbor,
  toNode,
  type EdgeRow,
  type NeighborRow,
  type NodeProperties,
} from './neo4j-rows.ts';
import { createNeo4jWalks } from './neo4j-walks.ts';
import { repositoryOf } from './repository-of.ts';
import type { GraphSnapshot, GraphStore, RepositoryGraph } from './port.ts';

/** What one transaction holds while a version is written: some thousand nodes or edges. */
const BATCH_BYTES = 1_000_000;
/** For what walks over a whole repository, and for a batch of a load. */
const LONG_TIMEOUT_MS = 60_000;
/** A load waits so long for a server that starts, or changes its leader. */
const LOAD_RETRY_MS = 15_000;
/** A reader that meets a replacement reads again; more often than this in a row does not happen by chance. */
const ATTEMPTS = 10;

/**
 * The graph in Neo4j. A replacement is written beside the old nodes under a version of its own and shown at once by moving the
 * repository's :Snapshot to it; then the old version is deleted. Readers check that the version is still shown after they read.
 */
export async function openNeo4j({
  url,
  user = 'neo4j',
  password,
  timeoutMs = 3_000,
}: {
  url: string;
  user?: string;
  /** Without one, the server must not ask who is there. */
  password?: string | undefined;
  /** Of a question; what loads or walks over a repository has more time. */
  timeoutMs?: number;
}): Promise<GraphStore> {
  const auth = password === undefined ? undefined : neo4j.auth.basic(user, password);
  const driver = (connectMs: number, retryMs: number) =>
    neo4j.driver(url, auth, {
      disableLosslessIntegers: true,
      connectionTimeout: connectMs,
      connectionAcquisitionTimeout: connectMs,
      maxTransactionRetryTime: retryMs,
      // A connection that lay idle may lead nowhere by now.
      connectionLivenessCheckTimeout: 10_000,
      userAgent: 'repo-intel',
    });
  // A request must know soon, a load must succeed: each has connections of its own, which wait as long as it may.
  const drivers = { requests: driver(timeoutMs, 0), loads: driver(Math.max(timeoutMs, LOAD_RETRY_MS), LOAD_RETRY_MS) };
  const { ask, read } = transactions(drivers.requests, timeoutMs);
  const { read: scan, write } = transactions(drivers.loads, LONG_TIMEOUT_MS);
  /** One statement of a load, by its name, alone. */
  const look = <R extends RecordShape>(name: string, parameters?: Record<string, unknown>) =>
    write((run) => run<R>(cypher(name), parameters));
  const queues = new Map<string, ReturnType<typeof oneAtATime>>();
  /** Two replacements of one repository follow each other; different ones run side by side. */
  const inTurn = (repository: string) => {
    const queue = queues.get(repository) ?? oneAtATime();
    queues.set(repository, queue);
    return queue;
  };

  async function deleteUnusedVersions(repository: string): Promise<void> {
    const versions = await write((run) => run<{ version: string }>(cypher('unused-versions'), { repository }));
    for (const { version } of versions) {
      for (let deleted = 1; deleted > 0;) {
        const rows = await write((run) => run<{ deleted: number }>(cypher('delete-version-nodes'), { version }));
        deleted = rows[0]?.deleted ?? 0;
      }
      await write((run) => run(cypher('delete-version'), { version }));
    }
  }

  /** Writes the nodes and edges of a version that nobody sees yet, and counts those that are in the repository. */
  async function fillVersion(version: string, { repository, nodes, edges }: GraphSnapshot): Promise<Counts> {
    const counts: Counts = { nodes: {}, edges: {} };
    const elements = new Map<string, string>();
    const shared = new Set<string>();
    const replacedByAnother = () => new Error(`Another process replaces ${repository} at the same time.`);

    async function* nodeRows() {
      for await (const node of nodes) {
        if (isShared(node.type)) shared.add(node.id);
        else counts.nodes[node.type] = (counts.nodes[node.type] ?? 0) + 1;
        yield nodeRow(node);
      }
    }
    await whileGathering(batches(nodeRows(), BATCH_BYTES, bytesOf), async (rows) => {
      const [created] = await write((run) => run<{ elements: string[] }>(cypher('create-nodes'), { version, rows }));
      if (created?.elements.length !== rows.length) throw replacedByAnother();
      for (const [i, element] of created.elements.entries()) elements.set(rows[i]?.[1] ?? '', element);
    });

    async function* edgeRows() {
      for await (const edge of edges) {
        const [from, to] = [elements.get(edge.from), elements.get(edge.to)];
        if (from === undefined || to === undefined) continue;
        if (!shared.has(edge.from) || !shared.has(edge.to))
          counts.edges[edge.type] = (counts.edges[edge.type] ?? 0) + 1;
        yield edgeRow(edge, from, to);
      }
    }
    await whileGathering(batches(edgeRows(), BATCH_BYTES, bytesOf), async (rows) => {
      const [written] = await write((run) => run<{ created: number }>(cypher('create-edges'), { version, rows }));
      if (written?.created !== rows.length) throw replacedByAnother();
    });
    return counts;
  }

  /** Reads what belongs to one version; null when the repository is not held. */
  async function readVersion<T>(
    repository: string,
    work: (run: Run, version: string) => Promise<T>,
  ): Promise<T | null> {
    return read(async (run) => {
      const shown = async () => (await run<SnapshotRow>(cypher('snapshot'), { repository }))[0]?.version ?? null;
      for (let attempt = 1, version = await shown(); attempt <= ATTEMPTS && version !== null; attempt++) {
        const found = await work(run, version);
        const now = await shown();
        if (now === version) return found;
        version = now;
      }
      return null;
    });
  }

  async function repositories(only: string | undefined): Promise<string[]> {
    if (only !== undefined) return [only];
    return (await ask<SnapshotRow>('snapshots')).map(({ repository }) => repository);
  }

  return {
    engine: 'neo4j',

    replaceRepository: (snapshot) =>
      inTurn(snapshot.repository)(async () => {
        const { repository, generation } = snapshot;
        const [held] = await look<SnapshotRow>('snapshot', { repository });
        if (held?.generation === generation) return;
        await deleteUnusedVersions(repository);
        const version = randomUUID();
        await write((run) => run(cypher('create-version'), { version, repository }));
        try {
          const counts = await fillVersion(version, snapshot);
          await write(async (run) => {
            const parameters = { repository, generation, version, counts: JSON.stringify(counts) };
            const [published] = await run<{ old: string | null }>(cypher('publish-version'), parameters);
            if (published === undefined) throw new Error(`Another process replaces ${repository} at the same time.`);
            if (published.old !== null) {
              await run(cypher('move-links-out'), { repository, version, old: published.old });
              await run(cypher('move-links-in'), { repository, version, old: published.old });
            }
            await forgetLinks(run, repository, published.old ?? version);
          });
        } finally {
          // The old version, or what was written of one that failed.
          await deleteUnusedVersions(repository);
        }
      }),

    removeRepository: (repository) =>
      inTurn(repository)(async () => {
        const removed = await write(async (run) => {
          const [snapshot] = await run<SnapshotRow>(cypher('snapshot'), { repository });
          if (snapshot !== undefined) await forgetLinks(run, repository, snapshot.version);
          return run(cypher('remove-snapshot'), { repository });
        });
        await deleteUnusedVersions(repository);
        return removed.length > 0;
      }),

    replaceLinks: async ({ repository, generation, edges }) => {
      await write(async (run) => {
        await run(cypher('delete-links'), { repository });
        await run(cypher('delete-symbol-links'), { repository, version: null });
        const rows = edges.map((edge) => [...edgeRow(edge, edge.from, edge.to), repositoryOf(edge.to)]);
        for await (const batch of batches(rows, BATCH_BYTES, bytesOf))
          await run(cypher('create-links'), { repository, rows: batch });
        const targets = [...new Set(edges.map(({ to }) => repositoryOf(to)))];
        await run(cypher('set-links'), { repository, generation, targets });
      });
    },

    linkGenerations: async () =>
      new Map(
        (await look<SnapshotRow>('snapshots')).flatMap(({ repository, links }) =>
          links === null ? [] : [[repository, links] as const],
        ),
      ),

    generations: async () =>
      new Map((await look<SnapshotRow>('snapshots')).map((each) => [each.repository, each.generation])),

    repositoryGraph: () =>
      read(async (run) => {
        for (let attempt = 1; ; attempt++) {
          // All sent at once, and answered one after another.
          const [snapshots, nodes, edges, versions] = await Promise.all([
            run<SnapshotRow>(cypher('snapshots')),
            run<{ node: NodeProperties }>(cypher('repository-nodes')),
            run<EdgeRow>(cypher('repository-edges')),
            run<{ version: string }>(cypher('shown-versions')),
          ]);
          const unchanged = isDeepStrictEqual(
            snapshots.map(({ version }) => version),
            versions.map(({ version }) => version),
          );
          if (!unchanged && attempt < ATTEMPTS) continue;
          return {
            nodes: firstOfEach(nodes.map(({ node }) => toNode(node))),
            edges: edges.map(toEdge),
            counts: snapshots.map(({ repository, counts }) => countsOf(repository, counts)),
          };
        }
      }),

    neighbors: async (repository) => {
      for (let attempt = 1; ; attempt++) {
        const [found] = await ask<{ neighbors: NeighborRow[]; valid: boolean }>('neighbors', { repository });
        if (found === undefined) return null;
        if (found.valid || attempt === ATTEMPTS) return found.neighbors.map(toNeighbor);
      }
    },

    ...createNeo4jWalks(read),

    node: async (id) => {
      const [found] = await ask<{ node: NodeProperties }>('node', { id });
      return found === undefined ? null : toNode(found.node);
    },

    async *edges({ repository, types = edgeTypeSchema.options } = {}) {
      for (const name of await repositories(repository)) {
        const rows = await readVersion(name, (run, version) =>
          run<EdgeRow>(cypher('version-edges'), { version, types }),
        );
        for (const row of rows ?? []) yield toEdge(row);
      }
    },

    async *nodes({ repository, types = nodeTypeSchema.options } = {}) {
      const of = (name: string, wanted: readonly NodeType[]) =>
        readVersion(name, (run, version) =>
          run<{ node: NodeProperties }>(cypher('version-nodes'), { version, types: wanted }),
        );
      const own = types.filter((type) => type !== 'Contributor');
      for (const name of await repositories(repository)) {
        for (const { node } of (await of(name, own)) ?? []) yield toNode(node);
      }
      if (!types.includes('Contributor')) return;
      const contributors =
        repository === undefined
          ? await scan((run) => run<{ node: NodeProperties }>(cypher('contributors')))
          : await of(repository, ['Contributor']);
      yield* firstOfEach((contributors ?? []).map(({ node }) => toNode(node)));
    },

    ping: async () => {
      await ask('snapshot', { repository: '' });
    },

    close: async () => void (await Promise.all([drivers.requests.close(), drivers.loads.close()])),
  };
}

/** Runs one statement in a transaction. */
export type Run = <R extends RecordShape>(statement: string, parameters?: Record<string, unknown>) => Promise<R[]>;

/**
 * Transactions that say `StoreUnavailable` when the server does not answer in time; those that write try again what is only
 * passing, for as long as their driver does. The first one makes the schema: so a service starts, and answers what it can, while
 * Neo4j is away.
 */
function transactions(driver: Driver, timeoutMs: number) {
  let schema: Promise<void> | null = null;

  const runIn =
    (transaction: Pick<ManagedTransaction, 'run'>): Run =>
    async <R extends RecordShape>(statement: string, parameters: Record<string, unknown> = {}) =>
      (await transaction.run<R>(statement, parameters)).records.map((record) => record.toObject());

  async function within<T>(timeout: number, work: (session: Session) => Promise<T>): Promise<T> {
    const session = driver.session();
    const late = Promise.withResolvers<never>();
    // The server's own limit comes first, where it still answers.
    const timer = setTimeout(() => late.reject(new StoreUnavailable('graph')), timeout + 500);
    try {
      return await Promise.race([work(session), late.promise]);
    } catch (error) {
      throw isUnavailable(error) ? new StoreUnavailable('graph', { cause: error }) : error;
    } finally {
      clearTimeout(timer);
      // Not waited for: where the server is silent it would not come back.
      session.close().catch(() => undefined);
    }
  }

  async function createSchema(): Promise<void> {
    for (const statement of cypher('schema').split(/;$/m)) {
      if (statement.trim() === '') continue;
      await within(timeoutMs, (session) => session.executeWrite((transaction) => transaction.run(statement)));
    }
  }

  async function prepared(): Promise<void> {
    schema ??= createSchema();
    try {
      await schema;
    } catch (error) {
      schema = null;
      throw error;
    }
  }

  return {
    /** One statement, by its name, alone. */
    ask: async <R extends RecordShape>(name: string, parameters: Record<string, unknown> = {}): Promise<R[]> => {
      await prepared();
      return within(timeoutMs, async (session) => {
        const { records } = await session.run<R>(cypher(name), parameters, { timeout: timeoutMs });
        return records.map((record) => record.toObject());
      });
    },
    /** Not tried again by itself. */
    read: async <T>(work: (run: Run) => Promise<T>): Promise<T> => {
      await prepared();
      return within(timeoutMs, async (session) => {
        // Not waited for: it travels with what is run in it.
        const transaction = session.beginTransaction({ timeout: timeoutMs });
        const result = await work(runIn(transaction));
        await transaction.commit();
        return result;
      });
    },
    write: async <T>(work: (run: Run) => Promise<T>): Promise<T> => {
      await prepared();
      return within(timeoutMs, (session) =>
        session.executeWrite((transaction) => work(runIn(transaction)), { timeout: timeoutMs }),
      );
    },
  };
}

/** Takes away what leads from or to symbols of a version that goes, and says so to those who are to write them again. */
async function forgetLinks(run: Run, repository: string, version: string): Promise<void> {
  for (const owner of await run<{ repository: string }>(cypher('forget-links'), { repository }))
    await run(cypher('delete-symbol-links'), { ...owner, version });
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof neo4j.Neo4jError)) return false;
  return (
    error.retryable ||
    // The driver gives this one no code.
    error.message.startsWith('Connection acquisition timed out') ||
    error.code.startsWith('Neo.TransientError') ||
    error.code.startsWith('Neo.ClientError.Transaction.TransactionTimedOut') ||
    error.code.startsWith('Neo.ClientError.Security')
  );
}

interface SnapshotRow extends RecordShape {
  repository: string;
  generation: string;
  version: string;
  counts: string;
  /** The generation of its links; null where they are not whole. */
  links: string | null;
}

type Counts = Pick<RepositoryGraph['counts'][number], 'nodes' | 'edges'>;

function isShared(type: NodeType): boolean {
  return type === 'Repository' || type === 'Contributor';
}

/** By position, as create-nodes reads it: names in each row would cost both sides a sixth of their time. */
function nodeRow(node: GraphNode) {
  const { type, id, name, repository, kind, qualified_name, language, path, signature, doc, exported } = node;
  const [line, endLine] = [integer(node.line), integer(node.end_line)];
  const properties = JSON.stringify(node.properties);
  return [
    ...([type, id, name, repository, kind, qualified_name, language] as const),
    ...([path, line, endLine, signature, doc, exported, properties] as const),
  ] as const;
}

/** Likewise, between two nodes as the statement looks them up. */
function edgeRow({ type, weight, confidence, strategy, path, line }: GraphEdge, from: string, to: string) {
  return [type, from, to, weight, confidence, strategy, path, integer(line)] as const;
}

/** About what a row takes on its way. */
function bytesOf(row: readonly unknown[]): number {
  return row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
}

function integer(value: number | null) {
  return value === null ? null : neo4j.int(value);
}

/** Types in order, as every engine gives them. */
function countsOf(repository: string, json: string): RepositoryGraph['counts'][number] {
  const { nodes, edges } = JSON.parse(json) as Counts;
  return { repository, nodes, edges };
}
