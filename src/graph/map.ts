import { z } from 'zod';
import { route } from '../http/route.ts';
import { edgeTypeSchema } from '../model/graph.ts';
import type { GraphEdge, GraphNode } from '../model/graph.ts';
import type { RepositoryGraph } from '../stores/graph/port.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { communitiesOf } from './communities.ts';
import { layOutMap } from './map-layout.ts';

/** Of more repositories those with the most lines, and of more links the heaviest: so that a map has less than a megabyte. */
const [maxRepositories, maxLinks] = [2_500, 3_000];
/** Of people who work in several repositories: pairs of repositories, those with the most first. */
const maxShared = 2_000;

const groupingSchema = z.enum(['language', 'organization', 'community']);
const coordinate = z.number();
const discShape = {
  x: coordinate.meta({ description: 'Of the middle; to the right is more.' }),
  y: coordinate.meta({ description: 'Of the middle; down is more.' }),
  radius: z.number().min(0).meta({ description: 'In the unit of the coordinates.' }),
};

const responseSchema = z
  .object({
    group: groupingSchema,
    repositories: z.array(
      z
        .object({
          id: z.string(),
          name: z.string(),
          full_name: z.string().nullable(),
          language: z.string().nullable(),
          lines: z.int().min(0).nullable().meta({ description: 'Of its source; null where they were not counted.' }),
          group: z.string(),
          ...discShape,
        })
        .meta({ id: 'MappedRepository' }),
    ),
    groups: z.array(
      z
        .object({ name: z.string(), repositories: z.int().min(1), ...discShape })
        .meta({ id: 'MappedGroup', description: 'A region that holds its repositories and no others.' }),
    ),
    links: z.array(
      z
        .object({
          from: z.string(),
          to: z.string(),
          weight: z.number().meta({ description: 'Of all edges together.' }),
          counts: z.partialRecord(edgeTypeSchema, z.number()).meta({
            description: 'The weight of its edges of each type: how many calls, imports and so on they stand for.',
          }),
        })
        .meta({ id: 'MappedLink', description: 'All edges from one repository to another.' }),
    ),
    people: z.array(
      z
        .object({ from: z.string(), to: z.string(), contributors: z.int().min(1) })
        .meta({ id: 'SharedPeople', description: 'Two repositories, and how many contributed to both.' }),
    ),
    total_repositories: z
      .int()
      .min(0)
      .meta({ description: `Of more than ${maxRepositories} those with the most lines are on the map.` }),
    total_links: z
      .int()
      .min(0)
      .meta({ description: `Between those on the map; of more than ${maxLinks} the heaviest are in the list.` }),
    total_contributors: z.int().min(0),
  })
  .meta({ id: 'PortfolioMap' });

/** What `GET /api/graph/map` answers. */
export type MapAnswer = z.infer<typeof responseSchema>;
type Group = MapAnswer['group'];

/** `GET /api/graph/map`: the repositories as a map, with the place of each. */
export function mapRoute(viewOf: ViewOf) {
  // A graph is the same object until something of it is written.
  const kept = new WeakMap<RepositoryGraph, Map<Group, Promise<MapAnswer>>>();
  return route({
    method: 'GET',
    path: '/api/graph/map',
    operation_id: 'get_graph_map',
    summary: 'The portfolio as a map',
    description:
      'Each repository with a place and a size by its lines, in regions by language, organization or community of links; all edges from one to another as one link with counts, and how many people two share. The same data gives the same places, in every process.',
    access: 'tenant',
    product: 'code-graph',
    credits: 5,
    query: {
      group: groupingSchema.default('language').meta({
        description:
          'By what repositories lie together; a community has more links within it than chance would have, and is called after the repository with the most.',
      }),
    },
    response: responseSchema,
    example: {
      group: 'language',
      repositories: [
        {
          id: 'payments-api',
          name: 'payments-api',
          full_name: 'acme/payments-api',
          language: 'TypeScript',
          lines: 12_400,
          group: 'TypeScript',
          x: 0,
          y: 0,
          radius: 42,
        },
      ],
      groups: [{ name: 'TypeScript', repositories: 1, x: 0, y: 0, radius: 58 }],
      links: [],
      people: [],
      total_repositories: 1,
      total_links: 0,
      total_contributors: 4,
    },
    handle: async ({ caller, query: { group } }) => {
      const { graph } = await viewOf(caller);
      const whole = await graph.repositoryGraph();
      const known = kept.get(whole) ?? new Map<Group, Promise<MapAnswer>>();
      kept.set(whole, known);
      const made = known.get(group) ?? mapOf(whole, group);
      known.set(group, made);
      made.catch(() => known.delete(group));
      return made;
    },
  });
}

