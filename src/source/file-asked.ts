import { z } from 'zod';
import { noNode, nodeNotFound } from '../graph/node-not-found.ts';
import { HttpError } from '../http/errors.ts';
import type { Problem } from '../http/problems.ts';
import { text } from '../http/query.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import { sourceNotKept } from '../model/source-not-kept.ts';
import type { View } from '../tenancy/view.ts';

const fileNotFound: Problem = {
  status: 404,
  code: 'file_not_found',
  title: 'There is no such file',
  meaning:
    'The repository has no text file at this path that was read: paths begin at its root, case counts, and what is binary is left out.',
};

/** How a file, some of its lines, or a function or class is asked for. */
export const question = {
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
};

type Query = Record<'path' | 'lines' | 'symbol', string | undefined>;

/** The file that is asked for, and which of its lines. */
export async function fileAsked(view: View, name: string, query: Partial<Query>) {
  const repository = view.names.shownName(name);
  const asked = await askedFor(view, repository, query);
  const snapshot = await view.snapshots.get(repository);
  if (snapshot === null)
    throw new HttpError(repositoryNotFound, { detail: `No repository is named ${JSON.stringify(name)}.` });
  if ((await view.source.kept()).get(repository) !== true) throw new HttpError(sourceNotKept);
  const file = await view.source.read(repository, asked.path);
  if (file === null)
    throw new HttpError(fileNotFound, {
      detail:
        asked.path === ''
          ? 'Say which file by `path`, or which function or class by `symbol`.'
          : `${repository} has no text at ${JSON.stringify(asked.path)}.`,
    });
  return { repository, asked, info: snapshot.info, file };
}

/** Without what ends them. */
export function linesOf(whole: string): string[] {
  const lines = whole.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
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
