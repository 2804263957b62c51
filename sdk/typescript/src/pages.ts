/** What lists answer with: pages by number or by cursor, or a log that goes on behind a number. */
export interface Page {
  total_pages?: number;
  total?: number;
  items?: readonly unknown[];
  next_cursor?: string | null;
  has_more?: boolean;
}

/** The parameter that asks for a page; none: the first. */
export interface Place {
  page?: number;
  cursor?: string;
  after?: number;
}

/** Asks for one page after another, as long as there are any. */
export async function* pagesOf<P extends Page>(ask: (place: Place) => Promise<P>): AsyncGenerator<P> {
  let seen = 0;
  let number = 1;
  for (let place: Place | null = {}; place !== null;) {
    const page: P = await ask(place);
    yield page;
    seen += page.items?.length ?? 0;
    place = placeBehind(page, { number: number++, seen });
  }
}

function placeBehind(
  { items = [], next_cursor: cursor, has_more: hasMore, total_pages: pages, total = 0 }: Page,
  { number, seen }: { number: number; seen: number },
): Place | null {
  if (cursor !== undefined) return cursor === null ? null : { cursor };
  if (hasMore !== undefined) {
    const { sequence } = (items.at(-1) ?? {}) as { sequence?: number };
    return hasMore && sequence !== undefined ? { after: sequence } : null;
  }
  // The lists of the benchmark tell no number of pages.
  const isLast = pages === undefined ? items.length === 0 || seen >= total : number >= pages;
  return isLast ? null : { page: number + 1 };
}
