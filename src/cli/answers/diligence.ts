import { encoded, listOf, numberOf, sum, sumOf } from './asking.ts';
import type { Findings, Json } from './asking.ts';
import type { Operation } from './contract.ts';
import { walk } from './walk.ts';

/** Due diligence of all repositories and of each, by every route that tells of it. */
export async function checkDiligence(
  found: Findings,
  at: (path: string) => Operation | undefined,
  names: readonly string[],
): Promise<void> {
  const summaries = at('/api/dd/executive');
  const walked = summaries === undefined ? null : await walk(found, summaries);
  if (walked === null) return;
  const portfolio = walked.first;
  const assessed = walked.lists['repositories'] ?? [];
  const lost = assessed.map(({ repo }) => String(repo)).filter((name) => !names.includes(name));
  found.holds(walked.question, `not in the graph: ${lost.join(', ')}`, lost.length === 0);
  const histogram = (portfolio['kpis'] as Json)['grade_histogram'] as Record<string, number>;
  found.equal(walked.question, 'grades, and repositories', sum(Object.values(histogram)), assessed.length);
  const packages = at('/api/dd/deep');
  const deep = packages === undefined ? null : await walk(found, packages);
  if (deep !== null) checkPortfolio(found, deep.first['portfolio'] as Json, deep.lists['repositories'] ?? []);
  const repositories: Json[] = [];
  for (const summary of assessed) {
    const question = `/api/dd/deep/${encoded(summary['repo'])}`;
    const all = await found.ask(question);
    if (all === null) continue;
    repositories.push(all);
    for (const name of ['score', 'grade', 'confidence', 'pipeline_run_id'])
      found.equal(question, `${name} here, and in the portfolio`, all[name], summary[name]);
    checkMatrix(found, question, all, summary['metrics'] as Json);
    checkRemediation(found, question, all['remediation'] as Json);
    await checkOtherPlaces(found, summary['repo'], all);
  }
  const factor = at('/api/dd/factors/{factor_id}');
  if (factor !== undefined) await checkFactors(found, factor, repositories);
  const health = await found.ask('/api/dd/health');
  if (health !== null)
    found.equal('/api/dd/health', 'repositories, and those of the portfolio', health['repositories'], assessed.length);
}

/** Nothing is better over all repositories than in the best of them. */
function checkPortfolio(found: Findings, portfolio: Json, repositories: readonly Json[]): void {
  const question = '/api/dd/deep';
  const notBetter = (what: string, whole: unknown, parts: readonly unknown[]) => {
    const known = parts.filter((part) => typeof part === 'number');
    if (typeof whole !== 'number' || known.length === 0) return;
    found.holds(question, `${what} is ${whole}, better than every repository’s`, whole <= Math.max(...known));
  };
  const scores = repositories.map(({ score }) => score);
  notBetter('score', portfolio['score'], scores);
  for (const { id, score } of listOf(portfolio, 'dimensions')) {
    const same = repositories.flatMap((each) => listOf(each, 'dimensions')).filter((each) => each['id'] === id);
    notBetter(
      `dimension ${String(id)}`,
      score,
      same.map((each) => each['score']),
    );
  }
}

/** Of a metric: what was measured has a value, and what was not has none and says why. */
function checkMatrix(found: Findings, question: string, all: Json, shown: Json): void {
  const matrix = listOf(all, 'matrix');
  const coverage = all['coverage'] as Json;
  for (const status of ['measured', 'not_applicable', 'not_measured']) {
    const { length } = matrix.filter((metric) => metric['status'] === status);
    found.equal(question, `${status} counted, and found`, coverage[status], length);
  }
  for (const metric of matrix) {
    const [id, value] = [String(metric['id']), metric['value']];
    found.equal(question, `${id} here, and in the portfolio`, value, shown[id]);
    const isInBounds = listOf(metric, 'evidence').length <= numberOf(metric, 'evidence_count');
    found.holds(question, `${id} shows more places than it counts`, isInBounds);
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
  for (const [name, hours] of Object.entries(parts)) {
    const isWhole = Math.abs(sum(hours) - whole) <= 0.05 * (hours.length + 1);
    found.holds(question, `${name} makes up ${sum(hours)} of ${whole} hours`, isWhole);
  }
}

/** The same repository as its executive summary, its list of factors and its export have it. */
async function checkOtherPlaces(found: Findings, repo: unknown, all: Json): Promise<void> {
  const summary = `/api/dd/executive/${encoded(repo)}`;
  const executive = await found.ask(summary);
  for (const name of executive === null ? [] : ['score', 'grade', 'confidence'])
    found.equal(summary, `${name} here, and in depth`, executive?.[name], all[name]);
  const list = `/api/dd/repos/${encoded(repo)}/factors`;
  const factors = new Map(
    listOf((await found.ask(list)) ?? {}, 'factors').map((each) => [each['factor_id'], each['score']]),
  );
  for (const { factor_id: id, score } of listOf(all, 'factors'))
    if (factors.size > 0) found.equal(list, `score of ${String(id)} here, and in depth`, factors.get(id), score);
  const rows = `/api/export/metrics?repo=${encoded(repo)}`;
  const exported = await found.ask(rows);
  if (exported !== null)
    found.equal(rows, 'total, and metrics in depth', exported['total'], listOf(all, 'matrix').length);
}

/** A factor over all repositories is what each of them has. */
async function checkFactors(found: Findings, operation: Operation, repositories: readonly Json[]): Promise<void> {
  const catalog = await found.ask('/api/dd/factors');
  for (const { factor_id: id } of listOf(catalog ?? {}, 'factors')) {
    const factor = await walk(found, operation, { factor_id: String(id) });
    if (factor === null) continue;
    const { question } = factor;
    const shown = factor.lists['repositories'] ?? [];
    const distribution = listOf(factor.first, 'distribution');
    found.equal(question, 'repositories by grade, and all', sumOf(distribution, 'repositories'), shown.length);
    for (const { grade, repositories: count } of distribution) {
      const { length } = shown.filter((each) => each['grade'] === grade);
      found.equal(question, `repositories of grade ${String(grade)}, and found`, count, length);
    }
    for (const { repo, factors } of repositories) {
      const there = (factors as Json[]).find((each) => each['factor_id'] === id);
      const here = shown.find((each) => each['repo'] === repo);
      found.equal(question, `score of ${String(repo)} here, and in depth`, here?.['score'], there?.['score']);
    }
  }
}
