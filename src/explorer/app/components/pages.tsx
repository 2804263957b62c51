import { format } from '../format.ts';

/** From page to page of a list; nothing where there is one. */
export function Pages({
  page,
  pages,
  hrefOf,
  label,
}: {
  page: number;
  pages: number;
  hrefOf: (page: number) => string;
  label: string;
}) {
  if (pages <= 1 && page === 1) return null;
  return (
    <nav class="row" aria-label={label}>
      {page > 1 && <a href={hrefOf(page - 1)}>Previous</a>}
      <span class="quiet">
        Page {format.whole(page)} of {format.whole(pages)}
      </span>
      {page < pages && <a href={hrefOf(page + 1)}>Next</a>}
    </nav>
  );
}
