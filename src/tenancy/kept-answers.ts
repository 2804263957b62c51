import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { GraphReader } from '../stores/graph/port.ts';
import type { Names } from './names.ts';

/** Of all answers together, in nodes and edges. */
const maxKept = 300_000;

/** Keeps what a page needs of a whole graph until something of it is written. */
export interface KeptAnswers {
  /** The answer to a question of one graph in these names; asked anew where the graph is in another state. Nobody may change it. */
  get<T extends object>(
    asked: { graph: GraphReader; names: Names; question: unknown },
    ask: () => Promise<T>,
  ): Promise<T>;
}

/** Keeps answers whose size is known. */
export function createKeptAnswers(sizeOf: (answer: object) => number): KeptAnswers {
  const kept = new LRUCache<string, { state: string; answer: object }>({
    maxSize: maxKept,
    sizeCalculation: ({ answer }) => sizeOf(answer) + 1,
  });
  return {
    async get<T extends object>(
      { graph, names, question }: { graph: GraphReader; names: Names; question: unknown },
      ask: () => Promise<T>,
    ): Promise<T> {
      const key = hash('sha256', JSON.stringify([names.shown, question]));
      // Asked before: an answer that is newer than its state is only asked for once more.
      const state = await graph.state();
      const known = kept.get(key);
      if (known?.state === state) return known.answer as T;
      const answer = await ask();
      kept.set(key, { state, answer });
      return answer;
    },
  };
}
