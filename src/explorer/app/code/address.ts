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

/** A line of a file; `withBlame` where who wrote its lines stands beside them. */
export const hrefOfPlace = (repository: string | null, path: string, line: number | null, withBlame = false) =>
  hrefOf('code', { repo: repository, path, line, blame: withBlame ? 1 : null });

/** Lines from 1, both ends among them. */
export interface LineRange {
  from: number;
  to: number;
}

/** `12`, or `12-20`; null of anything else. */
export function lineRange(text: string | null): LineRange | null {
  const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text ?? '') ?? [];
  const range = { from: Number(from), to: Number(to) };
  return range.from >= 1 && range.to >= range.from ? range : null;
}

export const rangeText = ({ from, to }: LineRange) => (from === to ? String(from) : `${from}-${to}`);
export const isWithin = (range: LineRange | null, line: number) =>
  range !== null && range.from <= line && line <= range.to;

/** The repository and the file that the id of a symbol begins with; null of what is no symbol. */
export function fileOf(symbol: string): { repository: string; path: string } | null {
  const slash = symbol.indexOf('/');
  const hash = symbol.indexOf('#');
  return slash > 0 && hash > slash ? { repository: symbol.slice(0, slash), path: symbol.slice(slash + 1, hash) } : null;
}
