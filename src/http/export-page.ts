import { hash } from 'node:crypto';
import { z } from 'zod';
import { HttpError } from './errors.ts';
import { nextPage } from './page.ts';
import { parquetOf } from './parquet.ts';
import type { Problem } from './problems.ts';
import { integer, text } from './query.ts';
import { Reply } from './route.ts';
import type { RequestFacts } from './route.ts';

/** Most bytes of the rows of one page, but for a single row that is larger; so a reader who is slow holds no more than that. */
const maxPageBytes = 1_000_000;
/** A page that is overtaken by a change while it is read is begun again so often. */
const maxAttempts = 3;

const lines = 'application/x-ndjson';
const parquet = 'application/vnd.apache.parquet';

const exportChanged: Problem = {
  status: 409,
  code: 'export_changed',
  title: 'What is exported has changed',
  meaning:
    'The cursor is of an export that began before what it exports was loaded anew, or of one with other parameters. Its pages would not fit together: drop those that you have, and begin again without a cursor.',
};

/** The query of every export. */
export const exportQuery = {
  cursor: text(1, 64)
    .regex(/^[\w-]{22}(\.\d{1,12}){1,2}$/)
    .optional()
    .meta({
      description: 'The `next_cursor` of the page before, asked for with the same parameters.',
      examples: ['8tq0pEPTqfhoM5sWsOySXQ.1000'],
    }),
  limit: integer(1, 10_000)
    .default(1_000)
    .meta({ description: 'Rows on a page at most. A page ends earlier where it holds a megabyte.' }),
};

/** What every table says of its export in its route. */
export const exported = {
  method: 'GET',
  access: 'tenant',
  produces: ['application/json', lines, parquet],
  responseHeaders: { Link: 'rel next (RFC 8288), relative to what was asked for; absent on the last page.' },
} as const;

/** The errors of every export, beside its own. */
export const exportErrors: readonly Problem[] = [exportChanged];

/** The envelope of a page of an export. */
export const exportOf = <T extends z.ZodType>(row: T) =>
  z.object({
    items: z.array(row),
    total: z.int().min(0).meta({ description: 'Rows of the whole export, the same on every page.' }),
    snapshot: z.string().meta({
      description:
        'Names the state that is exported: the same on every page, and for as long as nothing of it changes.',
    }),
    next_cursor: z.string().nullable().meta({ description: 'Where to go on; null at the end.' }),
  });

/** Where a row begins, as numbers that only the export itself understands. */
export type Position = readonly number[];

/** What is exported, whatever it is sent as. */
interface Walk<Row> {
  /** Whatever tells its state from others, as JSON. */
  state: () => unknown;
  /** The rows from there on, or from the beginning; each with the position behind it. */
  rows: (from: Position | null) => AsyncIterable<readonly [Row, Position]>;
}

/** A table that is exported. */
export interface Export<Row> extends Walk<Row> {
  /** Of each row: the columns where it is a table. */
  row: z.ZodObject;
  total: () => Promise<number> | number;
}

interface Asked {
  path: string;
  query: { repo?: string | undefined; cursor?: string | undefined; limit: number };
}

/** A page of a table: as JSON, or as JSON lines or Parquet where the caller likes that best. */
export async function exportPage<Row>(
  { request, ...asked }: Asked & { request: RequestFacts },
  { row, total, ...walk }: Export<Row>,
) {
  const { rows, beside, snapshot, next_cursor, headers } = await pageOfOneState(asked, walk, {
    sizeOf: (each) => Buffer.byteLength(JSON.stringify(each)) + 1,
    beside: total,
  });
  const { accepted: type } = request;
  if (type === lines) return new Reply(linesOf(rows), { headers, type });
  if (type === parquet) return new Reply(parquetOf(row, rows), { headers, type });
  return new Reply({ items: rows, total: beside, snapshot, next_cursor }, { headers });
}

/** A part of an export of bytes. Its weight is that of so many bytes as take as long to make. */
export interface Part {
  bytes: Uint8Array;
  weight: number;
}

/** A page of bytes that are put behind one another, in a media type of their own. */
export async function exportBytes(asked: Asked, walk: Walk<Part>, type: string) {
  const { rows, headers } = await pageOfOneState(asked, walk, {
    sizeOf: ({ bytes, weight }) => Math.max(bytes.length, weight),
    beside: () => null,
  });
  return new Reply(Buffer.concat(rows.map(({ bytes }) => bytes)), { headers, type });
}

/**
 * The state is looked at before the rows are read and after: a page, and what is told `beside` it, is of one state, and every cursor leads
 * on in the state that it is from, or nowhere (409).
 */
async function pageOfOneState<Row, Beside>(
  { path, query }: Asked,
  { state, rows: rowsFrom }: Walk<Row>,
  { sizeOf, beside: tell }: { sizeOf: (row: Row) => number; beside: () => Promise<Beside> | Beside },
) {
  // What has two names is told from others by its state.
  const { cursor, limit, repo: _repo, ...filters } = query;
  const look = async () => hash('sha256', JSON.stringify([path, filters, await state()]), 'base64url').slice(0, 22);
  const [of, ...numbers] = cursor?.split('.') ?? [];
  for (let attempt = 1; ; attempt++) {
    const snapshot = await look();
    if (of !== undefined && of !== snapshot) throw new HttpError(exportChanged);
    const { rows, next } = await gather(rowsFrom(of === undefined ? null : numbers.map(Number)), limit, sizeOf);
    const beside = await tell();
    if ((await look()) !== snapshot) {
      if (of === undefined && attempt < maxAttempts) continue;
      throw new HttpError(exportChanged);
    }
    const next_cursor = next && [snapshot, ...next].join('.');
    const headers: Record<string, string> =
      next_cursor === null ? {} : { Link: `<${nextPage(path, { ...query, cursor: next_cursor })}>; rel="next"` };
    return { rows, beside, snapshot, next_cursor, headers };
  }
}

const linesOf = (rows: readonly unknown[]) => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

/** As many as there is room for; and where to go on, null where there are no more. */
async function gather<Row>(
  from: AsyncIterable<readonly [Row, Position]>,
  limit: number,
  sizeOf: (row: Row) => number,
): Promise<{ rows: Row[]; next: Position | null }> {
  const rows: Row[] = [];
  let [bytes, end] = [0, null as Position | null];
  for await (const [row, behind] of from) {
    bytes += sizeOf(row);
    if (rows.length === limit || (bytes > maxPageBytes && rows.length > 0)) return { rows, next: end };
    rows.push(row);
    end = behind;
  }
  return { rows, next: null };
}

/** Of rows that are found one after another, `read` gives some from a place on: none at the end. */
export async function* inBatches<Row>(
  from: Position | null,
  read: (offset: number) => Promise<readonly Row[]> | readonly Row[],
): AsyncGenerator<[Row, Position]> {
  for (let [offset = 0] = from ?? []; ;) {
    const rows = await read(offset);
    if (rows.length === 0) return;
    for (const row of rows) yield [row, [++offset]];
  }
}
