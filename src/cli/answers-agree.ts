type Json = Record<string, unknown>;

/** The answer of a GET. Throws where it is none with status 200. */
export type Ask = (path: string) => Promise<Json>;

const listOf = (json: Json, name: string) => (json[name] ?? []) as Json[];
const numberOf = (json: Json, name: string) => Number(json[name]);
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const sumOf = (items: readonly Json[], name: string) => sum(items.map((item) => numberOf(item, name)));
const path = (text: string) => encodeURIComponent(text);

/** Collects what does not agree, as sentences that begin with the question. */
class Findings {
  readonly all: string[] = [];
  equal(question: string, what: string, one: unknown, other: unknown): void {
    if (one !== other) this.all.push(`${question}: ${what}: ${String(one)} and ${String(other)}`);
  }
  holds(question: string, what: string, isSo: boolean): void {
    if (!isSo) this.all.push(`${question}: ${what}`);
  }
}

/**
 * What a service's answers say against each other, as one caller gets them: ids that do not resolve, totals that are not what a walk
 * over all pages finds, sums that differ, and what is not known but has a value.
 */
export async function disagreements(ask: Ask): Promise<string[]> {
  const found = new Findings();
  await checkLists(ask, found);
  const whole = await walkGraph(ask, found, '/api/graph?page_size=1000');
  const repositories = whole.nodes.filter(({ type }) => type === 'Repository');
  const names = repositories.map(({ id }) => String(id)).sort();
  const ids = new Set(whole.nodes.map(({ id }) => String(id)));
  const inside: Walk[] = [];
  for (const repository of repositories) inside.push(await checkInside(ask, found, repository));
  for (const { nodes } of inside) for (const { id } of nodes) ids.add(String(id));
  checkTotals(found, whole, inside);
  for (const name of names) await checkNeighbors(ask, found, name, ids);
  await checkSearch(ask, found, { ids, totals: whole.first });
  await checkDiligence(ask, found, names);
  await checkUsage(ask, found);
  await checkRuns(ask, found);
  return found.all;
}

/** Lists that need nothing but a page. */
const lists = [
  '/api/repositories',
  '/api/benchmark/tasks?quality=all',
  '/api/benchmark/mint-runs',
  '/api/benchmark/eval-results',
  '/v1/catalog',
  '/v1/billing/plans',
  '/v1/changelog',
] as const;

/** Every page of a list of items, as far as it can be paged. */
async function walkList(ask: Ask, found: Findings, list: string, pageSize = 100): Promise<Json[]> {
  const at = (page: number) => `${list}${list.includes('?') ? '&' : '?'}page=${page}&page_size=${pageSize}`;
  const first = await ask(at(1)).catch(() => ask(list));
  const total = numberOf(first, 'total');
  const items = [...listOf(first, 'items')];
  for (let page = 2; items.length < Math.min(total, 10_000); page++) {
    const next = await ask(at(page));
    found.equal(at(page), 'total of this page and of the first', next['total'], total);
    if (listOf(next, 'items').length === 0) break;
    items.push(...listOf(next, 'items'));
  }
  if (total <= 10_000) found.equal(list, 'total, and items on all pages', total, items.length);
  return items;
}

async function checkLists(ask: Ask, found: Findings): Promise<void> {
  for (const list of lists) {
    const items = await walkList(ask, found, list);
    const ids = items.map(({ id, instance_id, run_id, slug, name }) => id ?? instance_id ?? run_id ?? slug ?? name);
    if (list !== '/api/benchmark/eval-results')
      found.equal(list, 'items, and items that differ', ids.length, new Set(ids).size);
    for (const { instance_id: id } of items)
      if (typeof id === 'string') await resolves(ask, found, `/api/benchmark/tasks/${path(id)}`);
    if (list === '/api/repositories')
      for (const { name } of items) await resolves(ask, found, `/api/repositories/${path(String(name))}`);
  }
}

async function resolves(ask: Ask, found: Findings, question: string): Promise<Json | null> {
  try {
    return await ask(question);
  } catch (error) {
    found.holds(question, error instanceof Error ? error.message : String(error), false);
    return null;
  }
}

