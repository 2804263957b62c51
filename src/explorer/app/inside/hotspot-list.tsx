import type { RepositoryPackage } from '../../../due-diligence/deep.ts';
import { hrefOfPlace } from '../code/address.ts';
import { Answered } from '../components/answered.tsx';
import { format } from '../format.ts';
import type { Asked } from '../use-answer.ts';

/** So many are in sight beside the map. */
const maxShown = 12;

/** The files that are changed most where they are most complex, with their figures, beside the map that has their places. */
export function HotspotList({
  asked,
  repository,
  at,
  onPoint,
}: {
  asked: Asked<RepositoryPackage>;
  repository: string;
  /** The folder that is shown; empty at the root. */
  at: string;
  /** The file that is pointed at, or null once none is. */
  onPoint: (path: string | null) => void;
}) {
  return (
    <aside class="hotspot-list" aria-label="Hotspots">
      <h2>Hotspots</h2>
      <Answered asked={asked} lines={maxShown}>
        {({ hotspots }) => {
          const all = (hotspots ?? []).filter(({ path, changes_12m: changes }) => changes > 0 && path.startsWith(at));
          if (hotspots === null || all.length === 0)
            return <p class="quiet">{hotspots === null ? 'Not known.' : 'Nothing here was changed in 12 months.'}</p>;
          return (
            <>
              <ol>
                {all.slice(0, maxShown).map(({ path, changes_12m: changes, complexity, people_12m: people, test }) => (
                  <li
                    key={path}
                    onPointerEnter={() => onPoint(path)}
                    onPointerLeave={() => onPoint(null)}
                    onFocusIn={() => onPoint(path)}
                    onFocusOut={() => onPoint(null)}
                  >
                    <a href={hrefOfPlace(repository, path, null)}>{path.slice(at.length)}</a>
                    <span class="quiet">
                      {format.count(changes, 'change')} × complexity {format.whole(complexity)},{' '}
                      {format.count(people, 'author')}
                      {test && ', test'}
                    </span>
                  </li>
                ))}
              </ol>
              <p class="quiet">
                Changes in 12 months, complexity of all functions; tests after production.
                {all.length > maxShown && ` The first ${maxShown} of ${format.whole(all.length)}.`}
              </p>
            </>
          );
        }}
      </Answered>
    </aside>
  );
}
