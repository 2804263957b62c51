import { drawn, encoded, listOf, sum, sumOf } from './asking.ts';
import type { Findings, Json } from './asking.ts';
import type { Operation } from './contract.ts';
import { walk } from './walk.ts';
import type { Walk } from './walk.ts';

/** Of each repository so many nodes of its inside are asked for alone, at every route that takes one. */
const nodesDrawn = 10;

/** What the graph has, as its pages said. */
export interface WholeGraph {
  repositories: string[];
  totals: { nodes: Json; edges: Json };
  /** Of every node. */
  ids: ReadonlySet<string>;
  /** Ids of some nodes that a question can be about. */
  drawn: string[];
}

/** The graph between repositories and inside each: its parts make up the whole, and each edge ends at nodes that are there. */
export async function checkGraph(found: Findings, operation: Operation): Promise<WholeGraph | null> {
  const whole = await walk(found, operation, {});
  if (whole === null) return null;
  checkEnds(found, whole);
  const repositories = nodesIn(whole).filter(({ type }) => type === 'Repository');
  const ids = new Set(nodesIn(whole).map(({ id }) => String(id)));
  const inside = new Map<string, Walk>();
  for (const repository of repositories) {
    const name = String(repository['id']);
    const walked = await walk(found, operation, { level: 'symbol', repo: name });
    if (walked === null) continue;
    inside.set(name, walked);
    checkEnds(found, walked);
    checkCounts(found, walked, repository);
    for (const { id } of nodesIn(walked)) ids.add(String(id));
  }
  checkTotals(found, whole, [...inside.values()]);
  const names = repositories.map(({ id }) => String(id)).sort();
  const some: string[] = [];
  for (const [name, walked] of inside) {
    await checkExports(found, name, walked);
    const own = nodesIn(walked).filter((node) => !isShared(node));
    const chosen = drawn(own, nodesDrawn);
    for (const node of chosen) await checkNode(found, name, node, edgesIn(walked));
    some.push(...chosen.map(({ id }) => String(id)));
    await checkNeighbors(found, name, ids);
    await checkHierarchy(found, name, own);
  }
  await checkMap(found, whole, names);
  return { repositories: names, totals: whole.first['totals'] as WholeGraph['totals'], ids, drawn: some };
}

const nodesIn = ({ lists }: Walk) => lists['nodes'] ?? [];
const edgesIn = ({ lists }: Walk) => lists['edges'] ?? [];
const isShared = ({ type }: Json) => type === 'Repository' || type === 'Contributor';
const names = (ids: readonly unknown[]) => ids.slice(0, 3).join(', ');

function checkEnds(found: Findings, walked: Walk): void {
  const ids = new Set(nodesIn(walked).map(({ id }) => id));
  const isThere = (id: unknown) => ids.has(id) || walked.outside.has(id);
  const lost = edgesIn(walked).filter(({ from, to }) => !isThere(from) || !isThere(to));
  found.equal(walked.question, 'edges that end at no node', lost.length, 0);
}

function countsOf(items: readonly Json[]): Map<unknown, number> {
  return new Map([...Map.groupBy(items, ({ type }) => type)].map(([type, { length }]) => [type, length]));
}

function equalCounts(found: Findings, question: string, said: Json, counted: ReadonlyMap<unknown, number>): void {
  for (const type of new Set([...Object.keys(said), ...counted.keys()]))
    found.equal(question, `${String(type)} counted, and found`, said[String(type)] ?? 0, counted.get(type) ?? 0);
}

function checkCounts(found: Findings, walked: Walk, repository: Json): void {
  const own = new Map(nodesIn(walked).map((node) => [node['id'], node]));
  const counts = repository['counts'] as { nodes: Json; edges: Json };
  equalCounts(found, walked.question, counts.nodes, countsOf(nodesIn(walked).filter((node) => !isShared(node))));
  // What joins repositories and contributors is not inside, nor what leads to other repositories.
  const within = edgesIn(walked).filter(({ from, to }) => {
    const [start, end] = [own.get(from), own.get(to)];
    return start !== undefined && end !== undefined && !(isShared(start) && isShared(end));
  });
  equalCounts(found, walked.question, counts.edges, countsOf(within));
}

