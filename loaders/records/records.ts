import { nodeId } from '../../src/model/graph.ts';
import type { Measurements } from '../../src/model/due-diligence.ts';
import type { GraphEdge, GraphNode } from '../../src/model/graph.ts';
import type { PackageName, Requirement, Skipped, Snapshot } from '../../src/model/snapshot.ts';
import type { Detection } from '../detectors/detector.ts';
import type { Document } from '../facts/extract-all.ts';
import type { Place, Resolution } from '../facts/resolve.ts';
import type { ResolvedPackage } from '../metrics/security/resolved-packages.ts';
import type { SecurityFinding } from '../metrics/security/security-findings.ts';
import type { Contributor } from '../snapshot/contributors.ts';
import type { OpenSnapshot } from '../snapshot/snapshot.ts';
import { boundary } from './boundary.ts';
import { detectedNodes } from './detected-nodes.ts';
import { symbolNodes } from './symbol-nodes.ts';

/** All that is known of one repository when its analysis is done. */
export interface Evidence {
  name: string;
  fingerprint: string;
  analyzerVersion: string;
  opened: OpenSnapshot;
  documents: readonly Document[];
  /** By path. */
  detections: ReadonlyMap<string, readonly Detection[]>;
  security: readonly SecurityFinding[];
  resolved: readonly ResolvedPackage[];
  skipped: readonly Skipped[];
  resolution: Resolution;
  contributors: readonly Contributor[];
  publishes: PackageName[];
  requires: Requirement[];
  /** Properties of the repository node: description, license, topics, homepage, README's first paragraph. */
  description: Record<string, string | string[]>;
  warnings: readonly string[];
  measurements: Measurements;
}

/** What the stores keep of a repository, made from what is known of it. Pure, and in one order: nodes as found, edges by type. */
export function records(evidence: Evidence): Snapshot {
  const { name, opened, documents, resolution, skipped } = evidence;
  const tests = new Set(opened.files.filter(({ test }) => test).map(({ path }) => path));
  const symbols = symbolNodes(name, documents, tests, resolution);
  const detected = detectedNodes({ ...evidence, tests, idAt: symbols.idAt });
  const { lines, withErrors } = countsOf(documents);
  const { completeness, ...rest } = info(evidence);
  return {
    repository: { ...rest, completeness },
    nodes: [
      repositoryNode(evidence, completeness, lines),
      ...symbols.nodes,
      ...detected.nodes,
      ...contributorNodes(evidence),
    ],
    edges: [
      ...symbols.contains,
      ...detected.edges,
      ...resolvedEdges(name, documents, resolution, symbols.idAt),
      ...contributedEdges(evidence),
    ],
    measurements: evidence.measurements,
    boundary: boundary(evidence, symbols.idAt),
  };

  function info({ fingerprint, analyzerVersion, publishes, requires, warnings }: Evidence): Snapshot['repository'] {
    const { resolved, external, unresolved } = resolution.calls;
    return {
      name,
      source: opened.source,
      commit: opened.commit,
      branch: opened.branch,
      committed_at: opened.committedAt,
      fingerprint,
      analyzer_version: analyzerVersion,
      publishes,
      requires,
      endpoints: detected.endpoints,
      requests: detected.requests,
      skipped: [...skipped],
      completeness: {
        files: opened.files.length + opened.skipped.length,
        files_parsed: documents.length,
        files_skipped: skipped.length,
        files_with_syntax_errors: withErrors,
        calls: resolved + external + unresolved,
        calls_resolved: resolved,
        calls_external: external,
        calls_unresolved: unresolved,
      },
      warnings: [...warnings],
    };
  }
}

/** With what it was made of, so that who sees the graph knows how much of the repository it is. */
function repositoryNode(
  { name, opened, skipped, description, contributors }: Evidence,
  completeness: Snapshot['repository']['completeness'],
  lines: number,
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
    name,
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

function countsOf(documents: readonly Document[]): { lines: number; withErrors: number } {
  let [lines, withErrors] = [0, 0];
  for (const { facts, release } of documents) {
    lines += facts.lines;
    if (facts.syntaxErrors > 0) withErrors++;
    release?.();
  }
  return { lines, withErrors };
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
function resolvedEdges(
  repository: string,
  documents: readonly Document[],
  { edges }: Resolution,
  idAt: (place: Place) => string | null,
): GraphEdge[] {
  const made: GraphEdge[] = [];
  const imports = new Map<string, GraphEdge>();
  for (const { type, from, to, weight, confidence, strategy, line } of edges) {
    // A guess by name alone is more often wrong than right.
    if (confidence < 0.5) continue;
    const target = idAt(to);
    const source = type === 'IMPORTS' ? nodeId.repository(repository) : idAt(from);
    if (target === null || source === null) continue;
    const path = documents[from.document]?.path ?? null;
    const edge: GraphEdge = { type, from: source, to: target, weight, confidence, strategy, path, line };
    if (type !== 'IMPORTS') {
      made.push(edge);
      continue;
    }
    const known = imports.get(target);
    if (known) known.weight += weight;
    else imports.set(target, edge);
  }
  return [...made, ...imports.values()];
}
