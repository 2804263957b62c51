import { nodeId } from '../../src/model/graph.ts';
import { nameOfKey } from '../../src/model/repository-key.ts';
import type { Commit } from '../../src/model/commit.ts';
import type { DeclaredRow } from '../../src/model/declared-name.ts';
import type { Measurements } from '../../src/model/due-diligence.ts';
import type { GraphEdge, GraphNode } from '../../src/model/graph.ts';
import type {
  BoundaryRow,
  PackageName,
  Requirement,
  Rows,
  Skipped,
  Snapshot,
  SourceRow,
  Unparsed,
} from '../../src/model/snapshot.ts';
import type { Detection } from '../detectors/detector.ts';
import type { Document } from '../facts/document.ts';
import type { ResolvedEdge, Resolution } from '../resolution/resolution.ts';
import type { ResolvedPackage } from '../manifests/resolved-packages.ts';
import type { SecurityFinding } from '../metrics/security/security-findings.ts';
import type { Contributor } from '../snapshot/contributors.ts';
import type { OpenSnapshot } from '../snapshot/snapshot.ts';
import { createRowSpool } from '../row-spool.ts';
import type { TemporaryFile } from '../temporary-file.ts';
import { boundary } from './boundary.ts';
import { declaredRows } from './declared-rows.ts';
import { detectedNodes } from './detected-nodes.ts';
import { symbolIds, type SymbolIds } from './symbol-ids.ts';
import { symbolNodes } from './symbol-nodes.ts';

/** All that is known of one repository when its analysis is done. */
export interface Evidence {
  name: string;
  fingerprint: string;
  analyzerVersion: string;
  opened: OpenSnapshot;
  documents: readonly Document[];
  /** Of all documents. */
  lines: number;
  /** How many documents have such. */
  withSyntaxErrors: number;
  unparsed: readonly Unparsed[];
  /** By path. */
  detections: ReadonlyMap<string, readonly Detection[]>;
  security: readonly SecurityFinding[];
  resolved: readonly ResolvedPackage[];
  skipped: readonly Skipped[];
  resolution: Resolution;
  contributors: readonly Contributor[];
  publishes: PackageName[];
  requires: Requirement[];
  /** Properties of the repository node: description, license, topics, homepage, README's title and first paragraph. */
  description: Record<string, string | string[]>;
  warnings: readonly string[];
  /** Null where only the graph was read. */
  measurements: Measurements | null;
  /** Null where it is not to be kept. */
  source: Rows<SourceRow> | null;
  /** Null where they are not to be kept, or there is no history; `total`: how many there are of which these are the newest. */
  commits: { rows: Rows<Commit>; total: number } | null;
  trendPoints: number | undefined;
  onlyGraph: boolean;
}

type Completeness = Record<keyof Snapshot['repository']['completeness'], number>;

/** What the stores keep of a repository, made from what is known of it. In one order: nodes as found, edges by type. */
export function records(evidence: Evidence, file: TemporaryFile): Snapshot {
  const { name, opened, documents, resolution, skipped } = evidence;
  const tests = new Set(opened.files.filter(({ test }) => test).map(({ path }) => path));
  const nodes = createRowSpool<GraphNode>(file);
  const edges = createRowSpool<GraphEdge>(file);
  const ids = symbolIds(name, documents);
  const completeness = completenessOf();
  nodes.add(repositoryNode(evidence, completeness));
  for (const { node, contains } of symbolNodes(name, documents, tests, resolution, ids)) {
    nodes.add(node);
    edges.add(contains);
  }
  const detected = detectedNodes({ ...evidence, tests, idAt: ids.idAt });
  for (const node of [...detected.nodes, ...contributorNodes(evidence)]) nodes.add(node);
  for (const edge of detected.edges) edges.add(edge);
  for (const edge of resolvedEdges(name, documents, resolution, ids)) edges.add(edge);
  for (const edge of contributedEdges(evidence)) edges.add(edge);
  const outside = createRowSpool<BoundaryRow>(file);
  for (const row of boundary(evidence, ids)) outside.add(row);
  const declared = createRowSpool<DeclaredRow>(file);
  for (const row of declaredRows(documents, tests)) declared.add(row);
  const { measurements, source, commits } = evidence;
  return {
    repository: info(evidence),
    nodes,
    edges,
    ...(measurements && { measurements }),
    boundary: outside,
    declared,
    ...(source && { source }),
    ...(commits && { commits: commits.rows }),
  };

  function info({ fingerprint, analyzerVersion, publishes, requires, warnings }: Evidence): Snapshot['repository'] {
    return {
      name,
      source: opened.source,
      ...(opened.forge === null ? {} : { forge: opened.forge }),
      commit: opened.commit,
      branch: opened.branch,
      committed_at: opened.committedAt,
      fingerprint,
      analyzer_version: analyzerVersion,
      source_kept: evidence.source !== null,
      ...(commits === null ? {} : { commits_total: commits.total }),
      ...(evidence.trendPoints === undefined ? {} : { trend_points: evidence.trendPoints }),
      ...(evidence.onlyGraph ? { only_graph: true as const } : {}),
      publishes,
      requires,
      endpoints: detected.endpoints,
      requests: detected.requests,
      skipped: [...skipped],
      unparsed: [...evidence.unparsed],
      warnings: [...warnings],
      completeness,
    };
  }

  function completenessOf(): Completeness {
    const { resolved, external, unresolved } = resolution.calls;
    return {
      files: opened.files.length + opened.skipped.length,
      files_parsed: documents.length,
      files_skipped: skipped.length,
      files_with_syntax_errors: evidence.withSyntaxErrors,
      lines: evidence.lines,
      lines_unparsed: evidence.unparsed
        .flatMap(({ lines }) => lines)
        .reduce((sum, [first, last]) => sum + last - first + 1, 0),
      calls: resolved + external + unresolved,
      calls_resolved: resolved,
      calls_external: external,
      calls_unresolved: unresolved,
    };
  }
}

