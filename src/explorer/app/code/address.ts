import { hrefOf } from '../router.ts';

/** What is told of a node wherever it is named. */
export interface Named {
  id: string;
  type: string;
  repository: string | null;
}

/** Where a name leads: a repository and a person into the map, all else to its code. */
export const hrefOfNode = ({ id, type }: Named) =>
  type === 'Repository' || type === 'Contributor' ? hrefOf('graph', { node: id }) : hrefOf('code', { symbol: id });

/** A line of a file. */
export const hrefOfPlace = (repository: string | null, path: string, line: number | null) =>
  hrefOf('code', { repo: repository, path, line });

/** The repository and the file that the id of a symbol begins with; null of what is no symbol. */
export function fileOf(symbol: string): { repository: string; path: string } | null {
  const slash = symbol.indexOf('/');
  const hash = symbol.indexOf('#');
  return slash > 0 && hash > slash ? { repository: symbol.slice(0, slash), path: symbol.slice(slash + 1, hash) } : null;
}
