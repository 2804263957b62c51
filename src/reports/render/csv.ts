import { stringify } from 'csv-stringify/sync';
import { strToU8, zipSync } from 'fflate';
import { plainLines } from '../../model/plain.ts';
import type { Cell, ReportDocument } from '../document.ts';

type Line = Readonly<Record<string, Cell | undefined>>;

/** One table: a line for each row of each section, which the first column names; the columns are those of all sections. */
export function renderCsv({ sections }: ReportDocument): string {
  const columns = new Set(Object.values(sections).flatMap((section) => Object.keys(section.columns)));
  const lines = Object.entries(sections).flatMap(([section, { notes = [], rows }]): Line[] => [
    ...notes.map((note) => ({ section, note })),
    ...rows.map((row) => ({ section, ...row })),
  ]);
  return table(['section', ...columns, 'note'], lines);
}

/** A file for each section, called after its id, with its own columns; `notes.csv` has what is to be known of them. Equal data gives equal bytes. */
export function renderCsvZip({ sections }: ReportDocument): Uint8Array {
  const all = Object.entries(sections);
  const notes = all.flatMap(([section, { notes: said = [] }]) => said.map((note) => ({ section, note })));
  const files = [
    ...all.map(([id, { columns, rows }]) => [`${id}.csv`, table(Object.keys(columns), rows)] as const),
    ...(notes.length === 0 ? [] : [['notes.csv', table(['section', 'note'], notes)] as const]),
  ];
  return zipSync(Object.fromEntries(files.map(([name, text]) => [name, strToU8(text)])), { mtime: firstDay() });
}

/** The first day that a ZIP knows, by the local clock that it is written in. */
const firstDay = () => new Date(1980, 0, 1);

/**
 * RFC 4180 for spreadsheets. What a spreadsheet would take for a formula begins with an apostrophe; what steers a terminal or turns text
 * around is shown as its code.
 */
const table = (columns: string[], lines: readonly Line[]) =>
  stringify([...lines], {
    header: true,
    columns,
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: { boolean: String, string: plainLines },
  });
