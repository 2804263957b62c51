import type { IndexedDocument, SearchDocument } from '../../model/search-document.ts';
import { jsonIn } from '../sqlite.ts';

/** A row of a document as it is read. */
type Row = Record<string, unknown> | undefined;

/** What of a document its row keeps in JSON: all but what has columns of its own, or is only in the index. */
export function jsonOf(document: IndexedDocument): string {
  // Left out, and as fast as the whole: the order of its members stays.
  return JSON.stringify({ ...document, id: undefined, name: undefined, content: undefined });
}

/** The document of a row with these three columns. */
export function documentIn(row: Row): SearchDocument {
  const document = jsonIn(row?.['document']) as Omit<SearchDocument, 'id' | 'name'>;
  return { ...document, id: String(row?.['id']), name: String(row?.['name']) };
}
