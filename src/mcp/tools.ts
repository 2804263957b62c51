import { z } from 'zod';
import type { TaskAnswer, TasksAnswer } from '../benchmark/tasks.ts';
import { changeText } from '../changes/change-text.ts';
import type { RepositorySummary } from '../due-diligence/executive.ts';
import type { ImpactAnswer } from '../graph/impact.ts';
import type { NeighborsAnswer } from '../graph/neighbors.ts';
import type { PathAnswer } from '../graph/path.ts';
import type { QueryResponse } from '../graph/query-route.ts';
import type { GraphAnswer } from '../graph/repository-graph.ts';
import type { Change } from '../model/change.ts';
import { edgeTypeSchema, nodeTypeSchema } from '../model/graph.ts';
import { searchTypeSchema } from '../model/search-document.ts';
import type { SearchAnswer } from '../search/routes.ts';
import type { TextSearchAnswer } from '../search/text-routes.ts';
import type { SourceAnswer } from '../source/routes.ts';
import { brief, edgeLine, nodeLine, problemText } from './text.ts';

/** What the API answered. */
export interface Answered {
  status: number;
  json: unknown;
  /** Of which state it is, where that is not the last commit. */
  note?: string;
}

/** A GET of the API; with a body the POST of a question. */
export type Ask = (path: string, body?: unknown) => Promise<Answered>;

/** One tool: what an agent may give it, which path that is, and what of the answer is worth its context. */
interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  answer(given: unknown, ask: Ask): Promise<{ text: string; isError: boolean }>;
}

function tool<Input extends z.ZodObject, Json>(declared: {
  name: string;
  title: string;
  description: string;
  input: Input;
  path: (given: z.output<Input>) => string;
  body?: (given: z.output<Input>) => unknown;
  /** Of the API's own answer, whose shape its contract guarantees. */
  say: (json: Json, given: z.output<Input>) => string;
}): Tool {
  const { path, body, say, ...described } = declared;
  return {
    ...described,
    async answer(given, ask) {
      const parsed = declared.input.parse(given);
      const { status, json, note } = await ask(path(parsed), body?.(parsed));
      if (status === 202) return { text: 'It is being measured: ask the same again in some seconds.', isError: false };
      if (status !== 200) return { text: problemText(status, json), isError: true };
      const text = brief(say(json as Json, parsed));
      return { text: note === undefined ? text : `${text}\n${note}`, isError: false };
    },
  };
}

const repository = z.string().min(1).max(256).describe('Name of a repository, as list_repositories gives it.');
const nodeId = z.string().min(1).max(2_048).describe('Id of a node, as search_code or neighbors gives it.');
const limit = z.int().min(1).max(50).default(10).describe('At most so many.');

