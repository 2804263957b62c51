import type { MapAnswer } from '../../../graph/map.ts';
import { format } from '../format.ts';

type Link = MapAnswer['links'][number];

const words: Partial<Record<keyof Link['counts'], readonly [one: string, many: string]>> = {
  DEPENDS_ON: ['dependency', 'dependencies'],
  IMPORTS: ['import', 'imports'],
  CALLS: ['call', 'calls'],
  INHERITS: ['inheritance', 'inheritances'],
};

/** How many edges of each type there are: `2 imports, 7 calls`. */
export const countWords = (counts: Link['counts']) =>
  Object.entries(counts)
    .map(([type, count]) => {
      const [one, many] = words[type as keyof Link['counts']] ?? [type, type];
      return format.count(count, one, many);
    })
    .join(', ');

/** `koa to accepts: 1 dependency, 2 imports`. */
export const linkWords = ({ from, to, counts }: Link) => `${from} to ${to}: ${countWords(counts)}`;
