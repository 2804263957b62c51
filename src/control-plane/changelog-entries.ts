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
