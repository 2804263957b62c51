import type { Findings, Json } from './asking.ts';

/** A GET, as the contract has it. */
export interface Operation {
  id: string;
  path: string;
  parameters: readonly { name: string; in: string; required: boolean; schema: Json }[];
  /** Names of the members of its answer that are lists, and of those that say how long these are on all pages. */
  lists: readonly { items: string; total: string }[];
  /** Where each item of it is found alone: the path, and the parameter and the item's member that fill it. */
  links: readonly { path: string; parameter: string; member: string }[];
}

/** Every GET that answers JSON. */
export async function readContract(found: Findings): Promise<Operation[]> {
  const document = await found.ask('/openapi.json');
  if (document === null) return [];
  const { schemas } = document['components'] as { schemas: Record<string, Json> };
  const gets = Object.entries(document['paths'] as Record<string, { get?: Json }>).flatMap(([path, { get }]) =>
    get === undefined ? [] : [{ path, get }],
  );
  const pathOf = new Map(gets.map(({ path, get }) => [get['operationId'], path]));
  return gets.flatMap(({ path, get }) => {
    const answer = (
      get['responses'] as Record<string, { content?: Record<string, { schema: Json }>; links?: Json }>
    )[200];
    const schema = answer?.content?.['application/json']?.schema;
    if (schema === undefined) return [];
    const members = membersOf(schema, schemas);
    const links = Object.values(answer?.links ?? {}).flatMap((link) => {
      const { operationId, parameters } = link as { operationId: string; parameters: Record<string, string> };
      const [parameter = ''] = Object.keys(parameters);
      const from = parameters[parameter] ?? '';
      const [, member] = /^\$response\.body#\/items\/0\/(\w+)$/.exec(from) ?? [];
      const to = pathOf.get(operationId);
      return member === undefined || to === undefined ? [] : [{ path: to, parameter, member }];
    });
    const parameters = (get['parameters'] ?? []) as Operation['parameters'];
    const operation = { id: String(get['operationId']), path, parameters, lists: [], links };
    // What has no pages and is shown in part says how much there is, too; but `items` are whole.
    const lists = pagedLists(members).filter(({ items }) => items === 'items' || pagingOf(operation) !== null);
    return [{ ...operation, lists }];
  });
}

/** `items` has `total`, and `neighbors` has `total_neighbors`. */
function pagedLists(members: readonly string[]): Operation['lists'] {
  return members.flatMap((total) => {
    const items = total === 'total' ? 'items' : total.replace(/^total_/, '');
    return items !== total && members.includes(items) ? [{ items, total }] : [];
  });
}

function membersOf(schema: Json, schemas: Record<string, Json>): string[] {
  if (typeof schema['$ref'] === 'string')
    return membersOf(schemas[schema['$ref'].split('/').at(-1) ?? ''] ?? {}, schemas);
  const kinds = ['anyOf', 'oneOf', 'allOf'].flatMap((kind) => (schema[kind] ?? []) as Json[]);
  return [...Object.keys(schema['properties'] ?? {}), ...kinds.flatMap((each) => membersOf(each, schemas))];
}

/** How it is paged: by which parameter one goes on, and how many it gives at most. */
export function pagingOf({ parameters }: Operation): { by: 'cursor' | 'page'; size: string; most: number } | null {
  const named = (name: string) => parameters.find((each) => each.in === 'query' && each.name === name);
  const size = named('page_size') ?? named('limit');
  const by = named('cursor') ?? named('page');
  if (size === undefined || by === undefined) return null;
  return { by: by.name === 'cursor' ? 'cursor' : 'page', size: size.name, most: Number(size.schema['maximum'] ?? 100) };
}