interface Walk {
  first: Json;
  nodes: Json[];
  edges: Json[];
}

/** Follows the cursor to the end; each node and each edge comes once, and as many as every page says. */
async function walkGraph(ask: Ask, found: Findings, question: string): Promise<Walk> {
  const first = await ask(question);
  const walk: Walk = { first, nodes: [], edges: [] };
  const outside = new Set<unknown>();
  for (let page: Json | null = first; page !== null;) {
    for (const name of ['total_nodes', 'total_edges'])
      found.equal(question, `${name} of a page and of the first`, page[name], first[name]);
    const size = numberOf(page, 'page_size');
    found.holds(
      question,
      'a page has more than page_size',
      listOf(page, 'nodes').length <= size && listOf(page, 'edges').length <= size,
    );
    walk.nodes.push(...listOf(page, 'nodes'));
    walk.edges.push(...listOf(page, 'edges'));
    for (const { id } of listOf(page, 'outside')) outside.add(id);
    const cursor: unknown = page['next_cursor'];
    page = typeof cursor === 'string' ? await ask(`${question}&cursor=${path(cursor)}`) : null;
  }
  const ids = new Set(walk.nodes.map(({ id }) => id));
  const edges = new Set(walk.edges.map(({ type, from, to }) => JSON.stringify([type, from, to])));
  found.equal(question, 'total_nodes, and different nodes on all pages', first['total_nodes'], ids.size);
  found.equal(question, 'nodes, and different ones', walk.nodes.length, ids.size);
  found.equal(question, 'total_edges, and different edges on all pages', first['total_edges'], edges.size);
  found.equal(question, 'edges, and different ones', walk.edges.length, edges.size);
  const isThere = (id: unknown) => ids.has(id) || outside.has(id);
  const lost = walk.edges.filter(({ from, to }) => !isThere(from) || !isThere(to));
  found.equal(question, 'edges that end at no node', lost.length, 0);
  return walk;
}

const isShared = ({ type }: Json) => type === 'Repository' || type === 'Contributor';

function countsOf(items: readonly Json[]): Map<unknown, number> {
  return new Map([...Map.groupBy(items, ({ type }) => type)].map(([type, { length }]) => [type, length]));
}

function equalCounts(found: Findings, question: string, said: Json, counted: ReadonlyMap<unknown, number>): void {
  for (const type of new Set([...Object.keys(said), ...counted.keys()]))
    found.equal(question, `${String(type)} counted, and found`, said[String(type)] ?? 0, counted.get(type) ?? 0);
}

async function checkInside(ask: Ask, found: Findings, repository: Json): Promise<Walk> {
  const name = String(repository['id']);
  const question = `/api/graph?level=symbol&repo=${path(name)}&page_size=1000`;
  const walk = await walkGraph(ask, found, question);
  const own = new Map(walk.nodes.map((node) => [node['id'], node]));
  const counts = repository['counts'] as { nodes: Json; edges: Json };
  equalCounts(found, question, counts.nodes, countsOf(walk.nodes.filter((node) => !isShared(node))));
  // What joins repositories and contributors is not inside, nor what leads to other repositories.
  const within = walk.edges.filter(({ from, to }) => {
    const [start, end] = [own.get(from), own.get(to)];
    return start !== undefined && end !== undefined && !(isShared(start) && isShared(end));
  });
  equalCounts(found, question, counts.edges, countsOf(within));
  return walk;
}

/** What the graph says of all is what is between repositories and inside each, together. */
function checkTotals(found: Findings, whole: Walk, inside: readonly Walk[]): void {
  const totals = whole.first['totals'] as { nodes: Json; edges: Json };
  const nodes = [...whole.nodes, ...inside.flatMap((walk) => walk.nodes.filter((node) => !isShared(node)))];
  equalCounts(found, '/api/graph totals', totals.nodes, countsOf(nodes));
  const counted = whole.nodes.flatMap(({ counts }) => (counts === null ? [] : [(counts as { edges: Json }).edges]));
  for (const type of Object.keys(totals.edges)) {
    const between = whole.edges.filter((edge) => edge['type'] === type).length;
    const all = between + sum(counted.map((edges) => Number(edges[type] ?? 0)));
    found.equal('/api/graph totals', `${type} of all, and of each repository`, totals.edges[type], all);
  }
}

