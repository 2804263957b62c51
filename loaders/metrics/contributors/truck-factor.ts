import { truckFactor } from '../../../src/model/people.ts';
import type { MetricSource } from '../metric.ts';
import { authorshipOf, knowledgeOf } from '../people.ts';

/** Source files with a history; fewer say nothing. */
export const minFiles = 10;

/**
 * How many people may leave until more than half of the source files have no author left (Avelino, Passos, Hora, Valente 2016;
 * aserg-ufmg/Truck-Factor); changes to comments and white space make nobody an author. `areas`: top folders that one person alone knows.
 */
export const truckFactorMetric: MetricSource = {
  id: 'truck_factor',
  version: 4,
  measure(input) {
    if (input.shallow) return { value: null, reason: 'shallow_clone' };
    if (!input.history) return { value: null, reason: input.noHistory };
    const groups = authorshipOf(input);
    const files = groups.reduce((sum, group) => sum + group.files, 0);
    if (files < minFiles) return { value: null, reason: 'history_too_short' };
    const known = new Map<string, number>();
    for (const { authors, files: count } of groups)
      for (const author of authors) known.set(author, (known.get(author) ?? 0) + count);
    const names = new Map(input.contributors.map(({ id, name }) => [id, name]));
    const authors = [...known].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
    return {
      value: truckFactor(groups),
      denominator: files,
      evidence: authors.map(([id, count]) => ({
        note: `${names.get(id) ?? id}: author of ${count} of ${files} files`,
      })),
      quantities: { areas: areasOfOne(input) },
    };
  },
};

/** Folders at the top with at least three source files, all known by the same single person. */
function areasOfOne(input: Parameters<MetricSource['measure']>[0]): number {
  const folders = new Map<string, { files: number; authors: Set<string> }>();
  for (const [path, authors] of knowledgeOf(input)) {
    const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
    const area = folders.get(folder) ?? { files: 0, authors: new Set() };
    folders.set(folder, area);
    area.files += 1;
    for (const author of authors) area.authors.add(author);
  }
  return [...folders.values()].filter(({ files, authors }) => files >= 3 && authors.size === 1).length;
}
