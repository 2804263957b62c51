/** One change that callers can notice. */
export interface ChangelogEntry {
  id: string;
  /** When it was announced; the day, UTC. */
  date: string;
  type: 'added' | 'changed' | 'deprecated' | 'removed' | 'fixed' | 'security';
  /** Clients may have to change: announced at least 14 days before `effective_at`. */
  breaking: boolean;
  /** RFC 3339, UTC. */
  effective_at: string;
  /** Slugs. */
  products: string[];
  title: string;
  /** Markdown. */
  body: string;
}

/** All announced changes, the newest first. */
export const changelogEntries: readonly ChangelogEntry[] = [
  {
    id: '2026-11-24-neighbors-once',
    date: '2026-11-24',
    type: 'changed',
    breaking: true,
    effective_at: '2026-12-08T00:00:00.000Z',
    products: ['code-graph', 'code-search', 'dd-deep', 'dd-executive', 'dd-factors'],
    title: 'Each neighbor once, and values that have grown',
    body: [
      '- `GET /api/graph/neighbors/{name}` has each neighbor once: `edge_type`, `direction`, `weight`, `confidence` and `strategy`, which an item had for its one edge, are members of each of its `edges` (`edge_type` is `type` there), and `total_neighbors` counts neighbors.',
      '- `GET /api/graph` has 100 nodes on a page unless told, and at most as many edges as `page_size`; `next_cursor` leads on.',
      '- `GET /api/dd/executive`, `/api/dd/deep` and `/api/dd/factors/{factor_id}` have `repositories` in pages, 100, 30 and 1,000 unless told (`page`, `page_size`, `total_repositories`), and the heat map of those on the page. `GET /api/graph/map` has 2,500 repositories and 3,000 links at most, with their totals.',
      '- Some members have values they did not have: `type` of `GET /api/search` and `GET /api/search/suggest` (`Declaration`, `File`, and `Commit` where `type:commit` asks for it), facets of search (`kind`), and `reason` of what could not be measured (`report_incomplete`, `code_elsewhere`: all of `/api/dd`, as `GET /api/dd/factors` lists it).',
      '- Reports have a format more, `csv_zip`: `POST /v1/reports` takes it, and `GET /v1/reports`, `GET /v1/reports/{report_id}` and `GET /v1/reports/types` name it in `format` and `formats`, also to who never asks for it.',
    ].join('\n'),
  },
  {
    id: '2026-11-21-public-beta',
    date: '2026-11-21',
    type: 'added',
    breaking: false,
    effective_at: '2026-11-21T00:00:00.000Z',
    products: ['dd-executive', 'dd-deep', 'dd-factors', 'code-graph', 'code-search', 'benchmark'],
    title: 'Public beta',
    body: 'Six products are live and ten are announced. Calls are counted and nothing is charged.',
  },
];
