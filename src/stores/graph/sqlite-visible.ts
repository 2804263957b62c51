import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

/** Which repositories a question sees, by name; null for all. */
export type Visible = ReadonlySet<string> | null;

/** Prepares statements that may ask `is_visible(name)`; each is sent for a question, which says what it sees. */
export type PrepareVisible = <Name extends string>(
  statements: Readonly<Record<Name, string>>,
) => (visible: Visible) => Sent<Name>;

/** Statements by their names. */
export type Sent<Name extends string> = Record<
  Name,
  { all: (...parameters: Parameters) => Row[]; get: (...parameters: Parameters) => Row | undefined }
>;

type Parameters = SQLInputValue[] | [Record<string, SQLInputValue>];
type Row = Record<string, SQLOutputValue>;

/**
 * Gives a connection `is_visible(name)`. A function, since it costs a tenth of a microsecond a row: a list of 500 names as a
 * parameter (`json_each`) costs 80 of them each time that a statement runs.
 */
export function createVisibility(database: DatabaseSync): PrepareVisible {
  let asking: Visible = null;
  defineVisible(database, (name) => asking === null || asking.has(name));

  const sent = (statement: StatementSync, visible: Visible): Sent<string>[string] => ({
    all(...parameters) {
      asking = visible;
      return statement.all(...(parameters as SQLInputValue[]));
    },
    get(...parameters) {
      asking = visible;
      return statement.get(...(parameters as SQLInputValue[]));
    },
  });
  return <Name extends string>(statements: Readonly<Record<Name, string>>) => {
    const prepared = Object.entries<string>(statements).map(([name, sql]) => [name, database.prepare(sql)] as const);
    return (visible) =>
      Object.fromEntries(prepared.map(([name, statement]) => [name, sent(statement, visible)])) as Sent<Name>;
  };
}

/** The function alone. */
export function defineVisible(database: DatabaseSync, isVisible: (name: string) => boolean): void {
  database.function('is_visible', (name) => (isVisible(String(name)) ? 1 : 0));
}
