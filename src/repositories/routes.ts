import { z } from 'zod';
import { HttpError } from '../http/errors.ts';
import { envelope, pageOf, pageQuery, pageWindow } from '../http/page.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import { unparsedIn, unparsedItemSchema } from '../model/unparsed.ts';
import type { PipelineRun, Source, StoredSnapshot } from '../stores/relational/port.ts';
import type { View, ViewOf } from '../tenancy/view.ts';

const states = ['loading', 'loaded', 'failed', 'empty'] as const;

const repositorySchema = z
  .object({
    name: z.string().meta({ description: 'By which every other route knows it.' }),
    full_name: z.string().nullable().meta({
      description: 'owner/name, by where it was cloned from, or local/NAME; other routes know it by this name too.',
    }),
    own: z.boolean().meta({ description: 'Of the caller’s organization; else another one shares it.' }),
    state: z.enum(states).meta({
      description:
        'loading: it is being read for the first time, or again; loaded; failed: the last attempt did not succeed, and what was loaded before, if anything, is still answered from; empty: nothing of it was loaded yet.',
    }),
    commit: z.string().nullable(),
    branch: z.string().nullable(),
    committed_at: z.string().nullable(),
    loaded_at: z.string().nullable().meta({ description: 'Of what is answered from; null where nothing is loaded.' }),
    source: z
      .object({
        state: z.enum(['fresh', 'failed']).meta({
          description: 'failed: the last look did not succeed; what is answered from is as old as `checked_at`.',
        }),
        checked_at: z.iso.datetime().nullable().meta({
          description: 'Until when what is answered from is known to be what is there; null: not yet.',
        }),
        error: z.string().nullable().meta({ description: 'What went wrong the last time, in a sentence.' }),
      })
      .meta({ id: 'KeptFresh' })
      .nullable()
      .meta({
        description: 'How it is kept as it is where it comes from; null where it is not, or another organization’s.',
      }),
    files: z.int().nullable().meta({ description: 'Source files found.' }),
    files_parsed: z.int().nullable(),
    lines: z.int().nullable().meta({ description: 'Of the files that were parsed.' }),
    lines_unparsed: z.int().nullable().meta({
      description:
        'Of them, those that the parser could not read: what stands there has no symbols. `…/unparsed` lists them.',
    }),
    warnings: z.array(z.string()).meta({ description: 'What could not be read, a sentence each.' }),
  })
  .meta({ id: 'Repository' });

const responseSchema = pageOf(repositorySchema);

const example: z.infer<typeof repositorySchema> = {
  name: 'payments-api',
  full_name: 'acme/payments-api',
  own: true,
  state: 'loaded',
  commit: '5d41402abc4b2a76b9719d911017c592ae1f0f3b',
  branch: 'main',
  committed_at: '2026-11-20T15:04:05Z',
  loaded_at: '2026-11-21T09:40:00Z',
  source: { state: 'fresh', checked_at: '2026-11-21T11:40:00Z', error: null },
  files: 412,
  files_parsed: 409,
  lines: 61_204,
  lines_unparsed: 12,
  warnings: [],
};

const nameParams = { name: z.string().meta({ description: 'Name of the repository.', examples: ['payments-api'] }) };

const shared = { method: 'GET', access: 'tenant', product: 'code-graph', credits: 0 } as const;