/** What the graph says of all is what is between repositories and inside each, together. */
function checkTotals(found: Findings, whole: Walk, inside: readonly Walk[]): void {
  const totals = whole.first['totals'] as WholeGraph['totals'];
  const nodes = [...nodesIn(whole), ...inside.flatMap((walked) => nodesIn(walked).filter((node) => !isShared(node)))];
  equalCounts(found, '/api/graph totals', totals.nodes, countsOf(nodes));
  const counted = nodesIn(whole).flatMap(({ counts }) => (counts === null ? [] : [(counts as { edges: Json }).edges]));
  for (const type of Object.keys(totals.edges)) {
    const between = edgesIn(whole).filter((edge) => edge['type'] === type).length;
    const all = between + sum(counted.map((edges) => Number(edges[type] ?? 0)));
    found.equal('/api/graph totals', `${type} of all, and of each repository`, totals.edges[type], all);
  }
}

/** An export has the rows that the graph counts. */
async function checkExports(found: Findings, name: string, { first }: Walk): Promise<void> {
  for (const rows of ['nodes', 'edges']) {
    const question = `/api/export/${rows}?repo=${encoded(name)}&limit=1`;
    const page = await found.ask(question);
    if (page !== null)
      found.equal(question, `total, and total_${rows} of the graph`, page['total'], first[`total_${rows}`]);
  }
}

/** A node is the same wherever it is asked for, and next to it is what edges of the graph lead to. */
async function checkNode(found: Findings, name: string, { id }: Json, edges: readonly Json[]): Promise<void> {
  const at = encoded(id);
  for (const question of [`/api/graph/impact/${at}`, `/api/graph/references/${at}`]) {
    const node = (await found.ask(question))?.['node'] as Json | undefined;
    if (node !== undefined) found.equal(question, 'id asked for, and answered', id, node['id']);
  }
  const question = `/api/graph/neighbors/${encoded(name)}?level=symbol&node=${at}`;
  const answer = await found.ask(question);
  if (answer === null) return;
  const others = new Set(edges.flatMap(({ from, to }) => (from === id ? [to] : to === id ? [from] : [])));
  found.equal(question, 'total_neighbors, and what edges of the graph lead to', answer['total_neighbors'], others.size);
}

async function checkNeighbors(found: Findings, name: string, ids: ReadonlySet<string>): Promise<void> {
  const question = `/api/graph/neighbors/${encoded(name)}?level=symbol`;
  const answer = await found.ask(question);
  const unknown = listOf(answer ?? {}, 'neighbors').filter(({ id }) => !ids.has(String(id)));
  found.holds(question, `not in the graph: ${names(unknown.map(({ id }) => id))}`, unknown.length === 0);
}

/** All functions and classes are somewhere below the top, as far as the top is shown whole. */
async function checkHierarchy(found: Findings, name: string, own: readonly Json[]): Promise<void> {
  const question = `/api/graph/hierarchy/${encoded(name)}`;
  const top = await found.ask(question);
  if (top === null) return;
  const parts = listOf(top, 'parts');
  found.holds(question, 'more parts than total_parts', parts.length <= Number(top['total_parts']));
  if (top['truncated'] === true || parts.length < Number(top['total_parts'])) return;
  const symbols = own.filter(({ type }) => type === 'Function' || type === 'Class').length;
  found.equal(question, 'symbols of all parts, and functions and classes', sumOf(parts, 'symbols'), symbols);
}

/** The map has every repository, and of two the people who worked in both. */
async function checkMap(found: Findings, whole: Walk, repositories: readonly string[]): Promise<void> {
  const question = '/api/graph/map';
  const map = await found.ask(question);
  if (map === null) return;
  const shown = listOf(map, 'repositories').map(({ id }) => String(id));
  found.equal(question, 'repositories, and those of the graph', shown.toSorted().join(), repositories.join());
  const contributors = nodesIn(whole).filter(({ type }) => type === 'Contributor').length;
  found.equal(question, 'total_contributors, and those of the graph', map['total_contributors'], contributors);
  found.equal(
    question,
    'repositories, and those in groups',
    shown.length,
    sumOf(listOf(map, 'groups'), 'repositories'),
  );
  const isShown = (id: unknown) => shown.includes(String(id));
  const between = edgesIn(whole).filter(({ from, to }) => isShown(from) && isShown(to));
  const links = sumOf(listOf(map, 'links'), 'weight');
  found.equal(question, 'weight of all links, and of the edges of the graph', links, sumOf(between, 'weight'));
  const placesOf = Map.groupBy(
    edgesIn(whole).filter(({ type }) => type === 'CONTRIBUTED_TO'),
    ({ from }) => from,
  );
  for (const { from, to, contributors: both } of listOf(map, 'people')) {
    const count = [...placesOf.values()].filter((edges) =>
      [from, to].every((id) => edges.some((each) => each['to'] === id)),
    );
    found.equal(
      question,
      `contributors of ${String(from)} and ${String(to)}, and those of the graph`,
      both,
      count.length,
    );
  }
}