async function checkNeighbors(ask: Ask, found: Findings, name: string, ids: ReadonlySet<string>): Promise<void> {
  for (const level of ['repository', 'symbol']) {
    const question = `/api/graph/neighbors/${path(name)}?level=${level}&page_size=1000`;
    const seen = new Set<string>();
    let total = 0;
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = await ask(`${question}&page=${page}`);
      pages = numberOf(answer, 'total_pages');
      total = numberOf(answer, 'total_neighbors');
      for (const { id } of listOf(answer, 'neighbors')) {
        found.holds(question, `${String(id)} comes twice`, !seen.has(String(id)));
        seen.add(String(id));
      }
    }
    found.equal(question, 'total_neighbors, and neighbors on all pages', total, seen.size);
    const unknown = [...seen].filter((id) => !ids.has(id));
    found.holds(question, `not in the graph: ${unknown.slice(0, 3).join(', ')}`, unknown.length === 0);
  }
}

/** Search finds what the graph has: as many of each type, and nothing else. */
async function checkSearch(
  ask: Ask,
  found: Findings,
  { ids, totals }: { ids: ReadonlySet<string>; totals: Json },
): Promise<void> {
  const { nodes } = totals['totals'] as { nodes: Json };
  for (const [type, count] of Object.entries(nodes)) {
    const question = `/api/search?type=${type}`;
    const items = await walkList(ask, found, question);
    const { total } = await ask(question);
    found.equal(question, 'total, and nodes of this type', total, count);
    const unknown = items.filter(({ id }) => !ids.has(String(id)));
    found.equal(question, 'items that are no node', unknown.length, 0);
  }
  const question = '/api/search?facets=type,language,repo';
  const { facets = {}, total } = await ask(question);
  const types = (facets as Record<string, Json[]>)['type'] ?? [];
  found.equal(question, 'total, and all types', total, sumOf(types, 'count'));
}

/** Nothing is better over all repositories than in the best of them. */
function checkPortfolio(found: Findings, deep: Json | null): void {
  const repositories = deep === null ? [] : listOf(deep, 'repositories');
  if (deep === null || repositories.length === 0) return;
  const question = '/api/dd/deep';
  const notBetter = (what: string, whole: unknown, parts: readonly unknown[]) => {
    const known = parts.filter((part) => typeof part === 'number');
    if (typeof whole !== 'number' || known.length === 0) return;
    found.holds(question, `${what} is ${whole}, better than every repository’s`, whole <= Math.max(...known));
  };
  const portfolio = deep['portfolio'] as Json;
  notBetter(
    'score',
    portfolio['score'],
    repositories.map(({ score }) => score),
  );
  for (const { id, score } of listOf(portfolio, 'dimensions'))
    notBetter(
      `dimension ${String(id)}`,
      score,
      repositories
        .flatMap((each) => listOf(each, 'dimensions'))
        .flatMap((each) => (each['id'] === id ? [each['score']] : [])),
    );
}

