import type { GraphReader, GraphStore } from '../../src/stores/graph/port.ts';

/** The store, which says of each question to a reader of it when it begins and when it is answered. */
export function whileAsking(store: GraphStore, tell: (isAsking: boolean) => void): GraphStore {
  const told = <Parameters extends unknown[], Answer>(ask: (...parameters: Parameters) => Promise<Answer>) => {
    return async (...parameters: Parameters): Promise<Answer> => {
      tell(true);
      try {
        return await ask(...parameters);
      } finally {
        tell(false);
      }
    };
  };
  const reader = (of: GraphReader) =>
    Object.fromEntries(Object.entries(of).map(([name, ask]) => [name, told(ask as never)])) as unknown as GraphReader;
  return {
    ...store,
    everything: reader(store.everything),
    within: (repositories) => reader(store.within(repositories)),
  };
}
