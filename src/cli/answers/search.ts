import { encoded, sumOf } from './asking.ts';
import type { Findings, Json } from './asking.ts';
import type { Operation } from './contract.ts';
import type { WholeGraph } from './graph.ts';
import { walk } from './walk.ts';

/** Search finds what the graph has: as many of each type, and nothing else. */
export async function checkSearch(
  found: Findings,
  operation: Operation,
  { ids, totals, repositories }: WholeGraph,
): Promise<void> {
  for (const [type, count] of Object.entries(totals.nodes)) {
    const walked = await walk(found, operation, { type });
    if (walked === null) return;
    const items = walked.lists['items'] ?? [];
    // Overloads share an item, which counts those beside the first.
    const overloads = sumOf(
      items.flatMap((item) => (item['overloads'] ? [item['overloads'] as Json] : [])),
      'count',
    );
    found.equal(
      walked.question,
      'total with overloads, and nodes of this type',
      Number(walked.first['total']) + overloads,
      count,
    );
    const unknown = items.filter(({ id }) => !ids.has(String(id)));
    found.equal(walked.question, 'items that are no node', unknown.length, 0);
  }
  const question = '/api/search?facets=type,language,repo';
  const answer = await found.ask(question);
  if (answer === null) return;
  const facets = answer['facets'] as Record<string, Json[]>;
  found.equal(question, 'total, and all types', answer['total'], sumOf(facets['type'] ?? [], 'count'));
  const counted = new Map((facets['repo'] ?? []).map(({ value, count }) => [value, count]));
  for (const name of repositories) {
    const inRepository = `/api/search?repo=${encoded(name)}`;
    const total = (await found.ask(inRepository))?.['total'];
    if (total !== undefined && counted.has(name))
      found.equal(inRepository, 'total, and the facet', total, counted.get(name));
    await checkDocuments(found, name, total);
  }
}

/** Contributors are in the export of each repository, and in search once for all. */
async function checkDocuments(found: Findings, name: string, total: unknown): Promise<void> {
  const question = `/api/export/documents?repo=${encoded(name)}&limit=1`;
  const documents = await found.ask(question);
  const graph = `/api/graph?level=symbol&repo=${encoded(name)}&node_types=Contributor&page_size=1`;
  const contributors = await found.ask(graph);
  if (documents === null || contributors === null) return;
  found.equal(
    question,
    'total, and what search finds with contributors',
    documents['total'],
    Number(total) + Number(contributors['total_nodes']),
  );
}
