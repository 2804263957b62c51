import { z } from 'zod';
import type { Measurements } from '../model/due-diligence.ts';

/** So many people are told apart by colours. */
export const maxMainAuthors = 5;

export const personSchema = z.object({
  id: z.string(),
  name: z.string(),
  active: z.boolean().meta({
    description:
      'Changed more than comments and white space within the twelve months before the commit that is loaded.',
  }),
});
type Person = z.infer<typeof personSchema>;

export interface MainAuthors {
  /** Of a file, or of a folder with `/` at the end. */
  mainAuthorOf: (path: string) => (Person & { share: number; people: number }) | null;
  mainAuthors: (Person & { files: number })[];
}

/** Who owns what of a repository, by its measurements. */
export function mainAuthors(measured: Pick<Measurements, 'ownership' | 'people'> | null): MainAuthors {
  const places = new Map((measured?.ownership ?? []).map((place) => [place.path, place]));
  const people = new Map((measured?.people ?? []).map((person) => [person.id, person]));
  const personOf = (id: string): Person => {
    const person = people.get(id);
    return { id, name: person?.name ?? id, active: (person?.weeks_12m.length ?? 0) > 0 };
  };
  const files = new Map<string, number>();
  for (const { path, author } of places.values())
    if (path !== '' && !path.endsWith('/')) files.set(author, (files.get(author) ?? 0) + 1);
  return {
    mainAuthorOf: (path) => {
      const place = places.get(path);
      if (place === undefined) return null;
      const { author, commits, all, people: count } = place;
      return { ...personOf(author), share: Math.round((1000 * commits) / all) / 1000, people: count };
    },
    mainAuthors: [...files]
      .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
      .slice(0, maxMainAuthors)
      .map(([id, count]) => ({ ...personOf(id), files: count })),
  };
}
