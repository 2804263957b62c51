import type { Change } from '../../src/model/change.ts';
import type { GraphEdge } from '../../src/model/graph.ts';
import type { Boundary, RepositoryInfo } from '../../src/model/snapshot.ts';
import { wantedLinks } from '../wanted-links.ts';

type Uses = NonNullable<Change['elsewhere']>['items'];

/** A repository at one commit, as others see it. */
export interface SeenSide {
  info: RepositoryInfo;
  boundary: Boundary;
}

/**
 * What other repositories use of what a change touches, by the links that they have with its base and would have with its head. It is
 * broken where they have no link with the head that takes its place. `felt`: by the id that it had, the one it has, or null.
 */
export async function usesElsewhere(
  others: readonly RepositoryInfo[],
  boundaryOf: (repository: string) => Promise<Boundary | null>,
  { before, after, felt }: { before: SeenSide; after: SeenSide; felt: ReadonlyMap<string, string | null> },
): Promise<Uses> {
  const [had, have] = [await linksInto(before), await linksInto(after)];
  const now = new Set(have.map(({ type, from, to }) => `${type} ${from} ${to}`));
  const targets = Map.groupBy(have, ({ type, from }) => `${type} ${from}`);
  return had.flatMap(({ type, from, to, path, line }) => {
    const id = felt.get(to);
    if (id === undefined) return [];
    const isSame = id !== null && now.has(`${type} ${from} ${id}`);
    const isOther = targets.get(`${type} ${from}`)?.some((each) => nameOf(each.to) === nameOf(to)) ?? false;
    const slash = from.indexOf('/');
    const repository = slash < 0 ? from : from.slice(0, slash);
    return [{ repository, from: slash < 0 ? '' : from.slice(slash + 1), path, line, to, broken: !isSame && !isOther }];
  });

  /** Edges from symbols of others, and imports of theirs, to symbols of this side; `to` is without its name. */
  async function linksInto({ info, boundary }: SeenSide): Promise<GraphEdge[]> {
    const published = new Set(info.publishes.map(({ ecosystem, name }) => `${ecosystem} ${name}`));
    const users = new Set(
      others
        .filter(({ requires }) => requires.some(({ ecosystem, name }) => published.has(`${ecosystem} ${name}`)))
        .map(({ name }) => name),
    );
    const own = `${info.name}/`;
    const links: GraphEdge[] = [];
    for (const wanted of wantedLinks([...others, info])) {
      if (!users.has(wanted.repository)) continue;
      const edges = await wanted.edges((name) => (name === info.name ? Promise.resolve(boundary) : boundaryOf(name)));
      for (const edge of edges) if (edge.to.startsWith(own)) links.push({ ...edge, to: edge.to.slice(own.length) });
    }
    return links;
  }
}

const nameOf = (id: string) => id.slice(Math.max(id.lastIndexOf('#'), id.lastIndexOf('.')) + 1);
