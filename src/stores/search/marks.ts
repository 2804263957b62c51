import { createHash } from 'node:crypto';
import type { SearchDocument } from '../../model/search-document.ts';
import type { SearchFilters } from './port.ts';
import { listFilters } from './query.ts';

/** Before what is no text: the values that searches are narrowed by, and how much a document has for it. */
const MARK = '\ue004';
/** Of every document. */
export const EVERY = `${MARK}e`;
/** So many units of the static score are one level. */
const LEVEL_UNITS = 250;

type Kind = ReturnType<typeof listFilters>[number]['kind'];

/** The tokens by which the full-text index itself filters and finds the best first, so that no row of a document is read for it. */
export function marksOf(document: SearchDocument, staticUnits: number): string[] {
  const { type, name, qualified_name, repository, language, frameworks } = document;
  return [
    EVERY,
    mark('type', type),
    ...(repository === null ? [] : [mark('repository', repository)]),
    ...(language === null ? [] : [mark('language', language.toLowerCase())]),
    ...frameworks.map((each) => mark('framework', each.toLowerCase())),
    levelMark(levelOf(staticUnits)),
    ...new Set([name, ...(qualified_name === null ? [] : [qualified_name])].map(textMark)),
  ];
}

/** The filters that are marks: each a list of which one must be there. */
export function filterMarks(filters: SearchFilters): string[][] {
  return listFilters(filters).map(({ kind, values }) => values.map((value) => mark(kind, value)));
}

/** The level of a static score, from 0. */
export function levelOf(staticUnits: number): number {
  return Math.floor(staticUnits / LEVEL_UNITS);
}

/** The token of a level. */
export function levelMark(level: number): string {
  return `${MARK}s${level}`;
}

/** The token of a name, letter by letter; another name may have the same, if hardly ever. */
export function textMark(name: string): string {
  return `${MARK}x${createHash('sha1').update(name).digest('hex').slice(0, 12)}`;
}

/** Any text as one token. */
function mark(kind: Kind, value: string): string {
  return `${MARK}${kind[0]}${Buffer.from(value).toString('hex').slice(0, 500)}`;
}
