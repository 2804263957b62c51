import { z } from 'zod';
import { HttpError } from '../http/errors.ts';
import { envelope, pageOf, pageQuery } from '../http/page.ts';
import { problems } from '../http/problems.ts';
import { decimal, integer, list, text } from '../http/query.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { maxPlaces } from '../model/declared-name.ts';
import { searchDocumentSchema, searchTypeSchema, type SearchType } from '../model/search-document.ts';
import { facetNames, type SearchHit, type SearchQuery } from '../stores/search/port.ts';
import type { Names } from '../tenancy/names.ts';
import type { View, ViewOf } from '../tenancy/view.ts';
import type { SearchFilters } from './ranking/query.ts';
import { commitOfItemSchema, placeFromCursor, placeInCursor, searchCommits, type CommitHit } from './commit-search.ts';
import { nextPlace, placeOf, searchCursor } from './cursor.ts';
import { exportRoute } from './export.ts';
import { searchWithQuoted } from './quoted-places.ts';
import { suggest } from './suggest.ts';
import { typedQuery } from './typed-query.ts';

const itemSchema = searchDocumentSchema
  .pick({
    id: true,
    type: true,
    name: true,
    qualified_name: true,
    repository: true,
    path: true,
    line: true,
    kind: true,
    language: true,
    signature: true,
    doc: true,
  })
  .extend({
    type: searchTypeSchema.meta({
      description:
        'Of a node of the graph; or Declaration: a constant, variable, field, member of an enum, alias of a type or macro, File, or Commit, which are no nodes.',
    }),
    declared: searchDocumentSchema.shape.declared
      .unwrap()
      .nullable()
      .meta({
        description: `Of a declared name, which is one item for all its places: how many there are, and the first ${maxPlaces}; path and line are those of the first. Null for others.`,
      }),
    overloads: searchDocumentSchema.shape.overloads
      .unwrap()
      .nullable()
      .meta({
        description: `Of a function or class that stands for others of its qualified name in its file, too: how many these are, and the first ${maxPlaces}, each with its own id. Null where it is alone.`,
      }),
    license: z.string().nullable().meta({
      description:
        'Of a repository, by SPDX: from its manifest or the wording of its licence. Null where it is not known, and of others.',
    }),
    topics: z.array(z.string()).meta({ description: 'Of a repository, by its manifest; of others none.' }),
    commit: commitOfItemSchema.nullable().meta({
      description: 'Of a commit, whose name is its subject, and doc the rest of its message. Null for others.',
    }),
    full_name: z.string().nullable().meta({ description: 'Of its repository: owner/name, where it is known.' }),
    score: z.number().min(0).max(100).meta({
      description: 'Composite: the text, and what is known of the item. An exact name is above everything else.',
    }),
    relevance: z.number().min(0).max(100).meta({ description: 'Of the text alone.' }),
    score_breakdown: z
      .object({
        text: points('How well the text fits, and shortly.'),
        centrality: points('How much of its repository leads to it: PageRank over calls, imports and inheritance.'),
        usage: points('How many other repositories need its repository.'),
        health: points('Of its repository, by due diligence.'),
        recency: points('Of its repository’s last commit.'),
        kind: points('Things before their parts, what is seen from outside before what is not.'),
        penalty: points('0 or less: it is part of tests.'),
        sentence: points(
          'Of three words or more that no item has all of: what its fields, its file and its repository have of them together adds or takes.',
        ),
      })
      .meta({ description: 'What the score is the sum of.' }),
    highlights: z
      .array(
        z.object({
          field: z.enum(['name', 'qualified_name', 'path', 'signature', 'doc']),
          ranges: z.array(z.array(z.int().min(0)).length(2)),
        }),
      )
      .meta({ description: 'Where the words are: from, and before, in UTF-16 units.' }),
  })
  .meta({ id: 'SearchItem' });

const facetsSchema = z
  .partialRecord(z.enum(facetNames), z.array(z.object({ value: z.string(), count: z.int() })))
  .meta({ description: 'The most frequent values among all that match, for each facet asked for.' });

