import { z } from 'zod';
import { analyzerVersion } from '../../loaders/analyzer-version.ts';
import { uncommitted } from '../../loaders/snapshot/working-tree.ts';
import { composeAnswers } from '../compose-answers.ts';
import { tools } from '../mcp/tools.ts';
import type { Answered, Ask } from '../mcp/tools.ts';
import type { PathAnswer } from '../graph/path.ts';
import type { QueryResponse } from '../graph/query-route.ts';
import type { SearchAnswer } from '../search/routes.ts';
import type { Stores } from '../stores/open.ts';
import { completeLoad } from './complete-load.ts';
import { freshRepository, NotLoaded } from './here.ts';
import type { Here } from './here.ts';
import type { Io } from './io.ts';
import { questionNames } from './questions.ts';
import { organizationOf } from './organization-of.ts';
import type { OpenService } from './store-command.ts';

export const questionSchema = z.object({
  question: z.enum(questionNames),
  words: z.array(z.string()),
  /** Where the person stands. */
  folder: z.string(),
  organization: z.string().optional(),
  /** Name of a repository, in place of the one that the person stands in. */
  repository: z.string().optional(),
  /** Over all repositories. */
  all: z.boolean().default(false),
  /** With what is not committed yet. */
  workingTree: z.boolean().default(true),
  limit: z.int().min(1).max(50).optional(),
  depth: z.int().min(1).max(10).optional(),
  json: z.boolean().default(false),
});
export type Question = z.input<typeof questionSchema>;
type Asked = z.output<typeof questionSchema>;

/** A GET of the API, or a question with a body, by whoever stands in this folder. */
export const getSchema = questionSchema
  .pick({ folder: true, organization: true, workingTree: true })
  .extend({ path: z.string(), body: z.unknown().optional() });

/** What is answered as soon as the graph is loaded, or the source with it. */
const graphQuestions: Partial<Record<Question['question'], 'graph' | 'source'>> = {
  callers: 'graph',
  callees: 'graph',
  impact: 'graph',
  path: 'graph',
  source: 'source',
};
const graphPaths = /^\/api\/(?:(graph)\/(?:neighbors|impact|path)|(source))\b/;

type Item = SearchAnswer['items'][number];

/** A question that can't be answered; the message says what to do. */
class NoAnswer extends Error {}

/** More things of one name than these are not told apart. */
const maxNamesakes = 100;
const maxShown = 20;

/** Answers on stdout from what is loaded; the repository that the person stands in is loaded first, or refreshed. Gives the exit code. */
export async function answerQuestion(service: OpenService, asked: Asked, io: Io): Promise<number> {
  const { stores } = service;
  const isElsewhere = asked.all || asked.repository !== undefined;
  const graphFirst = graphQuestions[asked.question];
  const here = isElsewhere ? undefined : await freshRepository(service, { ...asked, graphFirst }, io);
  const repository = asked.all ? undefined : (asked.repository ?? here?.name);
  if (here?.workingTree) io.say(`${here.name}: as it lies here, ${uncommitted(here.workingTree.files)}.`);
  if (here?.onlyGraph) io.say(toCome(here.name));
  const organization = await organizationOf(stores.relational, asked.organization);
  let last: Answered | null = null;
  const ask: Ask = async (path, body) => (last = await answersOf(service, here)(path, organization, body));
  try {
    const question = await toolFor(asked, repository, ask);
    if ('namesakes' in question) {
      await io.out(asked.json ? line({ ambiguous: question.namesakes }) : namesakesText(question));
      return 1;
    }
    const tool = tools.find(({ name }) => name === question.tool);
    if (!tool) throw new Error(`There is no tool ${question.tool}.`);
    const { text, isError } = await tool.answer(question.input, ask);
    if (isError) throw new NoAnswer(text);
    const json = (last as Answered | null)?.json;
    await io.out(asked.json ? line(json) : `${text}\n`);
    return isNothing(asked, json) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    io.say(`repo-intel: ${error.message}`);
    return 1;
  } finally {
    goOn(service, here);
  }
}

