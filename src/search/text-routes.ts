import { z } from 'zod';
import { HttpError } from '../http/errors.ts';
import { envelope, pageOf, pageQuery, pageWindow } from '../http/page.ts';
import type { Problem } from '../http/problems.ts';
import { text } from '../http/query.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { leftOutSchema } from '../model/snapshot.ts';
import { SearchTooLong } from '../stores/source/port.ts';
import type { View, ViewOf } from '../tenancy/view.ts';
import { symbolSchema, symbolsAt } from './enclosing-symbol.ts';
import { typedTextQuery, type TypedTextQuery } from './text-query.ts';
import { maxLineLength, maxLines } from './text/match.ts';
import { BadPattern } from './text/pattern.ts';

const itemSchema = z
  .object({
    repository: z.string(),
    path: z.string(),
    language: z.string().nullable(),
    test: z.boolean().meta({ description: 'Part of tests; production is first.' }),
    left_out: leftOutSchema.nullable().meta({
      description:
        'Why it is no part of the graph, as it was written by others or by tools: such files are last. Else null.',
    }),
    line_count: z.int().meta({ description: 'Lines that were found in the file.' }),
    lines: z
      .array(
        z.object({
          line: z.int().min(1),
          text: z.string().meta({ description: `The line, or ${maxLineLength} UTF-16 units of a longer one.` }),
          from: z.int().min(0).meta({ description: 'Where in the line `text` begins, in UTF-16 units.' }),
          ranges: z
            .array(z.array(z.int().min(0)).length(2))
            .meta({ description: 'What was found, in `text`: from, and before, in UTF-16 units.' }),
          symbol: symbolSchema.nullable(),
        }),
      )
      .max(maxLines)
      .meta({ description: 'The first of them; none where no text was asked for.' }),
  })
  .meta({ id: 'TextMatch' });

const responseSchema = pageOf(itemSchema)
  .extend({
    total_lines: z.int().meta({ description: 'Lines in all files that were found.' }),
    complete: z.boolean().meta({
      description:
        'False where so much was found that the rest was not looked at: then the totals are at least so many, and `count:all` in the query asks for all, up to 512 MB of text.',
    }),
    hints: z.array(z.string()).meta({ description: 'What was read in another way than it may have been meant.' }),
    without_source: z.array(z.string()).meta({
      description: 'Repositories whose source is not kept, so that nothing of theirs can be found: 100 at most.',
    }),
  })
  .meta({ id: 'TextMatchPage' });
/** What `GET /api/search/text` answers. */
export type TextSearchAnswer = z.infer<typeof responseSchema>;

const badPattern: Problem = {
  status: 422,
  code: 'bad_pattern',
  title: 'A regular expression can’t be read',
  meaning:
    'What stands between slashes is no regular expression of JavaScript; `detail` says why. Text needs no slashes.',
};
const tooLong: Problem = {
  status: 422,
  code: 'search_too_long',
  title: 'The search took too long',
  meaning:
    'It was ended after four seconds, so that others are answered. Ask for fewer files by repo:, file: or lang:, for a word of three letters or more, or for a simpler regular expression.',
};

const maxWithoutSource = 100;

/** `GET /api/search/text`: the text of the code, as users of grep know it. */
export function textSearchRoute(viewOf: ViewOf): Route {
  return route({
    method: 'GET',
    path: '/api/search/text',
    operation_id: 'search_text',
    summary: 'Search the text of the code',
    description:
      'Lines of all files that are kept, without regard to case. Words that stand together must all be in the file; `"as it stands"` (a quote within it is `\\"`), `/regular expression/`, `-not this`, `(one OR other)`, `file:^src/`, `lang:go`, `repo:koa`, `case:yes` narrow it. Some 1,000 files are enough, unless `count:all` asks for all. Source is first, then tests, then documents and data, and what others or tools wrote is last.',
    access: 'tenant',
    product: 'code-search',
    credits: 1,
    limit: 'search',
    paged: true,
    query: {
      q: text(1, 1024).meta({
        description: 'What to look for.',
        examples: ['/parse\\w+Url/ lang:typescript -file:test'],
      }),
      ...pageQuery,
    },
    errors: [badPattern, tooLong],
    response: responseSchema,
    example: {
      items: [
        {
          repository: 'payments-api',
          path: 'src/url.ts',
          language: 'TypeScript',
          test: false,
          left_out: null,
          line_count: 1,
          lines: [
            {
              line: 12,
              text: 'export function parseUrl(text: string): URL | null {',
              from: 0,
              ranges: [[16, 24]],
              symbol: {
                id: 'payments-api/src/url.ts#parseUrl',
                type: 'Function',
                name: 'parseUrl',
                qualified_name: 'parseUrl',
                kind: 'function',
              },
            },
          ],
        },
      ],
      total: 1,
      page: 1,
      page_size: 20,
      total_pages: 1,
      total_lines: 1,
      complete: true,
      hints: [],
      without_source: [],
    },
    handle: async ({ caller, query }) => {
      const view = await viewOf(caller);
      const { expression, isAll, hints } = read(query.q);
      const { files, total, lines, isComplete } = await view.source
        .search({ expression, isAll, ...pageWindow(query) })
        .catch((error: unknown) => {
          throw explained(error);
        });
      const symbolAt = await symbolsAt(
        view,
        files.map(({ lines: shown, ...file }) => ({ ...file, lines: shown.map(({ line }) => line) })),
      );
      return {
        ...envelope(
          files.map(({ repository, path, language, test, left_out = null, lineCount, lines: found }) => ({
            repository,
            path,
            language,
            test,
            left_out,
            line_count: lineCount,
            lines: found.map((line) => ({ ...line, symbol: symbolAt(repository, path, line.line) })),
          })),
          total,
          query,
        ),
        total_lines: lines,
        complete: isComplete,
        hints,
        without_source: await withoutSource(view),
      };
    },
  });
}

function read(typed: string): TypedTextQuery {
  try {
    return typedTextQuery(typed);
  } catch (error) {
    throw explained(error);
  }
}

function explained(error: unknown): unknown {
  if (error instanceof BadPattern) return new HttpError(badPattern, { detail: error.message });
  return error instanceof SearchTooLong ? new HttpError(tooLong) : error;
}

async function withoutSource({ source }: View): Promise<string[]> {
  const kept = await source.kept();
  return [...kept]
    .flatMap(([name, isKept]) => (isKept ? [] : [name]))
    .toSorted()
    .slice(0, maxWithoutSource);
}
