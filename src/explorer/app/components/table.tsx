import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the end. */
  align?: 'end';
  /** The column that names the row. */
  isHead?: boolean;
  sortable?: boolean;
}

export interface Sort {
  column: string;
  order: 'asc' | 'desc';
}

/** A table that may be sorted by its heads; wider than the page, it scrolls by itself. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  sort,
  onSort,
}: {
  /** For screen readers: what the table is of. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  sort?: Sort | undefined;
  onSort?: (sort: Sort) => void;
}) {
  return (
    // Who has no mouse scrolls it once it has the focus.
    <div class="table" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                class={column.align}
                aria-sort={column.id === sort?.column ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined}
              >
                {column.sortable && onSort ? (
                  <button type="button" class="plain" onClick={() => onSort(turned(column, sort))}>
                    {column.title}
                    <span aria-hidden="true">{arrowOf(column.id, sort)}</span>
                  </button>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) =>
                column.isHead ? (
                  <th key={column.id} scope="row" class={column.align}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.id} class={column.align}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Numbers begin with the highest. */
function turned<Row>({ id, align }: Column<Row>, sort: Sort | undefined): Sort {
  if (sort?.column === id) return { column: id, order: sort.order === 'asc' ? 'desc' : 'asc' };
  return { column: id, order: align === 'end' ? 'desc' : 'asc' };
}

const arrowOf = (id: string, sort: Sort | undefined) =>
  sort?.column === id ? (sort.order === 'asc' ? ' ↑' : ' ↓') : '';
