import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Api } from '../api.ts';
import { navigate, useLocation } from '../router.ts';
import { viewOf } from '../views/index.ts';
import type { View, ViewProps } from '../views/index.ts';
import { Failure } from './failure.tsx';
import { Nowhere } from './nowhere.tsx';
import { Skeleton } from './skeleton.tsx';

/** Shows the view that the address names; says so where it names none. */
export function Stage({ api }: { api: Api }) {
  const { view: asked, query } = useLocation();
  const view = viewOf(asked);
  return view === null ? <Nowhere /> : <LoadedView api={api} view={view} query={query} />;
}

/** Loads its code at the first time. */
function LoadedView({ api, view, query }: { api: Api; view: View; query: URLSearchParams }) {
  const [loaded, setLoaded] = useState<{ id: string; Shown: ComponentType<ViewProps> } | null>(null);
  const [failed, setFailed] = useState(false);
  const isFirst = useRef(true);

  useEffect(() => {
    let isWanted = true;
    document.title = `${view.title} - Repository Intelligence`;
    view.load().then(
      (Shown) => isWanted && setLoaded({ id: view.id, Shown }),
      () => isWanted && setFailed(true),
    );
    return () => {
      isWanted = false;
    };
  }, [view]);

  // Who goes to another view by keyboard or with a screen reader begins at its top, or where the view itself has begun.
  useEffect(() => {
    if (loaded === null) return;
    const main = document.getElementById('main');
    if (!isFirst.current && !main?.contains(document.activeElement)) main?.focus({ preventScroll: true });
    isFirst.current = false;
    scrollTo(0, 0);
  }, [loaded]);

  if (failed || loaded?.id !== view.id)
    return (
      <>
        <h1 class="unseen">{view.title}</h1>
        {failed ? (
          <Failure message="This part of the page could not be loaded." again={() => location.reload()} />
        ) : (
          <Skeleton />
        )}
      </>
    );
  return <loaded.Shown key={view.id} api={api} query={query} navigate={navigate} />;
}
