import type { SearchDocument } from '../../model/search-document.ts';
import type { SearchFilters } from './port.ts';

/** Before what is no text: the values that searches are narrowed by, and how much a document has for it. */
const MARK = '\ue004';
/** Of every document. */
export const EVERY = `${MARK}e`;
/** So many units of the static score are one level. */
const LEVEL_UNITS = 250;

type Kind = 'type' | 'repository' | 'language' | 'framework';

/** The tokens by which the full-text index itself filters and finds the best first, so that no row of a document is read for it. */
export function marksOf({ type, repository, language, frameworks }: SearchDocument, staticUnits: number): string[] {
  return [
    EVERY,
    mark('type', type),
    ...(repository === null ? [] : [mark('repository', repository)]),
    ...(language === null ? [] : [mark('language', language.toLowerCase())]),
    ...frameworks.map((each) => mark('framework', each.toLowerCase())),
    levelMark(levelOf(staticUnits)),
  ];
}

/** The filters that are marks: each a list of which one must be there. */
export function filterMarks({ types, repositories, languages, frameworks }: SearchFilters): string[][] {
  const small = (values: readonly string[] | undefined) => values?.map((value) => value.toLowerCase());
  const lists: Record<Kind, readonly string[] | undefined> = {
    type: types,
    repository: repositories,
    language: small(languages),
    framework: small(frameworks),
  };
  return (Object.keys(lists) as Kind[]).flatMap((kind) => {
    const values = lists[kind];
    return values === undefined ? [] : [values.map((value) => mark(kind, value))];
  });
}

/** The level of a static score, from 0. */
export function levelOf(staticUnits: number): number {
  return Math.floor(staticUnits / LEVEL_UNITS);
}

/** The token of a level. */
export function levelMark(level: number): string {
  return `${MARK}s${level}`;
}

/** Any text as one token. */
function mark(kind: Kind, value: string): string {
  return `${MARK}${kind[0]}${Buffer.from(value).toString('hex').slice(0, 500)}`;
}