/** What the API answers, of the repository that the person stands in as it is now, and of all others. */
export async function answerGet(
  service: OpenService,
  { path, body, ...asked }: z.output<typeof getSchema>,
  io: Io,
): Promise<Answered> {
  const [, graph, source] = graphPaths.exec(path) ?? [];
  const graphFirst = graph ? 'graph' : source ? 'source' : undefined;
  const here = await freshRepository(service, { ...asked, graphFirst }, io).catch((error: unknown) => {
    if (!(error instanceof NotLoaded)) throw error;
    // There are others to ask about.
    io.say(error.message);
    return undefined;
  });
  const organization = await organizationOf(service.stores.relational, asked.organization);
  try {
    const answered = await answersOf(service, here)(path, organization, body);
    const notes = here ? notesOn(here) : [];
    return notes.length === 0 ? answered : { ...answered, note: `(${notes.join(' ')})` };
  } finally {
    goOn(service, here);
  }
}

/** What whoever reads an answer has to know. */
function notesOn({ name, workingTree, onlyGraph }: Here): string[] {
  return [
    ...(workingTree ? [`${name} is known as it lies on the disk, ${uncommitted(workingTree.files)}.`] : []),
    ...(onlyGraph ? [toCome(name)] : []),
  ];
}

const toCome = (name: string) =>
  `Of ${name} only the graph is read yet: who wrote it, its measurements and findings are still to come.`;

/** Reads what follows the graph, which nobody has waited for. */
function goOn(service: OpenService, here: Here | undefined): void {
  if (here?.onlyGraph) completeLoad(service, here.onlyGraph).catch(() => undefined);
}

/** Nothing was found, or no way: an answer for people, and for scripts none. */
function isNothing({ question }: Asked, json: unknown): boolean {
  if (question === 'search') return (json as SearchAnswer).total === 0;
  if (question === 'query') return (json as QueryResponse).rows?.length === 0;
  return question === 'path' && (json as PathAnswer).length === null;
}

const line = (json: unknown) => `${JSON.stringify(json, null, 2)}\n`;

const answers = new WeakMap<Stores, Map<string, ReturnType<typeof composeAnswers>>>();

/** The API over these stores, in which a working tree may stand in the place of its repository. */
function answersOf({ stores, config }: OpenService, here?: Here) {
  const { jobs: open } = stores.relational;
  // Nobody else does them where the data is this process's.
  const jobs = async () => {
    const queue = await open();
    if (config.databaseUrl === undefined) {
      const { workOffJobs } = await import('./work-off-jobs.ts');
      await workOffJobs(queue, config, ['change']);
    }
    return queue;
  };
  const inPlace = here?.workingTree ?? null;
  const ofStores = answers.get(stores) ?? new Map<string, ReturnType<typeof composeAnswers>>();
  answers.set(stores, ofStores);
  const known =
    ofStores.get(inPlace?.key ?? '') ?? composeAnswers(stores, config, { analyzer: analyzerVersion, jobs, inPlace });
  ofStores.set(inPlace?.key ?? '', known);
  return known;
}

interface Use {
  tool: string;
  input: Record<string, unknown>;
}

/** Which tool for agents answers it, and what that is given. */
async function toolFor(
  asked: Asked,
  repository: string | undefined,
  ask: Ask,
): Promise<Use | { word: string; namesakes: Item[] }> {
  const { question, words, limit = 50 } = asked;
  if (question === 'search') {
    await mustBeKnown(asked.repository, ask);
    const within = repository === undefined ? {} : { repository };
    return { tool: 'search_code', input: { query: words.join(' '), ...within, limit: Math.min(limit, 20) } };
  }
  if (question === 'query') return { tool: 'query_graph', input: { query: words.join(' ') } };
  if (question === 'dd') {
    const named = words[0] ?? repository;
    if (named !== undefined) return { tool: 'repository_health', input: { repository: named } };
    throw new NoAnswer('Say of which repository: repo-intel dd NAME. repo-intel list has the names.');
  }
  const file = question === 'source' ? await fileCalled(words[0] ?? '', repository, ask) : null;
  if (file) return file;
  const found: Item[] = [];
  for (const word of words) {
    const namesakes = await called(word, repository, ask);
    const [only] = namesakes;
    if (only === undefined || namesakes.length > 1) return { word, namesakes };
    found.push(only);
  }
  const [first, second] = found;
  if (first === undefined) throw new NoAnswer('Say the name of a function or class.');
  return useOf({ ...asked, limit }, { first, second, repository });
}