const suggestionSchema = z
  .object({
    text: z.string().meta({ description: 'What is typed, with its last word completed.' }),
    completion: z.string().meta({ description: 'The last word.' }),
    type: searchTypeSchema.nullable().meta({ description: 'Of the best item with this name; null for a qualifier.' }),
  })
  .meta({ id: 'Suggestion' });

function points(description: string) {
  return z.number().meta({ description });
}

const responseSchema = pageOf(itemSchema)
  .extend({
    facets: facetsSchema.optional(),
    left_out: z.array(z.string()).optional().meta({
      description:
        'Given where few items have all words, so that others follow, or none a phrase: parts of words and `"phrases"` that no item has.',
    }),
    hints: z.array(z.string()).optional().meta({
      description:
        'Given where something was read in another way than it may have been meant, or names what is not there.',
    }),
  })
  .meta({ id: 'SearchPage' });
const suggestionsSchema = z.object({ items: z.array(suggestionSchema) }).meta({ id: 'Suggestions' });

/** What `GET /api/search` answers. */
export type SearchAnswer = z.infer<typeof responseSchema>;
/** What `GET /api/search/suggest` answers. */
export type SuggestAnswer = z.infer<typeof suggestionsSchema>;

/** How a search is asked for. */
const searchQuery = {
  q: text(0, 256)
    .default('')
    .meta({ description: 'What to look for; empty finds everything.', examples: ['type:class parse url'] }),
  ...pageQuery,
  cursor: searchCursor,
  sort: z.enum(['composite_score', 'relevance', 'name', 'date']).default('composite_score'),
  order: z.enum(['desc', 'asc']).default('desc').meta({ description: 'Equal items are ordered by name.' }),
  type: list(searchTypeSchema).optional().meta({ description: 'Only items of these types.' }),
  kind: list(text(1, 64)).optional().meta({
    description:
      'Only items of these kinds: `function`, `method`, `class`, `interface`, `struct`, `enum` …; of declared names `constant`, `variable`, `field`, `enum_member`, `type_alias`, `macro`.',
  }),
  repo: list(text(1, 256)).optional().meta({ description: 'Only items of these repositories.' }),
  language: list(text(1, 64)).optional().meta({ description: 'Only items in these languages.' }),
  path: list(text(1, 256))
    .optional()
    .meta({ description: 'Only items whose path has these parts, the last one as far as it is typed.' }),
  framework: list(text(1, 64)).optional().meta({ description: 'Only items of these frameworks.' }),
  license: list(text(1, 64)).optional().meta({
    description:
      'Only repositories under one of these licences, by SPDX: `mit`, `gpl-3.0`, or `gpl` of whichever version.',
  }),
  topic: list(text(1, 64)).optional().meta({ description: 'Only repositories with one of these topics.' }),
  min_score: decimal(0, 100).optional().meta({ description: 'Only items with at least this composite score.' }),
  facets: list(z.enum(facetNames)).optional().meta({ description: 'Count all that match by these.' }),
};

