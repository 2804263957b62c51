import { useEffect, useState } from 'preact/hooks';

/** Where the page is: `#/graph?focus=koa`. What is behind the hash never leaves the browser. */
export interface Location {
  view: string;
  query: URLSearchParams;
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Goes somewhere; without a view, stays and changes the query: what is null, undefined or empty is left out. */
export type Navigate = (to: { view?: string; query?: Query; replace?: boolean }) => void;

/** The address of a view. */
export function hrefOf(view: string, query: Query = {}): string {
  const set = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const search = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
  return `#/${view}${search === '' ? '' : `?${search}`}`;
}

function locationOf(hash: string): Location {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return { view: path, query: new URLSearchParams(search) };
}

export const navigate: Navigate = ({ view, query = {}, replace = false }) => {
  const href = hrefOf(view ?? locationOf(location.hash).view, query);
  if (href === location.hash) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', href);
  // History tells nobody of its own changes.
  dispatchEvent(new Event('hashchange'));
};

/** Where the page is now. */
export function useLocation(): Location {
  const [current, setCurrent] = useState(() => locationOf(location.hash));
  useEffect(() => {
    const follow = () => setCurrent(locationOf(location.hash));
    addEventListener('hashchange', follow);
    addEventListener('popstate', follow);
    return () => {
      removeEventListener('hashchange', follow);
      removeEventListener('popstate', follow);
    };
  }, []);
  return current;
}
