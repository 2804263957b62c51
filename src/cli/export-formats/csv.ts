import { stringify } from 'csv-stringify/sync';
import { plainJson, plainLines } from '../../model/plain.ts';
import { graphEdgeSchema, graphNodeSchema } from '../../model/graph.ts';
import { batchSize, type ExportFormat } from './format.ts';

/** A table of the edges, with a header (RFC 4180); what a spreadsheet would take for a formula begins with an apostrophe, what steers a terminal is shown as its code. */
export const csv: ExportFormat = (graph, wanted) => table(graph.edges(wanted), Object.keys(graphEdgeSchema.shape));

/** Likewise of the nodes; `properties` is JSON. */
export const nodesCsv: ExportFormat = (graph, { repository }) =>
  table(graph.nodes(repository === undefined ? {} : { repository }), Object.keys(graphNodeSchema.shape));

async function* table(rows: AsyncIterable<object>, columns: readonly string[]): AsyncGenerator<string, number> {
  let count = 0;
  let batch: object[] = [];
  const write = (header: boolean) =>
    stringify(batch.splice(0), {
      header,
      columns: [...columns],
      record_delimiter: 'windows',
      escape_formulas: true,
      cast: { boolean: String, string: plainLines, object: plainJson },
    });
  yield write(true);
  for await (const row of rows) {
    count++;
    batch.push(row);
    if (batch.length >= batchSize) yield write(false);
  }
  yield write(false);
  return count;
}
