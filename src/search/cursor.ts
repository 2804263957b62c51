import { z } from 'zod';
import { HttpError } from '../http/errors.ts';
import { pageWindow } from '../http/page.ts';
import { problems } from '../http/problems.ts';
import { text } from '../http/query.ts';
import type { Place, SearchResult } from '../stores/search/port.ts';

/** Longer than any name and id that an engine sorts by. */
const maxLength = 8_000;

const contentSchema = z.tuple([z.int().min(0), z.tuple([z.number().nullable(), z.string(), z.string()]).nullable()]);

/** The parameter, in place of that of other lists: a search goes on behind a hit, not behind so many. */
export const searchCursor = text(1, maxLength)
  .regex(/^[\w-]+$/)
  .optional()
  .meta({
    description:
      'The `next_cursor` of the page before, asked for with the same parameters; in place of `page`, and without its bound. Pages by cursor repeat and drop nothing, also where something is loaded in between.',
    examples: ['WzIwLG51bGxd'],
  });

interface Asked {
  sort: string;
  page: number;
  page_size: number;
  cursor?: string | undefined;
}

/** Where a page of a search begins; 422 where the cursor is none of this search. */
export function placeOf(asked: Asked): { offset: number; limit: number; after: Place | null } {
  const { cursor, page_size: limit, sort } = asked;
  if (cursor === undefined) return { ...pageWindow(asked), after: null };
  const content = contentSchema.safeParse(read(cursor)).data;
  const [offset, after] = content ?? [0, null];
  // What is counted to is near the beginning; what is sorted by points goes on behind points.
  const isOfThis = after === null ? offset <= maxCounted : (after[0] === null) === (sort === 'name');
  if (content !== undefined && isOfThis) return { offset, limit, after };
  const detail = 'is no next_cursor of a search with these parameters';
  throw new HttpError(problems.validation_error, {
    members: { errors: [{ in: 'query', name: 'cursor', pointer: null, code: 'pattern', detail }] },
  });
}

/** As far as an engine counts from the beginning. */
const maxCounted = 200;

/** Leads behind what was found; nothing at the end. */
export function nextPlace(
  { hits, total, end }: Pick<SearchResult, 'total' | 'end'> & { hits: readonly unknown[] },
  { offset, limit, after }: ReturnType<typeof placeOf>,
): { next_cursor?: string } {
  const behind = offset + hits.length;
  // Since the pages before something may have gone: then the total says nothing of what is left.
  const isLast = hits.length < limit || (after === null && behind >= total);
  if (isLast || hits.length === 0) return {};
  const next_cursor = Buffer.from(JSON.stringify([behind, end])).toString('base64url');
  // A name so long that no address holds it ends the walk by cursors: its page has a number.
  return next_cursor.length <= maxLength ? { next_cursor } : {};
}

function read(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
