import { encoded, listOf, numberOf, sum, sumOf } from './asking.ts';
import type { Findings, Json } from './asking.ts';

const classes = ['successful_calls', 'not_modified_calls', 'client_error_calls', 'server_error_calls'];

/** What an organization has used is the same however it is grouped, and each group adds up. */
export async function checkUsage(found: Findings): Promise<void> {
  for (const grouping of ['product', 'endpoint', 'member', 'day', 'product_day']) {
    const question = `/v1/billing/usage?group_by=${grouping}`;
    const usage = await found.ask(question);
    if (usage === null) return;
    const totals = usage['totals'] as Json;
    const calls = listOf(usage, 'meters').filter(({ meter }) => meter === 'api_calls');
    for (const name of ['calls', 'credits_used', ...classes])
      found.equal(question, `${name} of all, and of each meter`, totals[name], sumOf(calls, name));
    const outcomes = sum(classes.map((name) => numberOf(totals, name)));
    found.equal(question, 'calls, and calls of each outcome', totals['calls'], outcomes);
  }
}

/** Products are as many as the catalog says of each kind, each that is live has a page of its own, and what is included is what the plan says. */
export async function checkCatalog(found: Findings): Promise<void> {
  const catalog = await found.ask('/v1/catalog');
  const products = listOf(catalog ?? {}, 'items');
  const live = products.filter(({ status }) => status === 'live');
  if (catalog !== null) {
    found.equal('/v1/catalog', 'live counted, and found', catalog['live'], live.length);
    found.equal('/v1/catalog', 'coming_soon counted, and found', catalog['coming_soon'], products.length - live.length);
  }
  for (const { slug, status } of live) {
    const product = await found.ask(`/v1/products/${encoded(slug)}`);
    if (product !== null)
      found.equal(`/v1/products/${String(slug)}`, 'status here, and in the catalog', product['status'], status);
  }
  const [plans, usage] = [await found.ask('/v1/billing/plans'), await found.ask('/v1/billing/usage')];
  if (plans === null || usage === null) return;
  const plan = listOf(plans, 'items').find(({ id }) => id === usage['plan_id']);
  const question = '/v1/billing/usage';
  found.holds(question, `the plan ${String(usage['plan_id'])} is no plan`, plan !== undefined);
  if (plan !== undefined)
    found.equal(
      question,
      'included credits, and those of the plan',
      usage['included_credits'],
      plan['included_credits'],
    );
}

/** Of a run of the benchmark: what was evaluated has one outcome each. */
export function checkRuns(found: Findings, runs: readonly Json[]): void {
  for (const { run_id: run, model, evaluated, solved, counts } of runs) {
    const question = `/api/benchmark/eval-results: ${String(run)} ${String(model)}`;
    const outcomes = Object.values(counts as Record<string, number | null>).map((count) => count ?? 0);
    found.equal(question, 'evaluated, and outcomes', evaluated, sum(outcomes));
    found.equal(question, 'solved, and resolved', solved, (counts as Json)['resolved']);
  }
}