async function mapOf({ nodes, edges }: RepositoryGraph, group: Group): Promise<MapAnswer> {
  const ofAll = nodes.filter(({ type }) => type === 'Repository');
  const groupOf = group === 'community' ? communityNames(ofAll, edges) : (node: GraphNode) => groupIn(node, group);
  const all = ofAll.map((node) => ({
    id: node.id,
    name: node.name,
    full_name: textIn(node, 'full_name'),
    language: node.language,
    lines: linesOf(node),
    group: groupOf(node),
  }));
  const repositories = heaviest(all, maxRepositories, ({ lines }) => lines ?? 0);
  const ids = new Set(repositories.map(({ id }) => id));
  const links = linksBetween(edges.filter(({ from, to }) => from !== to && ids.has(from) && ids.has(to)));
  const { places, groups } = await layOutMap(
    repositories.map(({ id, group, lines }) => ({ id, group, size: lines ?? 0 })),
    links,
  );
  const rounded = ({ x, y, radius }: { x: number; y: number; radius: number }) => ({
    x: round(x),
    y: round(y),
    radius: round(radius),
  });
  const counts = Map.groupBy(repositories, (each) => each.group);
  return {
    group,
    repositories: repositories.map((each) => ({
      ...each,
      ...rounded(places.get(each.id) ?? { x: 0, y: 0, radius: 0 }),
    })),
    groups: groups.map(({ name, ...disc }) => ({
      name,
      repositories: counts.get(name)?.length ?? 1,
      ...rounded(disc),
    })),
    links: heaviest(links, maxLinks, ({ weight }) => weight),
    people: sharedPeople(edges, ids),
    total_repositories: all.length,
    total_links: links.length,
    total_contributors: nodes.filter(({ type }) => type === 'Contributor').length,
  };
}

/** So many at most, in the order in which they were. */
function heaviest<T>(all: readonly T[], most: number, weightOf: (each: T) => number): T[] {
  const kept = new Set(all.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, most));
  return all.filter((each) => kept.has(each));
}

const round = (value: number) => Math.round(value * 100) / 100;

const textIn = ({ properties }: GraphNode, name: string) => {
  const value = properties[name];
  return typeof value === 'string' ? value : null;
};

function linesOf({ properties: { lines } }: GraphNode): number | null {
  return typeof lines === 'number' && lines >= 0 ? Math.round(lines) : null;
}

function groupIn(node: GraphNode, group: 'language' | 'organization'): string {
  if (group === 'language') return node.language ?? 'no language';
  const [owner, name] = (textIn(node, 'full_name') ?? '').split('/');
  return owner !== undefined && owner !== '' && name !== undefined ? owner : 'no organization';
}

/** Tells which community a repository is of, by the name of the member with the most links within it. */
function communityNames(repositories: readonly GraphNode[], edges: readonly GraphEdge[]): (node: GraphNode) => string {
  const ids = new Set(repositories.map(({ id }) => id));
  // A thousand calls are not a thousand times as much as one.
  const ties = linksBetween(edges.filter(({ from, to }) => from !== to && ids.has(from) && ids.has(to))).map(
    ({ from, to, weight }) => ({ from, to, weight: Math.log2(1 + weight) }),
  );
  const names = new Map<string, string>();
  for (const members of communitiesOf([...ids], ties)) {
    const own = new Set(members);
    const within = ties.filter(({ from, to }) => own.has(from) && own.has(to));
    const most = Map.groupBy(
      within.flatMap(({ from, to }) => [from, to]),
      (id) => id,
    );
    const [middle] = members.toSorted(
      (a, b) => (most.get(b)?.length ?? 0) - (most.get(a)?.length ?? 0) || compare(a, b),
    );
    for (const id of members) names.set(id, members.length === 1 ? 'not linked' : `around ${middle}`);
  }
  return ({ id }) => names.get(id) ?? 'not linked';
}

function linksBetween(edges: readonly GraphEdge[]): MapAnswer['links'] {
  const links = new Map<string, MapAnswer['links'][number]>();
  for (const { type, from, to, weight } of edges) {
    const key = `${from}\n${to}`;
    const link = links.get(key) ?? { from, to, weight: 0, counts: {} };
    link.weight += weight;
    link.counts[type] = (link.counts[type] ?? 0) + weight;
    links.set(key, link);
  }
  return [...links.values()].sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
}

function sharedPeople(edges: readonly GraphEdge[], repositories: ReadonlySet<string>): MapAnswer['people'] {
  const contributions = edges.filter(({ type, to }) => type === 'CONTRIBUTED_TO' && repositories.has(to));
  const shared = new Map<string, number>();
  for (const [, own] of Map.groupBy(contributions, ({ from }) => from)) {
    const names = own.map(({ to }) => to).sort();
    names.forEach((from, index) => {
      for (const to of names.slice(index + 1)) shared.set(`${from}\n${to}`, (shared.get(`${from}\n${to}`) ?? 0) + 1);
    });
  }
  return [...shared]
    .map(([pair, contributors]) => {
      const [from = '', to = ''] = pair.split('\n');
      return { from, to, contributors };
    })
    .sort((a, b) => b.contributors - a.contributors || compare(a.from, b.from) || compare(a.to, b.to))
    .slice(0, maxShared);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
