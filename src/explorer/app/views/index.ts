import type { ComponentType } from 'preact';
import type { Api } from '../api.ts';
import type { Navigate } from '../router.ts';

/** What every view is given. */
export interface ViewProps {
  api: Api;
  /** Of the address. */
  query: URLSearchParams;
  navigate: Navigate;
}

export interface View {
  id: string;
  title: string;
  /** Pressed after `g`. */
  key?: string;
  /** Reached from this one, and not in the navigation. */
  parent?: string;
  load: () => Promise<ComponentType<ViewProps>>;
}

/** All views, in the order of the navigation; the first is where one begins. */
export const views: readonly View[] = [
  { id: 'graph', title: 'Map', key: 'g', load: async () => (await import('./graph.tsx')).GraphView },
  {
    id: 'inside',
    title: 'Inside a repository',
    parent: 'graph',
    load: async () => (await import('./inside.tsx')).InsideView,
  },
  { id: 'search', title: 'Search', key: 's', load: async () => (await import('./search.tsx')).SearchView },
  {
    id: 'code',
    title: 'Code',
    parent: 'search',
    load: async () => (await import('./code.tsx')).CodeView,
  },
  {
    id: 'portfolio',
    title: 'Due diligence',
    key: 'd',
    load: async () => (await import('./due-diligence.tsx')).DueDiligenceView,
  },
  {
    id: 'repository',
    title: 'Repository',
    parent: 'portfolio',
    load: async () => (await import('./repository.tsx')).RepositoryView,
  },
  {
    id: 'compare',
    title: 'Compare',
    parent: 'portfolio',
    load: async () => (await import('./compare.tsx')).CompareView,
  },
  {
    id: 'benchmark',
    title: 'Benchmark',
    key: 'b',
    load: async () => (await import('./benchmark.tsx')).BenchmarkView,
  },
  {
    id: 'task',
    title: 'Benchmark task',
    parent: 'benchmark',
    load: async () => (await import('./benchmark-task.tsx')).BenchmarkTaskView,
  },
  {
    id: 'attempt',
    title: 'Benchmark attempt',
    parent: 'benchmark',
    load: async () => (await import('./attempt.tsx')).AttemptView,
  },
  { id: 'news', title: 'News', key: 'n', load: async () => (await import('./news.tsx')).NewsView },
  { id: 'saved', title: 'Saved', key: 'v', load: async () => (await import('./saved.tsx')).SavedView },
  {
    id: 'view',
    title: 'Shared view',
    parent: 'saved',
    load: async () => (await import('./shared-view.tsx')).SharedView,
  },
  { id: 'usage', title: 'Usage', key: 'u', load: async () => (await import('./usage.tsx')).UsageView },
];

/** The view that an address names, the first where it names nothing; null where there is none of this name. */
export function viewOf(id: string): View | null {
  return (id === '' ? views[0] : views.find((view) => view.id === id)) ?? null;
}

/** The views that can be gone to from everywhere. */
export const mainViews = views.filter(({ parent }) => parent === undefined);