/** A search within a repository that is not there finds nothing, and does not say why. */
async function mustBeKnown(repository: string | undefined, ask: Ask): Promise<void> {
  if (repository === undefined) return;
  const { status, json } = await ask(`/api/repositories/${encodeURIComponent(repository)}`);
  if (status === 404) throw new NoAnswer(`${(json as { detail: string }).detail} repo-intel list has the names.`);
}

function useOf(
  { question, depth = 3, limit }: Asked,
  { first, second, repository }: { first: Item; second: Item | undefined; repository: string | undefined },
): Use {
  const { id } = first;
  const own = first.repository ?? repository;
  if (question === 'impact') return { tool: 'impact', input: { id, depth, limit } };
  if (question === 'path') return { tool: 'path', input: { from: id, to: second?.id } };
  if (question === 'source') return { tool: 'read_symbol', input: { repository: own, symbol: id } };
  const direction = question === 'callers' ? 'in' : 'out';
  return { tool: 'neighbors', input: { repository: own, node: id, direction, edge_types: ['CALLS'], limit } };
}

/** `src/app.py` or `src/app.py:10-40`, where there is such a file. */
async function fileCalled(word: string, repository: string | undefined, ask: Ask): Promise<Use | null> {
  const [, path, lines] = /^([^#]+?)(?::(\d+(?:-\d+)?))?$/.exec(word) ?? [];
  if (path === undefined || repository === undefined || !/[./]/.test(path)) return null;
  const first = new URLSearchParams({ path, lines: '1' });
  const { status } = await ask(`/api/source/${encodeURIComponent(repository)}?${first.toString()}`);
  if (status !== 200) return null;
  return { tool: 'read_symbol', input: { repository, path, ...(lines === undefined ? {} : { lines }) } };
}

/** Functions and classes that a person may mean by this: of this name, qualified name, or end of an id (`src/app.py#App.run`). */
async function called(word: string, repository: string | undefined, ask: Ask): Promise<Item[]> {
  const last = word.split(/[.#:/\s]+/).findLast((part) => part !== '') ?? word;
  const query = new URLSearchParams({
    q: `"${last.replaceAll('"', '')}"`,
    type: 'Function,Class',
    page_size: String(maxNamesakes),
    ...(repository === undefined ? {} : { repo: repository }),
  });
  const { status, json } = await ask(`/api/search?${query.toString()}`);
  if (status !== 200) throw new NoAnswer((json as { detail?: string }).detail ?? 'The search failed.');
  const { items } = json as SearchAnswer;
  const isMeant = ({ id, name, qualified_name: qualified }: Item) =>
    name === word || qualified === word || qualified?.endsWith(`.${word}`) || id === word || id.endsWith(`/${word}`);
  const meant = items.filter(isMeant);
  if (meant.length > 0) return meant;
  const near = items.slice(0, 3).map(({ qualified_name: qualified, name }) => qualified ?? name);
  const where = repository === undefined ? 'No repository has' : `${repository} has no`;
  const instead =
    near.length > 0
      ? `Near it: ${near.join(', ')}.`
      : `repo-intel search ${JSON.stringify(word)} finds what is only like it.`;
  throw new NoAnswer(`${where} function or class called ${JSON.stringify(word)}. ${instead}`);
}

function namesakesText({ word, namesakes }: { word: string; namesakes: Item[] }): string {
  const many = namesakes.length === maxNamesakes ? `${maxNamesakes} or more` : namesakes.length;
  const shown = namesakes.slice(0, maxShown).map(({ id, repository, kind, path, line: at }) => {
    const tail = repository !== null && id.startsWith(`${repository}/`) ? id.slice(repository.length + 1) : id;
    return `- ${tail} (${kind ?? 'function'} at ${path}${at === null ? '' : `:${at}`})`;
  });
  const more = namesakes.length > maxShown ? [`… ${namesakes.length - maxShown} more`] : [];
  return [`${many} are called ${word}: ask for one of them as it stands here.`, ...shown, ...more, ''].join('\n');
}
