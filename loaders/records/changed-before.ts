import type { Commit } from '../../src/model/commit.ts';
import type { Cache } from '../kept/cache.ts';

export type Changed = Pick<Commit, 'changed' | 'changed_kept'>;

/** What commits of a repository changed, as an earlier load found it. */
export interface ChangedBefore {
  get(id: string): Changed | undefined;
  /** In place of all that was kept. */
  keep(all: Iterable<{ id: string } & Changed>): void;
}

/** Of an id so many digits say with which others it is kept: many are much smaller together. */
const digits = 2;

export function changedBefore(cache: Cache, repository: string): ChangedBefore {
  const keyOf = (begin: string) => JSON.stringify([repository, begin]);
  const held = new Map<string, Map<string, Changed>>();
  const entry = (begin: string) => {
    let known = held.get(begin);
    if (known === undefined) {
      known = new Map(JSON.parse(cache.get(keyOf(begin)) ?? '[]') as [string, Changed][]);
      held.set(begin, known);
    }
    return known;
  };
  return {
    get: (id) => entry(id.slice(0, digits)).get(id),
    keep(all) {
      const entries = new Map([...held.keys()].map((begin) => [begin, [] as [string, Changed][]]));
      for (const { id, changed, changed_kept } of all)
        entries.get(id.slice(0, digits))?.push([id, { changed, changed_kept }]);
      for (const [begin, each] of entries) cache.put(keyOf(begin), JSON.stringify(each));
    },
  };
}
