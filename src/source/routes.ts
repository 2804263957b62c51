import { z } from 'zod';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { leftOutSchema } from '../model/snapshot.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { fileAsked, linesOf, question } from './file-asked.ts';
import { forgeLink } from '../model/forge-link.ts';
import { lineHistoryRoute } from './line-history.ts';

/** Lines of one answer. */
const maxLines = 5_000;

const responseSchema = z
  .object({
    repository: z.string(),
    path: z.string(),
    language: z.string().nullable(),
    test: z.boolean(),
    left_out: leftOutSchema.nullable().meta({ description: 'Why it is no part of the graph; null where it is.' }),
    commit: z.string().nullable(),
    lines: z
      .array(z.object({ line: z.int().min(1), text: z.string() }))
      .max(maxLines)
      .meta({ description: `In order, without what ends them; ${maxLines} at most, \`lines\` asks for others.` }),
    line_count: z.int().meta({ description: 'Lines of the whole file.' }),
    url: z
      .string()
      .nullable()
      .meta({ description: 'The same on the forge that it was cloned from, where that is known.' }),
  })
  .meta({ id: 'SourceText' });
/** What `GET /api/source/{repository}` answers. */
export type SourceAnswer = z.infer<typeof responseSchema>;

/** `GET /api/source/{repository}`: a file, some lines of it, or a function or class. */
export function sourceRoutes(viewOf: ViewOf): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/source/{repository}',
      operation_id: 'read_source',
      summary: 'Read the source',
      description:
        'A file by `path`, some of its `lines`, or a function or class by the id that other answers give it.',
      access: 'tenant',
      product: 'code-search',
      credits: 1,
      ...question,
      response: responseSchema,
      example: {
        repository: 'payments-api',
        path: 'src/url.ts',
        language: 'TypeScript',
        test: false,
        left_out: null,
        commit: '5d41402abc4b2a76b9719d911017c592ae1f0f3b',
        lines: [{ line: 12, text: 'export function parseUrl(text: string): URL | null {' }],
        line_count: 40,
        url: 'https://github.com/acme/payments-api/blob/5d41402abc4b2a76b9719d911017c592ae1f0f3b/src/url.ts#L12',
      },
      handle: async ({ caller, params, query }) => {
        const { repository, asked, info, file } = await fileAsked(await viewOf(caller), params.repository, query);
        const all = linesOf(file.text);
        const lines = all
          .slice(asked.from - 1, Math.min(asked.to, asked.from - 1 + maxLines))
          .map((line, index) => ({ line: asked.from + index, text: line }));
        const { commit } = info;
        const shown =
          asked.isWhole || lines.length === 0 ? null : ([asked.from, asked.from + lines.length - 1] as const);
        return {
          repository,
          path: file.path,
          language: file.language,
          test: file.test,
          left_out: file.left_out ?? null,
          commit,
          lines,
          line_count: all.length,
          url: forgeLink(info, file.path, shown),
        };
      },
    }),
    lineHistoryRoute(viewOf),
  ];
}
