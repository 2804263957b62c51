import type { GraphEdge, GraphNode } from '../model/graph.ts';
import type { DirectCondition, DirectQuery, DirectValue } from '../model/direct-query.ts';
import type { PropertyGraph, Value } from '../model/property-graph.ts';
import type { GraphReader, Neighbor, RepositoryGraph } from '../stores/graph/port.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { Names } from './names.ts';

/** The graph of what a caller sees, in the names by which he sees it. */
export function namedGraph(graph: GraphReader, names: Names, kept: KeptAnswers): GraphReader {
  const node = (stored: GraphNode): GraphNode => ({
    ...stored,
    id: names.shownId(stored.id),
    repository: stored.repository === null ? null : names.nameOf(stored.repository),
    ...(stored.type === 'Repository'
      ? { properties: { ...stored.properties, full_name: names.fullNameOf(names.nameOf(stored.id)) } }
      : {}),
  });
  const edge = (stored: GraphEdge): GraphEdge => ({
    ...stored,
    from: names.shownId(stored.from),
    to: names.shownId(stored.to),
  });
  const neighbor = (stored: Neighbor): Neighbor => ({
    node: node(stored.node),
    edges: stored.edges.map((each) => ({ ...each, edge: edge(each.edge) })),
  });
  const firstType = ({ edges }: Neighbor) => edges[0]?.edge.type ?? '';

  const whole = async (): Promise<RepositoryGraph> => {
    const { nodes, edges, counts } = await graph.repositoryGraph();
    return {
      nodes: nodes.map(node).toSorted((a, b) => compare(a.id, b.id)),
      edges: edges.map(edge).toSorted(byEnds),
      counts: counts
        .map((each) => ({ ...each, repository: names.nameOf(each.repository) }))
        .toSorted((a, b) => compare(a.repository, b.repository)),
    };
  };

  return {
    state: () => graph.state(),
    repositoryGraph: () => kept.get({ graph, names, question: 'repositoryGraph' }, whole),
    async stateInside(repository) {
      const state = await graph.stateInside(names.keyOf(repository));
      return state && `${repository} ${state}`;
    },
    async edgesInside(query) {
      const asked = { ...query, repository: names.keyOf(query.repository) };
      const ask = async () => ({ total: await graph.edgesInside(asked) });
      return (await kept.get({ graph, names, question: asked }, ask)).total;
    },
    async neighbors(repository) {
      const found = await graph.neighbors(names.keyOf(repository));
      return (
        found?.map(neighbor).toSorted((a, b) => compare(firstType(a), firstType(b)) || compare(a.node.id, b.node.id)) ??
        null
      );
    },
    async inside(query) {
      const found = await graph.inside({ ...query, repository: names.keyOf(query.repository) });
      return (
        found && {
          nodes: found.nodes.map(node),
          edges: found.edges.map(edge),
          links: found.links.map(edge).toSorted(byEnds),
          outside: found.outside.map(node).toSorted((a, b) => compare(a.id, b.id)),
          total: found.total,
        }
      );
    },
    async adjacent(query) {
      const found = await graph.adjacent({ ...query, id: names.storedId(query.id) });
      return found && { ...found, neighbors: found.neighbors.map(neighbor) };
    },
    async outgoing(query) {
      const found = await graph.outgoing({ ...query, ids: query.ids.map(names.storedId) });
      return found.map(({ edge: stored, to }) => ({ edge: edge(stored), to: node(to) }));
    },
    async impact(query) {
      const found = await graph.impact({ ...query, id: names.storedId(query.id) });
      return found && { ...found, affected: found.affected.map((each) => ({ ...each, node: node(each.node) })) };
    },
    async path(query) {
      const found = await graph.path({ ...query, from: names.storedId(query.from), to: names.storedId(query.to) });
      return found && { nodes: found.nodes.map(node), edges: found.edges.map(edge) };
    },
    async definitions(files) {
      const inKeys = files.map((file) => ({ ...file, repository: names.keyOf(file.repository) }));
      return (await graph.definitions(inKeys)).map(node);
    },
    query: (work) => graph.query((found) => work(namedProperties(found, names))),
    async answer(query) {
      const asked = inKeys(query, names);
      const rows = asked && (await graph.answer(asked));
      return Array.isArray(rows)
        ? rows.map((row) => row.map((value, place) => shownIn(query, place, value, names)))
        : rows;
    },
    async node(id) {
      const found = await graph.node(names.storedId(id));
      return found && node(found);
    },
  };
}

/** Queries see the names too, in values and in what they look nodes up by. */
function namedProperties(graph: PropertyGraph, names: Names): PropertyGraph {
  const stored: Readonly<Record<string, (shown: string) => string>> = { id: names.storedId, repository: names.keyOf };
  return {
    ...graph,
    nodes: ({ label, equal }) =>
      graph.nodes({
        label,
        equal: new Map(
          [...equal].map(([name, value]) => [name, (typeof value === 'string' && stored[name]?.(value)) || value]),
        ),
      }),
    nodeProperties: async (keys) =>
      (await graph.nodeProperties(keys)).map((properties) => {
        const shown = new Map(properties);
        const [id, repository, own] = [
          properties.get('id'),
          properties.get('repository'),
          properties.get('properties'),
        ];
        if (typeof id === 'string') shown.set('id', names.shownId(id));
        if (typeof repository === 'string') shown.set('repository', names.nameOf(repository));
        if (typeof id === 'string' && id === repository && own instanceof Map)
          shown.set('properties', new Map(own).set('full_name', names.fullNameOf(names.nameOf(id))));
        return shown;
      }),
  };
}

/** A question in the names that stores know; null where a name means something else than itself. */
function inKeys(query: DirectQuery, names: Names): DirectQuery | null {
  let isItself = true;
  const key = (name: string, value: DirectValue): DirectValue => {
    if (typeof value !== 'string' || (name !== 'id' && name !== 'repository')) return value;
    const stored = name === 'id' ? names.storedId(value) : names.keyOf(value);
    // A full name finds a repository too, and is not what it is shown by.
    isItself &&= (name === 'id' ? names.shownId(stored) : names.nameOf(stored)) === value;
    return stored;
  };
  const condition = (each: DirectCondition): DirectCondition => {
    switch (each.kind) {
      case 'logic':
        return { ...each, left: condition(each.left), right: condition(each.right) };
      case 'not':
        return { ...each, of: condition(each.of) };
      case 'value':
        return { ...each, right: key(each.left.name, each.right) };
      case 'in':
        return { ...each, values: each.values.map((value) => key(each.left.name, value)) };
      default:
        return each;
    }
  };
  const asked: DirectQuery = {
    ...query,
    start: { ...query.start, id: String(key('id', query.start.id)) },
    matches: query.matches.map(({ edges, conditions }) => ({ edges, conditions: conditions.map(condition) })),
  };
  return isItself ? asked : null;
}

/** A value of the answer, in the names that are shown. */
function shownIn({ columns }: DirectQuery, place: number, value: Value, names: Names): Value {
  const column = columns[place];
  if (typeof value !== 'string' || column?.kind !== 'property') return value;
  if (column.of.name === 'id') return names.shownId(value);
  return column.of.name === 'repository' ? names.nameOf(value) : value;
}

const byEnds = (a: GraphEdge, b: GraphEdge) =>
  compare(a.type, b.type) || compare(a.from, b.from) || compare(a.to, b.to);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
