import { z } from 'zod';
import type { RepositoryInfo, Skipped } from './snapshot.ts';

/** Why a file or lines of it have no symbols, though nobody said that they should have none: the file could not be read, or lines of it could not be parsed. */
const reasons = [
  'syntax_error',
  'parse_error',
  'timeout',
  'too_large',
  'minified',
  'binary',
  'not_utf8',
  'unreadable',
] as const;

export const unparsedItemSchema = z.object({
  path: z.string(),
  line: z.int().nullable().meta({ description: 'The first line, from 1; null: the whole file.' }),
  end_line: z.int().nullable().meta({ description: 'The last line, itself among them; null: the whole file.' }),
  reason: z.enum(reasons).meta({
    description:
      'syntax_error: the parser stepped over these lines; parse_error: it broke on the file; timeout: it took too long; too_large; minified; binary: source by its name, with bytes that no text has; not_utf8: a text in no encoding that is known; unreadable: it may not be read, or was changed meanwhile.',
  }),
  detail: z.string().nullable().meta({ description: 'What is known besides, in words.' }),
});
export type UnparsedItem = z.infer<typeof unparsedItemSchema>;

/** What of a repository has no symbols though it should; by path, then by line. */
export function unparsedIn({ skipped, unparsed = [] }: Pick<RepositoryInfo, 'skipped' | 'unparsed'>): UnparsedItem[] {
  const files = skipped.flatMap(({ path, reason, detail = null }) =>
    isReason(reason) && (reason !== 'binary' || detail !== null)
      ? [{ path, line: null, end_line: null, reason, detail }]
      : [],
  );
  const lines = unparsed.flatMap(({ path, lines: ranges }) =>
    ranges.map(([line, end_line]) => ({ path, line, end_line, reason: 'syntax_error' as const, detail: null })),
  );
  return [...files, ...lines].sort(
    (a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)) || (a.line ?? 0) - (b.line ?? 0),
  );
}

/** In words at most so many of them are told. */
const maxTold = 5;

/** For people: a line each for the first of them, how many there are besides, and `rest`: where those are. */
export function* unparsedInWords(items: readonly UnparsedItem[], rest: string): Generator<string> {
  for (const { path, line, end_line, reason } of items.slice(0, maxTold)) {
    const place = line === null ? '' : line === end_line ? `, line ${line}` : `, lines ${line} to ${end_line}`;
    yield `left out: ${JSON.stringify(path)}${place} (${reason})`;
  }
  if (items.length > maxTold) yield `left out: ${items.length - maxTold} more; ${rest}`;
}

const isReason = (reason: Skipped['reason']): reason is Extract<Skipped['reason'], UnparsedItem['reason']> =>
  (reasons as readonly string[]).includes(reason);