async function checkDiligence(ask: Ask, found: Findings, names: readonly string[]): Promise<void> {
  const portfolio = await resolves(ask, found, '/api/dd/executive');
  if (portfolio === null) return;
  const assessed = listOf(portfolio, 'repositories');
  const assessedNames = assessed.map(({ repo }) => String(repo));
  const lost = assessedNames.filter((name) => !names.includes(name));
  found.holds('/api/dd/executive', `not in the graph: ${lost.join(', ')}`, lost.length === 0);
  const histogram = (portfolio['kpis'] as Json)['grade_histogram'] as Record<string, number>;
  found.equal('/api/dd/executive', 'grades, and repositories', sum(Object.values(histogram)), assessed.length);
  checkPortfolio(found, await resolves(ask, found, '/api/dd/deep'));
  for (const summary of assessed) {
    const question = `/api/dd/deep/${path(String(summary['repo']))}`;
    const all = await resolves(ask, found, question);
    if (all === null) continue;
    for (const name of ['score', 'grade', 'confidence', 'pipeline_run_id'])
      found.equal(question, `${name} here, and in the portfolio`, all[name], summary[name]);
    checkMatrix(found, question, all, summary['metrics'] as Json);
    checkRemediation(found, question, all['remediation'] as Json);
    for (const other of [
      `/api/dd/executive/${path(String(summary['repo']))}`,
      `/api/dd/repos/${path(String(summary['repo']))}/factors`,
    ])
      await resolves(ask, found, other);
  }
}

/** Of a metric: what was measured has a value, and what was not has none and says why. */
function checkMatrix(found: Findings, question: string, all: Json, shown: Json): void {
  const matrix = listOf(all, 'matrix');
  const coverage = all['coverage'] as Json;
  for (const status of ['measured', 'not_applicable', 'not_measured'])
    found.equal(
      question,
      `${status} counted, and found`,
      coverage[status],
      matrix.filter((metric) => metric['status'] === status).length,
    );
  for (const metric of matrix) {
    const [id, value, isMeasured] = [String(metric['id']), metric['value'], metric['status'] === 'measured'];
    found.equal(question, `${id} here, and in the portfolio`, value, shown[id]);
    found.holds(question, `${id} has a value and was not measured, or none and was`, isMeasured === (value !== null));
    found.holds(question, `${id} has no value and no reason`, isMeasured || metric['reason'] !== null);
    found.holds(
      question,
      `${id} shows more places than it counts`,
      listOf(metric, 'evidence').length <= numberOf(metric, 'evidence_count'),
    );
  }
}

/** Parts make up the whole, but for a rounding of each. */
function checkRemediation(found: Findings, question: string, remediation: Json): void {
  const likely = (each: Json) => Number((each['hours'] as Json)['likely']);
  const whole = likely(remediation);
  const parts = {
    by_factor: listOf(remediation, 'by_factor').map(likely),
    by_dimension: listOf(remediation, 'by_dimension').map(likely),
    by_horizon: Object.values(remediation['by_horizon'] as Record<string, number>),
  };
  for (const [name, hours] of Object.entries(parts))
    found.holds(
      question,
      `${name} makes up ${sum(hours)} of ${whole} hours`,
      Math.abs(sum(hours) - whole) <= 0.05 * (hours.length + 1),
    );
}

async function checkUsage(ask: Ask, found: Findings): Promise<void> {
  for (const grouping of ['product', 'endpoint', 'member', 'day', 'product_day']) {
    const question = `/v1/billing/usage?group_by=${grouping}`;
    const usage = await resolves(ask, found, question);
    if (usage === null) return;
    const totals = usage['totals'] as Json;
    const calls = listOf(usage, 'meters').filter(({ meter }) => meter === 'api_calls');
    const classes = ['successful_calls', 'not_modified_calls', 'client_error_calls', 'server_error_calls'];
    for (const name of ['calls', 'credits_used', ...classes])
      found.equal(question, `${name} of all, and of each meter`, totals[name], sumOf(calls, name));
    found.equal(
      question,
      'calls, and calls of each outcome',
      totals['calls'],
      sum(classes.map((name) => numberOf(totals, name))),
    );
  }
}

async function checkRuns(ask: Ask, found: Findings): Promise<void> {
  const question = '/api/benchmark/eval-results';
  for (const { run_id: run, model, evaluated, solved, counts } of await walkList(ask, found, question)) {
    const outcomes = Object.values(counts as Record<string, number | null>).map((count) => count ?? 0);
    found.equal(question, `${String(run)} ${String(model)}: evaluated, and outcomes`, evaluated, sum(outcomes));
    found.equal(
      question,
      `${String(run)} ${String(model)}: solved, and resolved`,
      solved,
      (counts as Json)['resolved'],
    );
  }
}
