import { drawn, encoded } from './asking.ts';
import type { Findings, Json } from './asking.ts';
import type { Operation } from './contract.ts';
import { walk } from './walk.ts';

/** Of one list so many items at most are asked for alone. */
const mostItems = 1_000;

/** What lists need to be asked for, or to show all that they have. */
const asked: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/api/search/text': { q: 'return' },
  '/api/benchmark/tasks': { quality: 'all' },
};

/** Lists that are walked with more than this, by `graph.ts`, `search.ts` and `diligence.ts`. */
const elsewhere = new Set([
  '/api/graph',
  '/api/search',
  '/api/dd/executive',
  '/api/dd/deep',
  '/api/dd/factors/{factor_id}',
]);

/** What lists can be asked about. */
interface Known {
  repositories: readonly string[];
  nodes: readonly string[];
}

/**
 * Every list of the contract, as far as its path is known: of each repository where it has one, and of each of these nodes. Each item
 * that is found alone by a link is asked for.
 */
export async function checkLists(
  found: Findings,
  operations: readonly Operation[],
  known: Known,
): Promise<Map<string, Json[]>> {
  const seen = new Map<string, Json[]>();
  const later: Operation[] = [];
  const take = async (operation: Operation, values: Readonly<Record<string, string>>) => {
    const walked = await walk(found, operation, { ...asked[operation.path], ...values });
    const items = walked?.lists['items'] ?? [];
    seen.set(operation.path, [...(seen.get(operation.path) ?? []), ...items]);
    await checkEach(found, operation, items);
  };
  for (const operation of operations) {
    if (operation.lists.length === 0 || elsewhere.has(operation.path)) continue;
    const questions = questionsOf(operation, known);
    if (questions === null) later.push(operation);
    else for (const values of questions) await take(operation, values);
  }
  // What lies below a list that has been seen: /api/benchmark/eval-results/{run_id}/outcomes.
  for (const operation of later) {
    const [above = '', parameter = ''] = operation.path.split(/\/\{(\w+)\}/);
    const ids = new Set((seen.get(above) ?? []).map((item) => String(item[parameter] ?? item['id'])));
    found.holds(operation.path, 'it is not known what to ask it for', seen.has(above));
    for (const id of drawn([...ids], mostItems)) await take(operation, { [parameter]: id });
  }
  return seen;
}

/** With what a list is asked for; null where its path is filled with what another list has. */
function questionsOf(operation: Operation, { repositories, nodes }: Known): Readonly<Record<string, string>>[] | null {
  const { path, parameters } = operation;
  const [needed] = parametersOf(operation);
  if (needed === undefined) {
    const isExport = path.startsWith('/api/export/') && parameters.some(({ name }) => name === 'repo');
    return [{}, ...(isExport ? repositories.map((repo) => ({ repo })) : [])];
  }
  if (['name', 'repo', 'repository'].includes(needed)) return repositories.map((name) => ({ [needed]: name }));
  return path.startsWith('/api/graph/') ? nodes.map((id) => ({ [needed]: id })) : null;
}

/** In its path, or needed in its query and not known here. */
function parametersOf({ path, parameters }: Operation): string[] {
  return parameters
    .filter(
      (each) => each.in === 'path' || (each.in === 'query' && each.required && !(each.name in (asked[path] ?? {}))),
    )
    .map(({ name }) => name);
}

async function checkEach(found: Findings, { links }: Operation, items: readonly Json[]): Promise<void> {
  for (const { path, parameter, member } of links)
    for (const item of drawn(items, mostItems)) {
      const question = path.replace(`{${parameter}}`, encoded(item[member]));
      const alone = await found.ask(question);
      if (alone !== null && member in alone)
        found.equal(question, `${member} here, and in the list`, alone[member], item[member]);
    }
}
