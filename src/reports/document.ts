/** What a cell can be; null: not known. */
export type Cell = string | number | boolean | null;

/** Rows of one kind, by column. */
export interface Section {
  title: string;
  /** What a reader must know to read the rows right; one sentence each. */
  notes?: readonly string[];
  /** The title of each column, in order. */
  columns: Readonly<Record<string, string>>;
  rows: readonly Readonly<Record<string, Cell>>[];
  /** One row, to be read downwards. */
  facts?: boolean;
}

/** A report's content, whatever its format: equal for equal data, so it holds no time of making. */
export interface ReportDocument {
  title: string;
  /** By id, in order. */
  sections: Readonly<Record<string, Section>>;
  /** What the API answers, by the id of the operation: for programs, which have types for it. Asked for where it is shown. */
  answers?: () => Promise<Readonly<Record<string, unknown>>>;
}