/** `GET /api/repositories` and `GET /api/repositories/{name}`: what there is, whose it is, and how its load went. */
export function repositoryRoutes(viewOf: ViewOf): Route[] {
  return [
    route({
      ...shared,
      path: '/api/repositories',
      operation_id: 'list_repositories',
      summary: 'The repositories that you see',
      description: 'Your organization’s own, and those that others share with all; by name.',
      paged: true,
      query: pageQuery,
      response: responseSchema,
      example: { items: [example], total: 1, page: 1, page_size: 20, total_pages: 1 },
      handle: async ({ caller, query }) => {
        const view = await viewOf(caller);
        const all = await loaded(view);
        const { offset, limit } = pageWindow(query);
        return envelope(await itemsOf(view, all.slice(offset, offset + limit)), all.length, query);
      },
    }),
    route({
      ...shared,
      path: '/api/repositories/{name}',
      operation_id: 'get_repository',
      summary: 'One repository',
      params: nameParams,
      errors: [repositoryNotFound],
      response: repositorySchema,
      example,
      handle: async ({ caller, params }) => {
        const view = await viewOf(caller);
        const asked = view.names.shownName(params.name);
        const [found] = await itemsOf(view, await loaded(view, asked));
        return found ?? notFound(params.name);
      },
    }),
    route({
      ...shared,
      path: '/api/repositories/{name}/unparsed',
      operation_id: 'list_unparsed',
      summary: 'What of a repository has no symbols',
      description:
        'Source that could not be read, and lines that the parser could not; by path. What is no source, or was left out on purpose (vendored, generated, binary), is not among them.',
      paged: true,
      params: nameParams,
      query: pageQuery,
      errors: [repositoryNotFound],
      response: pageOf(unparsedItemSchema),
      example: {
        items: [{ path: 'src/legacy/parser.cs', line: 210, end_line: 221, reason: 'syntax_error', detail: null }],
        total: 1,
        page: 1,
        page_size: 20,
        total_pages: 1,
      },
      handle: async ({ caller, params, query }) => {
        const { names, snapshots } = await viewOf(caller);
        const asked = names.shownName(params.name);
        if (!names.shown.some(({ name }) => name === asked)) notFound(params.name);
        const snapshot = await snapshots.get(asked);
        const all = snapshot === null ? [] : unparsedIn(snapshot.info);
        const { offset, limit } = pageWindow(query);
        return envelope(all.slice(offset, offset + limit), all.length, query);
      },
    }),
  ];
}

function notFound(name: string): never {
  throw new HttpError(repositoryNotFound, { detail: `No repository is named ${JSON.stringify(name)}.` });
}

type Shown = View['names']['shown'][number];

/** What is shown, or one of it, without what tasks were minted from and nothing was loaded of. */
async function loaded({ names, snapshots }: View, only?: string): Promise<Shown[]> {
  const shown = names.shown.filter(({ name }) => only === undefined || name === only);
  const full = shown.filter(({ name }) => name.includes('/')).map(({ name }) => name);
  if (full.length === 0) return shown;
  const kept = new Set((await snapshots.list(full)).map(({ repository }) => repository));
  return shown.filter(({ name }) => !name.includes('/') || kept.has(name));
}

async function itemsOf({ runs, snapshots, sources }: View, shown: readonly Shown[]) {
  const [kept, last, { items }] = await Promise.all([
    snapshots.list(shown.map(({ name }) => name)),
    runs.last(),
    sources.list(),
  ]);
  const sourceOf = new Map(items.map((each) => [each.repository, each]));
  const snapshotOf = new Map(kept.map((each) => [each.repository, each]));
  const runOf = new Map(last.map((each) => [each.repository, each]));
  return shown.map((each) =>
    itemOf(each, snapshotOf.get(each.name), runOf.get(each.name), each.own ? sourceOf.get(each.name) : undefined),
  );
}

function itemOf(
  { name, full_name, own }: Shown,
  snapshot: StoredSnapshot | undefined,
  run: PipelineRun | undefined,
  source: Source | undefined,
) {
  const info = snapshot?.info;
  return {
    name,
    full_name,
    own,
    state: stateOf(snapshot, run),
    commit: info?.commit ?? null,
    branch: info?.branch ?? null,
    committed_at: info?.committed_at ?? null,
    loaded_at: snapshot?.loaded_at ?? null,
    source: source
      ? {
          state: source.error === null ? ('fresh' as const) : ('failed' as const),
          checked_at: source.checked_at,
          error: source.error,
        }
      : null,
    files: info?.completeness.files ?? null,
    files_parsed: info?.completeness.files_parsed ?? null,
    lines: info?.completeness.lines ?? null,
    lines_unparsed: info?.completeness.lines_unparsed ?? null,
    // Where it was read is the operator's business.
    warnings: info?.warnings.map((warning) => warning.replaceAll(info.source, name)) ?? [],
  };
}

function stateOf(snapshot: StoredSnapshot | undefined, run: PipelineRun | undefined): (typeof states)[number] {
  if (run?.status === 'running') return 'loading';
  if (run?.status === 'failed') return 'failed';
  return snapshot === undefined ? 'empty' : 'loaded';
}
