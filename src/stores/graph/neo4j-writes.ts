import { randomUUID } from 'node:crypto';
import { int, type RecordShape } from 'neo4j-driver';
import type { GraphEdge, GraphNode, NodeType } from '../../model/graph.ts';
import { batches, oneAtATimeByName, whileGathering } from '../batches.ts';
import { cypher } from './cypher.ts';
import type { Counts, SnapshotRow } from './neo4j-rows.ts';
import type { Run, Transactions } from './neo4j-transactions.ts';
import type { GraphSnapshot, GraphStore } from './port.ts';
import { repositoryOf } from '../../model/repository-of.ts';

/** What one transaction holds while a version is written: some thousand nodes or edges. */
const maxBatchBytes = 1_000_000;

type Write = Transactions['write'];
type Writes = Pick<
  GraphStore,
  'replaceRepository' | 'removeRepository' | 'replaceLinks' | 'linkGenerations' | 'generations'
>;

/** What loads do: whole repositories and the links between them, each in a version of its own that is shown at once. */
export function createNeo4jWrites(write: Write): Writes {
  /** One statement of a load, by its name, alone. */
  const look = <R extends RecordShape>(name: string, parameters?: Record<string, unknown>) =>
    write((run) => run<R>(cypher(name), parameters));
  /** Two replacements of one repository follow each other; different ones run side by side. */
  const inTurn = oneAtATimeByName();

  return {
    replaceRepository: (snapshot) =>
      inTurn(snapshot.repository, async () => {
        const { repository, generation } = snapshot;
        const [held] = await look<SnapshotRow>('snapshot', { repository });
        if (held?.generation === generation) return;
        await deleteUnusedVersions(write, repository);
        const version = randomUUID();
        await write((run) => run(cypher('create-version'), { version, repository }));
        try {
          const counts = await fillVersion(write, version, snapshot);
          await write(async (run) => {
            const parameters = { repository, generation, version, counts: JSON.stringify(counts) };
            const [published] = await run<{ old: string | null }>(cypher('publish-version'), parameters);
            if (published === undefined) throw new Error(`Another process replaces ${repository} at the same time.`);
            if (published.old !== null) {
              await run(cypher('move-links-out'), { repository, version, old: published.old });
              await run(cypher('move-links-in'), { repository, version, old: published.old });
            }
            await forgetLinks(run, repository, published.old ?? version);
            await run(cypher('raise-revision'));
          });
        } finally {
          // The old version, or what was written of one that failed.
          await deleteUnusedVersions(write, repository);
        }
      }),

    removeRepository: (repository) =>
      inTurn(repository, async () => {
        const removed = await write(async (run) => {
          const [snapshot] = await run<SnapshotRow>(cypher('snapshot'), { repository });
          if (snapshot !== undefined) await forgetLinks(run, repository, snapshot.version);
          const gone = await run(cypher('remove-snapshot'), { repository });
          await run(cypher('raise-revision'));
          return gone;
        });
        await deleteUnusedVersions(write, repository);
        return removed.length > 0;
      }),

    replaceLinks: async ({ repository, generation, edges }) => {
      await write(async (run) => {
        await run(cypher('delete-links'), { repository });
        await run(cypher('delete-symbol-links'), { repository, version: null });
        const rows = edges.map((edge) => [...edgeRow(edge, edge.from, edge.to), repositoryOf(edge.to)]);
        for await (const batch of batches(rows, maxBatchBytes, bytesOf))
          await run(cypher('create-links'), { repository, rows: batch });
        const targets = [...new Set(edges.map(({ to }) => repositoryOf(to)))];
        await run(cypher('set-links'), { repository, generation, targets });
        await run(cypher('raise-revision'));
      });
    },

    linkGenerations: async () =>
      new Map(
        (await look<SnapshotRow>('snapshots', { within: null })).flatMap(({ repository, links }) =>
          links === null ? [] : [[repository, links] as const],
        ),
      ),

    generations: async () =>
      new Map(
        (await look<SnapshotRow>('snapshots', { within: null })).map((each) => [each.repository, each.generation]),
      ),
  };
}

async function deleteUnusedVersions(write: Write, repository: string): Promise<void> {
  const versions = await write((run) => run<{ version: string }>(cypher('unused-versions'), { repository }));
  // Who began to read while what replaced them became visible, part by part, is to know that they may be gone.
  if (versions.length > 0) await write((run) => run(cypher('raise-revision')));
  for (const { version } of versions) {
    for (let deleted = 1; deleted > 0;) {
      const rows = await write((run) => run<{ deleted: number }>(cypher('delete-version-nodes'), { version }));
      deleted = rows[0]?.deleted ?? 0;
    }
    await write((run) => run(cypher('delete-version'), { version }));
  }
}

/** Writes the nodes and edges of a version that nobody sees yet, and counts those that are in the repository. */
async function fillVersion(
  write: Write,
  version: string,
  { repository, nodes, edges }: GraphSnapshot,
): Promise<Counts> {
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
  await whileGathering(batches(nodeRows(), maxBatchBytes, bytesOf), async (rows) => {
    const [created] = await write((run) => run<{ elements: string[] }>(cypher('create-nodes'), { version, rows }));
    if (created?.elements.length !== rows.length) throw replacedByAnother();
    for (const [i, element] of created.elements.entries()) elements.set(rows[i]?.[1] ?? '', element);
  });

  async function* edgeRows() {
    for await (const edge of edges) {
      const [from, to] = [elements.get(edge.from), elements.get(edge.to)];
      if (from === undefined || to === undefined) continue;
      if (!shared.has(edge.from) || !shared.has(edge.to)) counts.edges[edge.type] = (counts.edges[edge.type] ?? 0) + 1;
      yield edgeRow(edge, from, to);
    }
  }
  await whileGathering(batches(edgeRows(), maxBatchBytes, bytesOf), async (rows) => {
    const [written] = await write((run) => run<{ created: number }>(cypher('create-edges'), { version, rows }));
    if (written?.created !== rows.length) throw replacedByAnother();
  });
  return counts;
}

/** Takes away what leads from or to symbols of a version that goes, and says so to those who are to write them again. */
async function forgetLinks(run: Run, repository: string, version: string): Promise<void> {
  for (const owner of await run<{ repository: string }>(cypher('forget-links'), { repository }))
    await run(cypher('delete-symbol-links'), { ...owner, version });
}

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
  return value === null ? null : int(value);
}
