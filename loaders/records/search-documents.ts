import type { Commit } from '../../src/model/commit.ts';
import type { DeclaredRow } from '../../src/model/declared-name.ts';
import type { GraphEdge, GraphNode } from '../../src/model/graph.ts';
import type { IndexedDocument } from '../../src/model/search-document.ts';
import type { RepositoryInfo, Rows } from '../../src/model/snapshot.ts';
import { contentLevels, type Said } from '../../src/stores/search/port.ts';
import { createNumberByText } from '../number-by-text.ts';
import { createNumbers } from '../numbers.ts';
import { bodyWords, type FileText } from './body-words.ts';
import { withOverloads } from './overloads.ts';
import { pageRank } from './page-rank.ts';

/** What due diligence makes of a repository. */
export interface Health {
  /** 0 to 1. */
  score: number;
  grade: string;
}

/** What is known of a repository beside its snapshot. */
export interface Standing {
  /** How many other repositories need it. */
  usage: number;
  /** Null when not known. */
  health: Health | null;
}

/**
 * The search documents of one repository: one a node of whatever type, in the nodes' order, where overloads share one, then one a
 * declared name, then one a file with functions or classes whose text there is; of this text also the subjects of commits tell.
 */
export function* searchDocuments(
  repository: RepositoryInfo,
  nodes: Rows<GraphNode>,
  edges: Iterable<GraphEdge>,
  declared: Iterable<DeclaredRow>,
  { usage, health }: Standing,
  texts: () => Iterable<FileText> = () => [],
  commits: Iterable<Commit> = [],
): Generator<IndexedDocument> {
  yield* withOverloads(documentsOfNodes(repository, nodes, edges, { usage, health }, texts));
  const standing = { usage, health: health?.score ?? null, updated_at: repository.committed_at };
  for (const row of declared) yield documentOfDeclared(repository.name, row, standing);
  yield* documentsOfFiles(repository.name, nodes, { texts: texts(), commits }, standing);
}

function* documentsOfNodes(
  repository: RepositoryInfo,
  nodes: Rows<GraphNode>,
  edges: Iterable<GraphEdge>,
  { usage, health }: Standing,
  texts: () => Iterable<FileText>,
): Generator<IndexedDocument> {
  const wordsOf = bodyWords(nodes, texts);
  const positions = createNumberByText();
  const frameworks: string[] = [];
  let count = 0;
  for (const { id, type, name } of nodes) {
    positions.set(id, count++);
    if (type === 'Framework') frameworks.push(name.toLowerCase());
  }
  const centrality = centralities(nodes.length, positions.get, edges);
  let index = 0;
  for (const node of nodes) {
    const { id, type, name, qualified_name, path, line, language, kind, signature, exported, properties } = node;
    // A contributor belongs to several repositories, and so would have the standing of any.
    const shared = node.repository === null;
    const words = wordsOf(id);
    yield {
      id,
      type,
      name,
      qualified_name,
      repository: node.repository,
      path,
      line,
      language,
      kind,
      signature,
      doc: node.doc ?? textsOf(properties['description'])[0] ?? textsOf(properties['readme'])[0] ?? null,
      details: detailsOf(node, frameworks, health),
      frameworks: type === 'Repository' ? frameworks : frameworksOf(node),
      exported,
      centrality: centrality[index++] ?? 0,
      usage: shared ? 0 : usage,
      health: shared ? null : (health?.score ?? null),
      updated_at: repository.committed_at,
      test: properties['test'] === true,
      ...(type === 'Repository' ? aboutOf(properties) : {}),
      ...(words.length === 0 ? {} : { words }),
    };
  }
}

type StandingOfDocument = Pick<IndexedDocument, 'usage' | 'health' | 'updated_at'>;

function documentOfDeclared(
  repository: string,
  { kind, name, language, test, count, places }: DeclaredRow,
  standing: StandingOfDocument,
): IndexedDocument {
  const [first] = places;
  return {
    id: `${repository}/${first?.path}#${kind}:${name}`,
    type: 'Declaration',
    name,
    qualified_name: first?.in === undefined ? null : `${first.in}.${name}`,
    repository,
    path: first?.path ?? null,
    line: first?.line ?? null,
    language,
    kind,
    signature: null,
    doc: null,
    details: null,
    frameworks: [],
    exported: true,
    centrality: 0,
    ...standing,
    test,
    declared: { count, places },
  };
}

