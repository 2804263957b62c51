import { stringify } from 'csv-stringify/sync';
import { plainLines } from '../../model/plain.ts';
import type { ReportDocument } from '../document.ts';

/**
 * One table of RFC 4180 for spreadsheets: a line for each row of each section, which the first column names; the columns are those
 * of all sections. What a spreadsheet would take for a formula begins with an apostrophe; what steers a terminal or turns text around is shown as its code.
 */
export function renderCsv({ sections }: ReportDocument): string {
  const columns = new Set(Object.values(sections).flatMap((section) => Object.keys(section.columns)));
  const lines = Object.entries(sections).flatMap(([section, { notes = [], rows }]) => [
    ...notes.map((note) => ({ section, note })),
    ...rows.map((row) => ({ section, ...row })),
  ]);
  return stringify(lines, {
    header: true,
    columns: ['section', ...columns, 'note'],
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: { boolean: String, string: plainLines },
  });
}
