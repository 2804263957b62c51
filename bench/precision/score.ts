import { readFileSync } from 'node:fs';

/** A row of a truth: an edge between definitions, by `path:line` of their names, or a call of which the truth knows nothing. */
export interface Row {
  type: 'CALLS' | 'INHERITS' | 'IMPORTS' | 'UNKNOWN';
  from: string;
  to?: string;
  to_name: string;
}

export function rowsOf(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}

/** Edges of a kind, each once: those of the truth, and those of ours that it can judge. An edge to itself never counts. */
export interface Compared {
  want: ReadonlySet<string>;
  have: ReadonlySet<string>;
}

export function compare(
  kind: Row['type'],
  truth: readonly Row[],
  found: readonly Row[],
  isCounted: (row: Row) => boolean = () => true,
): Compared {
  const edge = ({ from, to }: Row) => `${from} ${to}`;
  const isWanted = (row: Row) => row.type === kind && row.from !== row.to && isCounted(row);
  const unknown = new Set(truth.filter(({ type }) => type === 'UNKNOWN').map((row) => `${row.from} ${row.to_name}`));
  const want = new Set(truth.filter(isWanted).map(edge));
  const covered = new Set(
    truth.filter(({ type }) => type !== 'UNKNOWN').flatMap(({ from, to = '' }) => [fileOf(from), fileOf(to)]),
  );
  const have = new Set(
    [...new Map(found.filter(isWanted).map((row) => [edge(row), row])).values()]
      .filter(({ from, to = '' }) => covered.has(fileOf(from)) && covered.has(fileOf(to)))
      .filter((row) => want.has(edge(row)) || !unknown.has(`${row.from} ${row.to_name}`))
      .map(edge),
  );
  return { want, have };
}

/** The truth's number of edges, precision, recall and F1; nothing where it has none. */
export function scoresOf({ want, have }: Compared): string[] {
  if (want.size === 0) return [];
  const both = [...have].filter((edge) => want.has(edge)).length;
  const [precision, recall] = [both / Math.max(1, have.size), both / want.size];
  const f1 = both === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return [String(want.size), ...[precision, recall, f1].map((share) => share.toFixed(3))];
}

function fileOf(end: string): string {
  return end.slice(0, end.lastIndexOf(':'));
}