function* documentsOfFiles(
  repository: string,
  nodes: Rows<GraphNode>,
  { texts, commits }: { texts: Iterable<FileText>; commits: Iterable<Commit> },
  standing: StandingOfDocument,
): Generator<IndexedDocument> {
  const files = new Map<string, { language: string | null; test: boolean }>();
  for (const { type, path, language, properties } of nodes) {
    if ((type !== 'Function' && type !== 'Class') || path === null) continue;
    const test = properties['test'] === true;
    const before = files.get(path);
    if (before === undefined) files.set(path, { language, test });
    else before.test &&= test;
  }
  const said = saidOf(files, commits);
  for (const { path, text } of texts) {
    const file = files.get(path);
    if (file === undefined) continue;
    yield {
      id: `${repository}/${path}`,
      type: 'File',
      name: path.slice(path.lastIndexOf('/') + 1),
      qualified_name: null,
      repository,
      path,
      line: null,
      kind: null,
      signature: null,
      doc: null,
      details: null,
      frameworks: [],
      exported: true,
      centrality: 0,
      ...standing,
      ...file,
      content: contentLevels(path, text, said.get(path)),
    };
  }
}

/** A change of more files says little of each. */
const maxChanged = 10;
/** Of a file the newest so many changes tell: more would be held for all files at once. */
const maxSaid = 1_000;

/** What the subjects of commits, newest first, say of these files, by their paths now. */
function saidOf(files: ReadonlyMap<string, unknown>, commits: Iterable<Commit>): Map<string, Said[]> {
  const said = new Map<string, Said[]>();
  for (const { subject, files: changed, total_files: total } of commits) {
    if (total > maxChanged) continue;
    const each = { subject, share: 1 / Math.sqrt(total) };
    for (const { path, now = path } of changed) {
      if (!files.has(now)) continue;
      const before = said.get(now);
      if (before === undefined) said.set(now, [each]);
      else if (before.length < maxSaid) before.push(each);
    }
  }
  return said;
}

/** Under which licence a repository is, and what about. */
function aboutOf(properties: GraphNode['properties']): Pick<IndexedDocument, 'license' | 'topics'> {
  const [license] = textsOf(properties['license']);
  const topics = textsOf(properties['topics']);
  return { ...(license === undefined ? {} : { license }), ...(topics.length === 0 ? {} : { topics }) };
}

function frameworksOf({ type, name, properties }: GraphNode): string[] {
  const own = type === 'Framework' ? [name] : textsOf(properties['framework']);
  return own.map((each) => each.toLowerCase());
}

/** A repository is looked for by what it is about; of other nodes every property that is text is worth finding. */
function detailsOf(
  { type, properties }: GraphNode,
  frameworks: readonly string[],
  health: Health | null,
): string | null {
  const { description, ...others } = properties;
  const found =
    type === 'Repository'
      ? [
          // First, as of a long text the end is not looked for.
          ...(health === null ? [] : [`grade ${health.grade}`]),
          ...['readme', 'topics', 'license'].flatMap((property) => textsOf(properties[property])),
          ...Object.keys(properties['languages'] ?? {}),
          ...frameworks,
        ].filter((text) => text !== description)
      : Object.values(others).flatMap(textsOf);
  return found.length === 0 ? null : found.join(' ');
}

/** PageRank over what leads from one to another, on a log scale from 0 to 1 within the repository: the most used symbol has 1. */
function centralities(
  length: number,
  positionOf: (id: string) => number | null,
  edges: Iterable<GraphEdge>,
): Float64Array {
  const from = createNumbers();
  const to = createNumbers();
  for (const edge of edges) {
    if (!leading.has(edge.type)) continue;
    const [source, target] = [positionOf(edge.from), positionOf(edge.to)];
    if (source === null || target === null) continue;
    from.add(source);
    to.add(target);
  }
  const rank = pageRank(length, from.all(), to.all());
  // What nobody leads to has the least rank: 0 on this scale.
  const least = rank.reduce((low, value) => Math.min(low, value), Infinity);
  const most = rank.reduce((high, value) => Math.max(high, value), 0);
  const span = Math.log(most / least);
  return rank.map((value) => (span > 0 ? Math.round((Math.log(value / least) / span) * 1e4) / 1e4 : 0));
}

const leading: ReadonlySet<string> = new Set(['CALLS', 'IMPORTS', 'DEPENDS_ON', 'INHERITS']);

const textsOf = (value: unknown): string[] =>
  [value].flat().filter((each): each is string => typeof each === 'string' && each !== '');
