import { z } from 'zod';
import { HttpError } from './errors.ts';
import { problems } from './problems.ts';
import { integer } from './query.ts';

/** How far a list can be paged: no engine is asked to skip more. */
const maxPagedItems = 10_000;

/** The query parameters of every list. */
export const pageQuery = {
  // Only said, not checked, here: `pageWindow` refuses what is beyond, with a code of its own.
  page: integer(1).default(1).meta({
    maximum: maxPagedItems,
    'x-page-window': maxPagedItems,
    description: 'From 1; page * page_size is at most 10000.',
  }),
  page_size: integer(1, 100).default(20).meta({ description: 'Items on a page.' }),
};

interface Page {
  page: number;
  page_size: number;
}

/** The envelope of every list. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    total: z.int().min(0).meta({ description: 'All that match, on every page.' }),
    page: z.int().min(1),
    page_size: z.int().min(1),
    total_pages: z.int().min(0),
  });

/** Offset and limit of a page; 422 beyond the window. */
export function pageWindow({ page, page_size }: Page): { offset: number; limit: number } {
  if (page * page_size > maxPagedItems) {
    throw new HttpError(problems.page_out_of_range, {
      detail: `page * page_size must be at most ${maxPagedItems}.`,
      members: {
        errors: [
          {
            in: 'query',
            name: 'page',
            pointer: null,
            code: 'out_of_range',
            detail: `must be at most ${Math.floor(maxPagedItems / page_size)} with this page_size`,
          },
        ],
      },
    });
  }
  return { offset: (page - 1) * page_size, limit: page_size };
}

/** One page of `total` items. */
export function envelope<T>(items: T[], total: number, { page, page_size }: Page) {
  return { items, total, page, page_size, total_pages: Math.ceil(total / page_size) };
}

/** The Link header (RFC 8288) of a page, with links that all answer 200; null when there is one page. */
export function pageLinks(url: URL, { page, page_size, total }: Page & { total: number }): string | null {
  const last = Math.min(Math.ceil(total / page_size), Math.floor(maxPagedItems / page_size));
  if (last <= 1 && page === 1) return null;
  const pages = {
    first: 1,
    prev: Math.min(page - 1, last),
    next: page < last ? page + 1 : 0,
    last,
  };
  return Object.entries(pages)
    .filter(([, number]) => number >= 1)
    .map(([relation, number]) => {
      const target = new URL(url);
      target.searchParams.set('page', String(number));
      return `<${target.href}>; rel="${relation}"`;
    })
    .join(', ');
}

type QueryValue = string | number | readonly string[] | undefined;

/** The address of a page with these parameters; lists are told with commas. */
export function nextPage(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return `${path}?${new URLSearchParams(given).toString()}`;
}
