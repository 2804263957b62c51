/** What every list answers with; those of the benchmark tell no number of pages. */
export interface Page {
  total_pages?: number;
  total?: number;
  items?: readonly unknown[];
}

/** Asks for one page after another, as long as there are any. `ask` gets the page's number, from 1. */
export async function* pagesOf<P extends Page>(ask: (page: number) => Promise<P>): AsyncGenerator<P> {
  let seen = 0;
  for (let number = 1; ; number++) {
    const page = await ask(number);
    yield page;
    seen += page.items?.length ?? 0;
    const isLast =
      page.total_pages === undefined
        ? (page.items?.length ?? 0) === 0 || seen >= (page.total ?? 0)
        : number >= page.total_pages;
    if (isLast) return;
  }
}