/** With what it was made of, so that who sees the graph knows how much of the repository it is. */
function repositoryNode(
  { name, opened, skipped, description, contributors, lines }: Evidence,
  completeness: Completeness,
): GraphNode {
  const languages: Record<string, { files: number; bytes: number }> = {};
  for (const { language, size } of opened.files) {
    if (language === null) continue;
    const known = (languages[language] ??= { files: 0, bytes: 0 });
    known.files++;
    known.bytes += size;
  }
  const byBytes = Object.entries(languages).sort(([a, x], [b, y]) => y.bytes - x.bytes || (a < b ? -1 : 1));
  return {
    id: nodeId.repository(name),
    type: 'Repository',
    name: nameOfKey(name),
    repository: name,
    kind: null,
    qualified_name: null,
    language: byBytes[0]?.[0].toLowerCase() ?? null,
    path: null,
    line: null,
    end_line: null,
    signature: null,
    doc: null,
    exported: true,
    properties: {
      ...description,
      commit: opened.commit,
      branch: opened.branch,
      committed_at: opened.committedAt,
      files: opened.files.length,
      lines,
      languages: Object.fromEntries(byBytes),
      contributors: contributors.filter(({ bot }) => !bot).length,
      commits: contributors.reduce((sum, { commits }) => sum + commits, 0),
      completeness: { ...completeness, skipped_by_reason: countsBy(skipped.map(({ reason }) => reason)) },
    },
  };
}

/** How often each is there, the most frequent first. */
function countsBy(items: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}

function contributorNodes({ contributors }: Evidence): GraphNode[] {
  return contributors.map(({ id, name, bot }) => ({
    id,
    type: 'Contributor',
    name,
    repository: null,
    kind: bot ? 'bot' : 'person',
    qualified_name: null,
    language: null,
    path: null,
    line: null,
    end_line: null,
    signature: null,
    doc: null,
    exported: true,
    properties: {},
  }));
}

function contributedEdges({ name, contributors }: Evidence): GraphEdge[] {
  return contributors.map(({ id, commits }) => ({
    type: 'CONTRIBUTED_TO',
    from: id,
    to: nodeId.repository(name),
    weight: commits,
    confidence: 1,
    strategy: 'history',
    path: null,
    line: null,
  }));
}

/**
 * CALLS, INHERITS and IMPORTS between the symbols. A file is no node, so an import starts at the repository: the edge to a
 * symbol says by its weight how many imports there are of it, by path and line where the first one is.
 */
function* resolvedEdges(
  repository: string,
  documents: readonly Document[],
  resolution: Resolution,
  { idAt, numberOf, size }: SymbolIds,
): Generator<GraphEdge> {
  /** How many imports there are of each symbol, until its edge is made. */
  const imports = new Uint32Array(size);
  for (const edge of probable()) {
    const number = numberOf(edge.to);
    if (edge.type === 'IMPORTS') imports[number] = (imports[number] ?? 0) + edge.weight;
    else yield* between(edge, idAt(edge.from), edge.weight);
  }
  for (const edge of probable()) {
    const weight = edge.type === 'IMPORTS' ? (imports[numberOf(edge.to)] ?? 0) : 0;
    if (weight === 0) continue;
    imports[numberOf(edge.to)] = 0;
    yield* between(edge, nodeId.repository(repository), weight);
  }

  /** A guess by name alone is more often wrong than right. */
  function* probable(): Generator<ResolvedEdge> {
    for (const edge of resolution.edges) if (edge.confidence >= 0.5) yield edge;
  }

  function* between(edge: ResolvedEdge, from: string | null, weight: number): Generator<GraphEdge> {
    const { type, confidence, strategy, line } = edge;
    const to = idAt(edge.to);
    const path = documents[edge.from.document]?.path ?? null;
    if (from !== null && to !== null) yield { type, from, to, weight, confidence, strategy, path, line };
  }
}
