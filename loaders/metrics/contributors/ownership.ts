import { posix } from 'node:path';
import { maxOwnedPlaces } from '../../../src/model/due-diligence.ts';
import type { Ownership } from '../../../src/model/due-diligence.ts';
import { foldersUp } from '../folders-up.ts';
import type { MetricInput } from '../metric.ts';

/**
 * Who made the largest share of the commits to each source file, and to the files of each folder together (proportion of ownership:
 * Bird, Nagappan, Murphy, Gall, Devanbu 2011). As in the knowledge figures, commits that change nothing but comments and white space
 * are not counted, adding a file is, and bots are nobody. Null without a whole history.
 */
export function ownershipOf({
  history,
  files,
  contributors,
  shallow,
}: Pick<MetricInput, 'history' | 'files' | 'contributors' | 'shallow'>): Ownership | null {
  if (!history || shallow) return null;
  const bots = new Set(contributors.filter(({ bot }) => bot).map(({ id }) => id));
  const places = new Map<string, Map<string, number>>();
  for (const { path } of files) {
    const file = history.files.get(path);
    if (!file) continue;
    for (const id of new Set([...file.changes.keys(), ...file.creators])) {
      const commits = (file.changes.get(id) ?? 0) + (file.creators.has(id) ? 1 : 0);
      if (bots.has(id) || commits === 0) continue;
      for (const place of [
        path,
        ...foldersUp(posix.dirname(path)).map((folder) => (folder === '.' ? '' : `${folder}/`)),
      ]) {
        const people = places.get(place) ?? new Map<string, number>();
        places.set(place, people);
        people.set(id, (people.get(id) ?? 0) + commits);
      }
    }
  }
  return [...places]
    .map(([path, people]) => {
      const [[author, commits] = ['', 0]] = [...people].sort(
        ([a, left], [b, right]) => right - left || (a < b ? -1 : 1),
      );
      return { path, author, commits, all: [...people.values()].reduce((a, b) => a + b, 0), people: people.size };
    })
    .sort((a, b) => b.all - a.all || (a.path < b.path ? -1 : 1))
    .slice(0, maxOwnedPlaces);
}
