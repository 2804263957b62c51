import { z } from 'zod';
import { noNode, nodeNotFound } from '../graph/node-not-found.ts';
import { HttpError } from '../http/errors.ts';
import type { Problem } from '../http/problems.ts';
import { text } from '../http/query.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { leftOutSchema } from '../model/snapshot.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import type { View, ViewOf } from '../tenancy/view.ts';
import { forgeLink } from './forge-link.ts';

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

const sourceNotKept: Problem = {
  status: 404,
  code: 'source_not_kept',
  title: 'The source of this repository is not kept',
  meaning: 'It was loaded with --no-source, or by a version that kept none. Load it again without that option.',
};
const fileNotFound: Problem = {
  status: 404,
  code: 'file_not_found',
  title: 'There is no such file',
  meaning:
    'The repository has no text file at this path that was read: paths begin at its root, case counts, and what is binary is left out.',
};

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
      params: { repository: z.string().meta({ description: 'Name of a repository.', examples: ['payments-api'] }) },
      query: {
        path: text(1, 4_096)
          .optional()
          .meta({ description: 'From the root, with `/`.', examples: ['src/url.ts'] }),
        lines: z
          .string()
          .regex(/^[1-9]\d{0,8}(-[1-9]\d{0,8})?$/)
          .refine(isForwards, 'the first line must not come after the last')
          .optional()
          .meta({ description: 'One line or from-to, from 1.', examples: ['10-40'] }),
        symbol: text(1, 2_048)
          .optional()
          .meta({
            description: 'Id of a function or class, in place of `path` and `lines`.',
            examples: ['payments-api/src/url.ts#parseUrl'],
          }),
      },
      errors: [repositoryNotFound, sourceNotKept, fileNotFound, nodeNotFound],
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
        const view = await viewOf(caller);
        const repository = view.names.shownName(params.repository);
        const asked = await askedFor(view, repository, query);
        const snapshot = await view.snapshots.get(repository);
        if (snapshot === null)
          throw new HttpError(repositoryNotFound, {
            detail: `No repository is named ${JSON.stringify(params.repository)}.`,
          });
        if ((await view.source.kept()).get(repository) !== true) throw new HttpError(sourceNotKept);
        const file = await view.source.read(repository, asked.path);
        if (file === null)
          throw new HttpError(fileNotFound, {
            detail:
              asked.path === ''
                ? 'Say which file by `path`, or which function or class by `symbol`.'
                : `${repository} has no text at ${JSON.stringify(asked.path)}.`,
          });
        const all = file.text.split(/\r?\n/);
        if (all.at(-1) === '') all.pop();
        const lines = all
          .slice(asked.from - 1, Math.min(asked.to, asked.from - 1 + maxLines))
          .map((line, index) => ({ line: asked.from + index, text: line }));
        const { commit, source } = snapshot.info;
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
          url: forgeLink({ source, commit }, file.path, shown),
        };
      },
    }),
  ];
}

function isForwards(lines: string): boolean {
  const [from = 1, to = from] = lines.split('-').map(Number);
  return from <= to;
}

interface Asked {
  path: string;
  /** From 1. */
  from: number;
  /** The last. */
  to: number;
  isWhole: boolean;
}

async function askedFor(
  { graph, names }: View,
  repository: string,
  { path, lines, symbol }: { path?: string | undefined; lines?: string | undefined; symbol?: string | undefined },
): Promise<Asked> {
  if (symbol !== undefined) {
    const node = names.has(names.keyOf(repository)) ? await graph.node(symbol) : null;
    if (node === null || node.path === null || node.line === null || node.repository !== repository)
      throw noNode(symbol);
    return { path: node.path, from: node.line, to: node.end_line ?? node.line, isWhole: false };
  }
  const [from = 1, to = lines === undefined ? Infinity : from] = lines?.split('-').map(Number) ?? [];
  return { path: path ?? '', from, to, isWhole: lines === undefined };
}
