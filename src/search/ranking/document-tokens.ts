import { nameOfKey } from '../../model/repository-key.ts';
import type { SearchDocument } from '../../model/search-document.ts';
import { acronymToken, exactToken, nameTokens, textTokens } from './tokens.ts';

/** The fields that words are looked for in, best first; each engine has one column or field for each. */
export const fields = ['name', 'qualified', 'path', 'text'] as const;
export type Field = (typeof fields)[number];

/** A document's tokens by field, in the text's order; name and qualified name also as a whole, the name also by its acronym. */
export function documentTokens(document: SearchDocument): Record<Field, string[]> {
  const { name, qualified_name, repository, type, kind, language, signature, doc, details } = document;
  const acronym = acronymToken(name);
  return {
    name: [...nameTokens(name), exactToken(name), ...(acronym === null ? [] : [acronym])],
    qualified: [
      ...textTokens(join(repository === null ? null : nameOfKey(repository), qualified_name)),
      ...(qualified_name === null ? [] : [exactToken(qualified_name)]),
    ],
    path: textTokens(document.path ?? ''),
    text: textTokens(join(type, kind, language, signature, doc, details)),
  };
}

function join(...texts: (string | null)[]): string {
  return texts.filter((text) => text !== null).join(' ');
}
