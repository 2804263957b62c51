import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { download } from '../download.ts';

export interface Column<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the end. */
  align?: 'end';
  /** The column that names the row. */
  isHead?: boolean;
  sortable?: boolean;
  /** What stands for the cell in CSV where its text would not do: the exact number, parts that are told apart. Null: it is not in there. */
  value?: ((row: Row) => string | number | null) | null;
}

export interface Sort {
  column: string;
  order: 'asc' | 'desc';
}

/** A table that may be sorted by its heads, and had as CSV; wider than the page, it scrolls by itself. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  sort,
  onSort,
  all,
}: {
  /** For screen readers: what the table is of. */
  caption: string;
  columns: readonly Column<Row>[];
  /** Those that are shown. */
  rows: readonly Row[];
  /** Where not all are shown: gives all, for who wants them as CSV. */
  all?: () => readonly Row[] | Promise<readonly Row[]>;
  keyOf: (row: Row) => string;
  sort?: Sort | undefined;
  onSort?: (sort: Sort) => void;
}) {
  return (
    <>
      {/* Who has no mouse scrolls it once it has the focus. */}
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
                  aria-sort={
                    column.id === sort?.column ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined
                  }
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
      {rows.length > 0 && <AsCsv caption={caption} columns={columns} all={all ?? (() => rows)} />}
    </>
  );
}

/** Hands over the whole table; how that is written is loaded when it is first asked for. */
export function AsCsv<Row>({
  caption,
  columns,
  all,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  all: () => readonly Row[] | Promise<readonly Row[]>;
}) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const save = async () => {
    setState('busy');
    try {
      const [{ csvOf }, rows] = await Promise.all([import('../table-csv.ts'), all()]);
      download(`${caption.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.csv`, csvOf(columns, rows), 'text/csv');
      setState('idle');
    } catch {
      setState('failed');
    }
  };
  return (
    <p class="as-csv">
      {state === 'failed' && <span class="wrong">That did not work. </span>}
      <button
        type="button"
        class="plain"
        disabled={state === 'busy'}
        aria-label={`CSV of: ${caption}`}
        onClick={() => void save()}
      >
        {state === 'busy' ? 'CSV…' : 'CSV'}
      </button>
    </p>
  );
}

/** Numbers begin with the highest. */
function turned<Row>({ id, align }: Column<Row>, sort: Sort | undefined): Sort {
  if (sort?.column === id) return { column: id, order: sort.order === 'asc' ? 'desc' : 'asc' };
  return { column: id, order: align === 'end' ? 'desc' : 'asc' };
}

const arrowOf = (id: string, sort: Sort | undefined) =>
  sort?.column === id ? (sort.order === 'asc' ? ' ↑' : ' ↓') : '';
