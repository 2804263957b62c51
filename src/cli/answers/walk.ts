import { encoded, listOf, numberOf } from './asking.ts';
import type { Findings, Json } from './asking.ts';
import { pagingOf } from './contract.ts';
import type { Operation } from './contract.ts';

/** What all pages of an answer have together; `first` is the first of them. */
export interface Walk {
  question: string;
  first: Json;
  lists: Readonly<Record<string, Json[]>>;
  /** Ids of what pages of a graph show beside their own nodes, as edges lead there. */
  outside: ReadonlySet<unknown>;
}

/** The address of an operation: `path` for what its path is filled with, the rest for its query. */
export function addressOf(operation: Operation, values: Readonly<Record<string, string>>): string {
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(values[name]));
  const query = Object.entries(values).filter(([name]) => !operation.path.includes(`{${name}}`));
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query).toString()}`;
}

/**
 * Every page of what these values ask for. Each list is as long on all of them as every page says, no page has more than it was asked for,
 * and nothing comes twice. Null where the first page is not answered.
 */
export async function walk(
  found: Findings,
  operation: Operation,
  values: Readonly<Record<string, string>> = {},
): Promise<Walk | null> {
  const paging = pagingOf(operation);
  const sized = paging === null ? values : { ...values, [paging.size]: String(paging.most) };
  const question = addressOf(operation, sized);
  const at = (place: string) => addressOf(operation, { ...sized, [paging?.by ?? '']: place });
  const first = await found.ask(question);
  if (first === null) return null;
  const lists = Object.fromEntries(operation.lists.map(({ items }) => [items, [] as Json[]]));
  const outside = new Set<unknown>();
  for (let [page, number] = [first as Json | null, 1]; page !== null; number++) {
    for (const { items, total } of operation.lists) {
      found.equal(question, `${total} of a page and of the first`, page[total], first[total]);
      const shown = listOf(page, items);
      if (paging !== null)
        found.holds(question, `a page has ${shown.length} ${items} of ${paging.most}`, shown.length <= paging.most);
      lists[items]?.push(...shown);
    }
    for (const { id } of listOf(page, 'outside')) outside.add(id);
    const { next_cursor: cursor } = page;
    const isLast =
      paging === null ||
      (paging.by === 'cursor' ? typeof cursor !== 'string' : number >= numberOf(page, 'total_pages'));
    page = isLast ? null : await found.ask(at(paging.by === 'cursor' ? String(cursor) : String(number + 1)));
  }
  for (const { items, total } of operation.lists) {
    const all = lists[items] ?? [];
    const different = new Set(all.map((item) => JSON.stringify(item))).size;
    found.equal(question, `${total}, and different ${items} on all pages`, first[total], different);
    found.equal(question, `${items}, and different ones`, all.length, different);
  }
  await checkLastPage(found, operation, sized, first);
  return { question, first, lists, outside };
}

/** Who takes pages by their numbers finds as many on the last as are left for it. */
async function checkLastPage(
  found: Findings,
  operation: Operation,
  values: Readonly<Record<string, string>>,
  first: Json,
): Promise<void> {
  const [pages, size, total] = ['total_pages', 'page_size', 'total'].map((name) => numberOf(first, name)) as [
    number,
    number,
    number,
  ];
  if (!(pages > 1 && pages * size <= 10_000 && total > 0) || !operation.parameters.some(({ name }) => name === 'page'))
    return;
  const question = addressOf(operation, { ...values, page: String(pages) });
  const last = await found.ask(question);
  if (last === null) return;
  found.equal(
    question,
    'items on the last page, and those that are left',
    listOf(last, 'items').length,
    total - (pages - 1) * size,
  );
}
