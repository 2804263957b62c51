import type { SearchDocument } from '../../src/model/search-document.ts';
import type { Need } from './queries.ts';
import { queries } from './queries.ts';

/** How well wanted answers are ranked: the mean of 1 / rank (0 beyond the tenth), and how many are first or among five. */
export interface Quality {
  queries: number;
  mrr: number;
  recallAt1: number;
  recallAt5: number;
}

export const maxDepth = 10;

/** Asks every query; `overall` and each need. What is not on top is told to `miss`. */
export async function measure(
  ask: (text: string) => Promise<readonly SearchDocument[]>,
  miss: (need: Need, text: string, rank: number, first: SearchDocument | undefined) => void = () => undefined,
): Promise<Map<Need | 'overall', Quality>> {
  const ranks = new Map<Need | 'overall', number[]>([['overall', []]]);
  for (const need of Object.keys(queries) as Need[]) {
    ranks.set(need, []);
    for (const [text, ...wanted] of queries[need]) {
      const found = (await ask(text)).slice(0, maxDepth);
      const rank = 1 + found.findIndex((document) => wanted.some((each) => is(document, each)));
      if (rank !== 1) miss(need, text, rank, found[0]);
      for (const key of [need, 'overall'] as const) ranks.get(key)?.push(rank);
    }
  }
  return new Map([...ranks].map(([need, each]) => [need, qualityOf(each)]));
}

/** Of the ranks of what was wanted, 0 where it was not found. */
export function qualityOf(ranks: readonly number[]): Quality {
  const mean = (value: (rank: number) => number) => {
    const sum = ranks.reduce((total, rank) => total + (rank === 0 ? 0 : value(rank)), 0);
    return Math.round((sum / ranks.length) * 1000) / 1000;
  };
  return {
    queries: ranks.length,
    mrr: mean((rank) => 1 / rank),
    recallAt1: mean((rank) => Number(rank === 1)),
    recallAt5: mean((rank) => Number(rank <= 5)),
  };
}

function is({ id, type, repository, qualified_name }: SearchDocument, wanted: string): boolean {
  const [, name, symbol] = /^([^:/]+)(?::(.*))?$/.exec(wanted) ?? [];
  if (name === undefined) return id.startsWith(wanted);
  return repository === name && (symbol === undefined ? type === 'Repository' : qualified_name === symbol);
}