/** The routes of code search. */
export function searchRoutes(viewOf: ViewOf): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/search',
      operation_id: 'search',
      summary: 'Search repositories, functions, classes, declared names, files, people and commits',
      description:
        'Full text over names and properties, best first; sentences also find files by their text. Part of a name, another spelling, a prefix, an acronym (`gUP`) or a fragment of a path is enough. In `q`, `type:class kind:interface repo:koa language:go path:lib framework:express` narrow the search, `license:mit topic:http` that for repositories, `"quoted phrase"` must be found as it stands; a text of three words or more, or one in quotes, that stands in the code leads to the functions and classes around it first; `-word`, `-"a phrase"` and `-type:function` leave out. `type:commit` searches the history instead: messages, paths and the identifiers on changed lines (`type:diff` those alone), narrowed by `author:anna before:2024-05-31 after:"2 weeks ago" message:fix path:src/ repo:koa`; of equal ones the newest are first; they are sorted by date as well, and not by name.',
      access: 'tenant',
      product: 'code-search',
      credits: 1,
      limit: 'search',
      paged: true,
      query: searchQuery,
      response: responseSchema,
      example: {
        items: [
          {
            id: 'payments-api/src/url.ts#parseUrl',
            type: 'Function',
            name: 'parseUrl',
            qualified_name: 'parseUrl',
            repository: 'payments-api',
            full_name: 'acme/payments-api',
            path: 'src/url.ts',
            line: 12,
            kind: 'function',
            language: 'TypeScript',
            signature: 'parseUrl(text: string): URL | null',
            doc: 'Parses an absolute URL; null when it is none.',
            overloads: null,
            license: null,
            topics: [],
            declared: null,
            commit: null,
            score: 83.4,
            relevance: 88,
            score_breakdown: {
              text: 80.9,
              centrality: 1.1,
              usage: 0.2,
              health: 0.3,
              recency: 0.4,
              kind: 0.5,
              penalty: 0,
              sentence: 0,
            },
            highlights: [{ field: 'name', ranges: [[0, 8]] }],
          },
        ],
        total: 1,
        page: 1,
        page_size: 20,
        total_pages: 1,
      },
      handle: async ({ caller, query }) => {
        const view = await viewOf(caller);
        const { names } = view;
        const { q, type, kind, repo, language, framework, license, topic, path, min_score, facets, sort, order } =
          query;
        const typed = typedQuery(q);
        const { text, phrases, without, excluded } = typed;
        const types = both(type, typed.types);
        if (types?.includes('Commit')) return commitsPage(view, query, types);
        if (sort === 'date') throw sortRefused(sort, 'is of commits: add type:commit');
        const filters = defined({
          types,
          kinds: both(kind, typed.kinds),
          repositories: both(repo, typed.repositories),
          languages: both(language, typed.languages),
          frameworks: both(framework, typed.frameworks),
          licenses: both(license, typed.licenses),
          topics: both(topic, typed.topics),
          paths: path || typed.paths ? [...(path ?? []), ...(typed.paths ?? [])] : undefined,
          minScore: min_score,
        });
        const place = placeOf(query);
        const wanted = {
          text,
          ...defined({ phrases, without, excluded, facets }),
          ...filters,
          sort,
          order,
          ...place,
        };
        const found = await searchWithQuoted(view, { box: q, typed, wanted });
        const hints = [...(typed.hints ?? []), ...hintsOn(filters, { names, isEmpty: found.total === 0 })];
        const { next_cursor: _, ...page } = envelope(
          found.hits.map((hit) => itemOf(hit, names)),
          found.total,
          { page: Math.floor(place.offset / place.limit) + 1, page_size: place.limit },
        );
        return {
          ...page,
          ...nextPlace(found, place),
          ...(facets === undefined ? {} : { facets: found.facets }),
          ...(found.leftOut === null ? {} : { left_out: [...found.leftOut] }),
          ...(hints.length === 0 ? {} : { hints }),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/api/search/suggest',
      operation_id: 'suggest',
      summary: 'Complete what is typed into the search box',
      description:
        'Ways to complete the last word of `q`: names, parts of names, or the values of `type:`, `kind:`, `repo:` and `language:`.',
      access: 'tenant',
      product: 'code-search',
      credits: 0,
      limit: 'search',
      query: {
        q: text(0, 256).meta({ description: 'As typed so far.', examples: ['type:class pars'] }),
        limit: integer(1, 20).default(10).meta({ description: 'At most so many.' }),
      },
      response: suggestionsSchema,
      example: { items: [{ text: 'type:class Parser', completion: 'Parser', type: 'Class' }] },
      handle: async ({ caller, query: { q, limit } }) => {
        const { search } = await viewOf(caller);
        return { items: await suggest(search, q, limit) };
      },
    }),
    exportRoute(viewOf),
  ];
}

