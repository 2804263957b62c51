import { Table } from '../components/table.tsx';
import type { Column } from '../components/table.tsx';

/** What a chart shows, for who does not see it, or wants the numbers. */
export function AsTable<Row>(props: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}) {
  return (
    <details class="as-table">
      <summary>{props.caption}, as a table</summary>
      <Table {...props} />
    </details>
  );
}
