import { useEffect } from 'preact/hooks';
import { hrefOf } from '../router.ts';
import { mainViews } from '../views/index.ts';
import { Empty } from './empty.tsx';

/** Says that the address names no view, and where one can go. */
export function Nowhere() {
  useEffect(() => {
    document.title = 'No such view - Repository Intelligence';
  }, []);
  return (
    <Empty title="No such view" isPage>
      <p>There is nothing at this address. There are:</p>
      <p class="row">
        {mainViews.map(({ id, title }) => (
          <a key={id} href={hrefOf(id)}>
            {title}
          </a>
        ))}
      </p>
    </Empty>
  );
}