/** A page of commits. */
async function commitsPage(view: View, query: z.output<z.ZodObject<typeof searchQuery>>, types: readonly SearchType[]) {
  const { q, repo, path, min_score, facets, sort, order } = query;
  if (sort === 'name') throw sortRefused(sort, 'is not of commits: it is composite_score, relevance or date');
  // What no commit has a value of leaves none.
  const foreign = (['kind', 'language', 'framework', 'license', 'topic'] as const).filter(
    (name) => query[name] !== undefined,
  );
  const place = placeOf(query);
  const limit = foreign.length > 0 ? 0 : place.limit;
  const found = await searchCommits(
    view,
    q,
    { repositories: foreign.length > 0 ? [] : repo, paths: path, minScore: min_score },
    {
      sort: sort === 'date' ? 'date' : 'fit',
      order,
      offset: place.offset,
      limit,
      after: placeFromCursor(place.after),
      withFacet: facets?.includes('repo') ?? false,
    },
    new Date(),
  );
  const hints = [
    ...(types.length > 1 ? ['The history is searched alone: other types than Commit were left out.'] : []),
    ...foreign.map((name) => `No commit has a ${name}: leave that parameter out.`),
    ...found.hints,
  ];
  const { next_cursor: _, ...page } = envelope(
    found.hits.map((hit) => itemOfCommit(hit, view.names)),
    found.total,
    { page: Math.floor(place.offset / place.limit) + 1, page_size: place.limit },
  );
  const counts = {
    ...(facets?.includes('type') ? { type: found.total === 0 ? [] : [{ value: 'Commit', count: found.total }] } : {}),
    ...(facets?.includes('repo') ? { repo: [...found.byRepository] } : {}),
  };
  return {
    ...page,
    ...nextPlace({ hits: found.hits, total: found.total, end: placeInCursor(found.end) }, place),
    ...(facets === undefined ? {} : { facets: counts }),
    ...(found.leftOut === null ? {} : { left_out: found.leftOut }),
    ...(hints.length === 0 ? {} : { hints }),
  };
}

function sortRefused(sort: string, why: string): HttpError {
  const detail = `${sort} ${why}`;
  return new HttpError(problems.validation_error, {
    members: { errors: [{ in: 'query', name: 'sort', pointer: null, code: 'not_in_enum', detail }] },
  });
}

function itemOfCommit(
  { repository, subject, body, relevance, highlights, commit }: CommitHit,
  { fullNameOf }: Pick<View['names'], 'fullNameOf'>,
): z.infer<typeof itemSchema> {
  return {
    id: `${repository}@${commit.id}`,
    type: 'Commit',
    name: subject,
    qualified_name: null,
    repository,
    full_name: fullNameOf(repository),
    path: null,
    line: null,
    kind: null,
    language: null,
    signature: null,
    doc: body === '' ? null : body,
    license: null,
    topics: [],
    declared: null,
    overloads: null,
    commit,
    score: relevance,
    relevance,
    score_breakdown: {
      text: relevance,
      centrality: 0,
      usage: 0,
      health: 0,
      recency: 0,
      kind: 0,
      penalty: 0,
      sentence: 0,
    },
    highlights,
  };
}

/** What a parameter and the search box both let through. */
function both<T extends string>(one: readonly T[] | undefined, other: readonly T[] | undefined) {
  if (one === undefined || other === undefined) return one ?? other;
  const small = new Set(other.map((each) => each.toLowerCase()));
  return one.filter((each) => small.has(each.toLowerCase()));
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the members that are undefined. */
function defined<T extends Partial<Record<keyof SearchQuery, unknown>>>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}

function itemOf(
  { document, score, relevance, breakdown, highlights }: SearchHit,
  { fullNameOf }: Pick<View['names'], 'fullNameOf'>,
): z.infer<typeof itemSchema> {
  const { id, type, name, qualified_name, repository, path, line, kind, language, signature, doc } = document;
  const full_name = repository === null ? null : fullNameOf(repository);
  const item = { id, type, name, qualified_name, repository, full_name, path, line, kind, language, signature, doc };
  const { license = null, topics = [], declared = null, overloads = null } = document;
  return {
    ...item,
    license,
    topics,
    declared,
    overloads,
    commit: null,
    score,
    relevance,
    score_breakdown: breakdown,
    highlights,
  };
}

/** On values of filters that nothing has: a search that they leave empty would not say why. */
function hintsOn(
  { repositories = [], languages = [] }: SearchFilters,
  { names, isEmpty }: { names: Names; isEmpty: boolean },
): string[] {
  const unknown = repositories.filter((name) => !names.has(names.keyOf(name)));
  return [
    ...unknown.map((name) => `No repository is named ${JSON.stringify(name)}; GET /api/repositories lists them.`),
    ...(isEmpty && languages.length > 0
      ? [`Nothing of this is in ${languages.join(' or ')}; facets=language lists the languages that there are.`]
      : []),
  ];
}