/** All tools, those that one begins with first. */
export const tools: readonly Tool[] = [
  tool({
    name: 'search_code',
    title: 'Search code',
    description:
      'Finds functions, classes, declared names (constants, fields, macros …), endpoints, data models, repositories and people over all repositories, best first: by name or part of it, by words of the documentation, by path; sentences also find files by their text. Gives each with its id and position. With type:commit it finds commits instead, by message, path and changed identifiers.',
    input: z.object({
      query: z
        .string()
        .min(1)
        .max(256)
        .describe(
          'Words, a name, "a phrase"; -word leaves out. Commits: type:commit author:anna before:2024-05 after:"2 weeks ago" path:src/ words.',
        ),
      type: searchTypeSchema.optional().describe('Only items of this type.'),
      kind: z
        .string()
        .max(64)
        .optional()
        .describe(
          'Only items of this kind: method, interface, constant, variable, field, enum_member, type_alias, macro …',
        ),
      repository: repository.optional(),
      language: z.string().max(64).optional().describe('Only items in this language.'),
      limit,
    }),
    path: ({ query, type, kind, repository: repo, language, limit: page_size }) =>
      `/api/search?${parameters({ q: query, type, kind, repo, language, page_size })}`,
    say: ({ items, total, left_out, hints = [] }: SearchAnswer, { query }) => {
      const found = `${items.length} of ${total} for ${JSON.stringify(query)}`;
      const some = left_out === undefined ? '' : ' or some of its words';
      const without = left_out?.length ? ` (nothing has ${left_out.join(', ')})` : '';
      return [`${found}${some}${without}, best first:`, ...hints, ...items.map(nodeLine)].join('\n');
    },
  }),
  tool({
    name: 'search_text',
    title: 'Search the text of the code',
    description:
      'Finds lines by their text over all repositories, as grep does: strings, comments, error messages. Gives each with its file, line and the function or class around it.',
    input: z.object({
      query: z
        .string()
        .min(1)
        .max(1024)
        .describe(
          'Words, "text as it stands", /regular expression/; file:^src/ lang:go repo:koa case:yes count:all -not OR.',
        ),
      limit,
    }),
    path: ({ query, limit: page_size }) => `/api/search/text?${parameters({ q: query, page_size })}`,
    say: ({ items, total, total_lines, complete, hints }: TextSearchAnswer, { query }) =>
      [
        `${items.length} of ${complete ? '' : 'at least '}${total} files with ${total_lines} lines for ${JSON.stringify(query)}:`,
        ...hints,
        ...items.flatMap(({ repository, path, lines, line_count }) => [
          `${repository} ${path} (${line_count})`,
          ...lines.map(
            ({ line, text, symbol }) => `  ${line}: ${text.trim()}${symbol === null ? '' : `  [in ${symbol.id}]`}`,
          ),
        ]),
      ].join('\n'),
  }),
  tool({
    name: 'read_symbol',
    title: 'Read source',
    description: 'The source of a function or class by its id, or lines of a file by its path, with their numbers.',
    input: z.object({
      repository,
      symbol: nodeId.optional(),
      path: z.string().min(1).max(4_096).optional().describe('Of a file, from the root, in place of symbol.'),
      lines: z
        .string()
        .regex(/^[1-9]\d{0,8}(-[1-9]\d{0,8})?$/)
        .optional()
        .describe('Of that file: 10 or 10-40.'),
    }),
    path: ({ repository: name, ...rest }) => `/api/source/${encodeURIComponent(name)}?${parameters(rest)}`,
    say: ({ repository: name, path, lines, line_count }: SourceAnswer) =>
      [`${name} ${path}, ${line_count} lines:`, ...lines.map(({ line, text }) => `${line}\t${text}`)].join('\n'),
  }),
  tool({
    name: 'list_repositories',
    title: 'List repositories',
    description: 'All repositories that are loaded, with language and what each is; and which of them need which.',
    input: z.object({}),
    path: () => `/api/graph?${parameters({ node_types: 'Repository', edge_types: 'DEPENDS_ON', page_size: 1_000 })}`,
    say: ({ nodes, edges, total_nodes, total_edges }: GraphAnswer) =>
      [
        `${nodes.length} of ${total_nodes} repositories, ${edges.length} of ${total_edges} dependencies:`,
        ...nodes.map(nodeLine),
        ...edges.map(edgeLine),
      ].join('\n'),
  }),
  tool({
    name: 'neighbors',
    title: 'What is next to something',
    description:
      'Without node: which repositories and people a repository is joined to. With the id of a node inside it: who calls, inherits or contains it, and what it calls, inherits or contains.',
    input: z.object({
      repository,
      node: nodeId.optional(),
      direction: z.enum(['in', 'out']).optional().describe('in: who leads to it; out: where it leads.'),
      edge_types: z.array(edgeTypeSchema).min(1).optional().describe('Only over edges of these types.'),
      limit,
    }),
    path: ({ repository: name, limit: page_size, edge_types, ...rest }) =>
      `/api/graph/neighbors/${encodeURIComponent(name)}?${parameters({ ...rest, edge_types: edge_types?.join(), page_size })}`,
    say: ({ total_neighbors, neighbors }: NeighborsAnswer, { repository, node }) =>
      [
        `${neighbors.length} of ${total_neighbors} next to ${node ?? repository}:`,
        ...neighbors.map(
          (each) =>
            `${nodeLine(each)}\n  ${each.edges.map(({ type, direction, confidence }) => `${direction === 'in' ? `it ${type} this` : `this ${type} it`}, certain to ${confidence}`).join('; ')}`,
        ),
      ].join('\n'),
  }),
  tool({
    name: 'impact',
    title: 'Who is affected by a change',
    description:
      'Everything that calls, inherits, imports or depends on a node or on what it contains, the nearest first; ask before a change. Of a repository: which other repositories need it.',
    input: z.object({ id: nodeId, depth: z.int().min(1).max(10).default(3).describe('At most so far away.'), limit }),
    path: ({ id, depth, limit: page_size }) =>
      `/api/graph/impact/${encodeURIComponent(id)}?${parameters({ depth, page_size })}`,
    say: ({ total_affected, affected, by_depth, truncated }: ImpactAnswer, { id }) =>
      [
        `${total_affected}${truncated ? ' or more' : ''} affected by a change of ${id} (${by_depth.map(({ depth, count }) => `${count} at depth ${depth}`).join(', ') || 'none'}):`,
        ...affected.map((each) => `${nodeLine(each)}\n  at depth ${each.depth}`),
      ].join('\n'),
  }),
  tool({
    name: 'path',
    title: 'How one thing leads to another',
    description: 'The shortest way along the edges of the graph from one node to another, also between repositories.',
    input: z.object({ from: nodeId, to: nodeId }),
    path: ({ from, to }) => `/api/graph/path?${parameters({ from, to })}`,
    say: ({ length, nodes, edges }: PathAnswer, { from, to }) =>
      length === null
        ? `No way leads from ${from} to ${to} over 10 edges or fewer.`
        : [`${length} edges:`, ...nodes.map(nodeLine), ...edges.map(edgeLine)].join('\n'),
  }),
  tool({
    name: 'query_graph',
    title: 'Ask the graph',
    description: `Any question to the graph in read-only openCypher, for what no other tool answers: counts, patterns, what has no caller. Nodes: ${nodeTypeSchema.options.join(', ')}; edges: ${edgeTypeSchema.options.join(', ')}.`,
    input: z.object({
      query: z
        .string()
        .min(1)
        .max(20_000)
        .describe(
          'MATCH (f:Function {repository: $r})-[:CALLS*1..3]->(g) RETURN g.id LIMIT 20; nodes have id, name, path, line …',
        ),
      parameters: z.record(z.string(), z.unknown()).default({}).describe('Values of what the query names with $.'),
    }),
    path: () => '/api/graph/query',
    body: (given) => given,
    say: ({ columns, rows, plan }: QueryResponse) =>
      (rows === null
        ? plan.map(({ operator, detail, depth }) => `${'  '.repeat(depth)}- ${operator} ${detail}`)
        : [`${rows.length} rows: ${columns.join(' | ')}`, ...rows.map((row) => `- ${row.map(cell).join(' | ')}`)]
      ).join('\n'),
  }),
  tool({
    name: 'change',
    title: 'What a change does',
    description:
      'What led from one commit to another: functions and classes changed, who is affected or broken here and in other repositories, which tests reach it, new findings, grades. The first time it is measured, which takes as long as a load.',
    input: z.object({
      repository,
      base: z.string().min(1).max(255).describe('Branch, tag or commit to compare with, as main.'),
      head: z.string().min(1).max(255).optional().describe('Branch, tag or commit; default: the one that is loaded.'),
    }),
    path: ({ repository: repo, ...range }) => `/api/changes/${encodeURIComponent(repo)}?${parameters(range)}`,
    say: (json: Change) => changeText(json, (_, words) => words),
  }),
  tool({
    name: 'repository_health',
    title: 'Health of a repository',
    description:
      'Due diligence of one repository: grade, score by dimension, key risks with their evidence in a sentence, strengths, what to do first.',
    input: z.object({ repository }),
    path: ({ repository: repo }) => `/api/dd/executive/${encodeURIComponent(repo)}`,
    say: (json: RepositorySummary) =>
      [
        `${json.repo}: grade ${json.grade ?? 'unknown'}, ${json.score ?? '?'} of 100, ${Math.round(json.confidence * 100)} % measured, at commit ${json.as_of_commit ?? 'none'}`,
        ...json.dimensions.map(({ id, grade, score }) => `- ${id}: ${grade ?? 'unknown'} (${score ?? 'not measured'})`),
        'Key risks:',
        ...json.key_risks.map(({ title, grade, sentence }) => `- ${title} (${grade ?? '?'}): ${sentence}`),
        'Strengths:',
        ...json.strengths.map(({ title, sentence }) => `- ${title}: ${sentence}`),
        'First to do:',
        ...json.recommendations.deal_critical.map(({ title, recommendation }) => `- ${title}: ${recommendation}`),
      ].join('\n'),
  }),
  tool({
    name: 'list_tasks',
    title: 'List tasks',
    description:
      'Software-engineering tasks that were minted from the history of repositories and proven by their tests.',
    input: z.object({ repository: z.string().max(256).optional().describe('As `owner/name`.'), limit }),
    path: ({ repository: repo, limit: page_size }) => `/api/benchmark/tasks?${parameters({ repo, page_size })}`,
    say: ({ items, total }: TasksAnswer) =>
      [
        `${items.length} of ${total} tasks:`,
        ...items.map(
          ({ instance_id, repo, language, difficulty, problem_statement }) =>
            `- ${instance_id} (${repo}, ${language}, ${difficulty}): ${problem_statement.split('\n')[0] ?? ''}`,
        ),
      ].join('\n'),
  }),
  tool({
    name: 'get_task',
    title: 'A task',
    description: 'One task as who solves it may see it: statement, base commit, how its tests are run.',
    input: z.object({ instance_id: z.string().min(1).max(256).describe('As list_tasks gives it.') }),
    path: ({ instance_id }) => `/api/benchmark/tasks/${encodeURIComponent(instance_id)}?view=solver`,
    say: ({ repo, base_commit, difficulty, problem_statement, environment }: TaskAnswer) =>
      [
        `${repo} at ${base_commit}, ${difficulty}`,
        `Tests: ${environment?.test_cmd ?? 'how they are run is not known yet'}`,
        '',
        problem_statement,
      ].join('\n'),
  }),
];

/** A value in a line; texts without quotes. */
const cell = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function parameters(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
}
