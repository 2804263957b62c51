import type { ComponentChildren } from 'preact';
import type { PortfolioSummary } from '../../../due-diligence/executive.ts';
import type { NeighborsAnswer } from '../../../graph/neighbors.ts';
import type { ReferencesAnswer } from '../../../graph/references.ts';
import type { Api } from '../api.ts';
import { hrefOfNode } from '../code/address.ts';
import { Answered } from '../components/answered.tsx';
import { Grade } from '../components/grade.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import { titleOf } from '../words.ts';
import { Finder } from './finder.tsx';
import { PathSection } from './path-section.tsx';

type Neighbor = NeighborsAnswer['neighbors'][number];
type Edge = Neighbor['edges'][number];

/** Where who chose a repository by keys goes on. */
export const panelHead = 'panel-head';

const shownAtOnce = 30;
/** So many contributors, those with the most commits: the map is of code. */
const maxPeople = 8;
const betweenCode = 'DEPENDS_ON,IMPORTS,CALLS,INHERITS';

/** What the map knows of the grades of a repository. */
export type Graded = Pick<
  PortfolioSummary['repositories'][number],
  'repo' | 'score' | 'grade' | 'loc_code' | 'dimensions'
>;

const titles: Record<Edge['direction'], Partial<Record<Edge['type'], string>>> = {
  in: {
    DEPENDS_ON: 'Needed by',
    IMPORTS: 'Imported by',
    CALLS: 'Called by',
    INHERITS: 'Inherited by',
  },
  out: { DEPENDS_ON: 'Depends on', IMPORTS: 'Imports', CALLS: 'Calls', INHERITS: 'Inherits from' },
};

/** What is known of a repository before it is gone into: its measures, and what is next to it. It waits for no drawing. */
export function RepositoryPanel({
  api,
  id,
  graded,
  to,
  onPath,
  onClose,
}: {
  api: Api;
  id: string;
  graded: Graded | null;
  /** Where the way leads that is asked for. */
  to: string | null;
  onPath: (to: string | null) => void;
  onClose: () => void;
}) {
  const path = `/api/graph/neighbors/${encodeURIComponent(id)}` as const;
  const asked = useAnswer<NeighborsAnswer>(api, path, { edge_types: betweenCode, page_size: 200 });
  return (
    <Frame name={id} onClose={onClose}>
      <dl class="pairs">
        <dt>Grade</dt>
        <dd>
          <Grade grade={graded?.grade ?? null} />{' '}
          {graded?.score != null && <span class="quiet">{format.tenth(graded.score)} of 100</span>}
        </dd>
        <dt>Lines of code</dt>
        <dd>{format.whole(graded?.loc_code)}</dd>
      </dl>
      {graded !== null && (
        <ul class="dimension-grades" aria-label="Grades by dimension">
          {graded.dimensions.map(({ id: dimension, grade }) => (
            <li key={dimension}>
              <Grade grade={grade} /> {titleOf(dimension)}
            </li>
          ))}
        </ul>
      )}
      <p class="row">
        <a href={hrefOf('inside', { repo: id })}>Code map</a>
        <a href={hrefOf('repository', { repo: id })}>Due diligence</a>
      </p>
      <Finder api={api} label="Path to" onFound={(found) => onPath(found.id)} />
      {to !== null && <PathSection api={api} from={id} to={to} onClose={() => onPath(null)} />}
      <Answered asked={asked} lines={6}>
        {({ neighbors, total_neighbors: total }) => (
          <>
            {total === 0 && <p class="quiet">No other repository that is loaded needs it or is needed by it.</p>}
            {[...groupsOf(neighbors)].map(([title, group]) => (
              <section key={title}>
                <h3>
                  {title}{' '}
                  <span class="quiet">
                    {total > neighbors.length && 'at least '}
                    {format.whole(group.length)}
                  </span>
                </h3>
                <ul class="nodes">
                  {group.slice(0, shownAtOnce).map(({ neighbor, weight }) => (
                    <li key={neighbor.id}>
                      <a href={hrefOfNode(neighbor)}>{neighbor.name}</a>
                      {weight > 1 && <span class="quiet">{format.whole(weight)}×</span>}
                    </li>
                  ))}
                </ul>
                {group.length > shownAtOnce && <p class="quiet">and {format.whole(group.length - shownAtOnce)} more</p>}
              </section>
            ))}
            {total > neighbors.length && (
              <p class="quiet">
                The first {format.whole(neighbors.length)} of {format.whole(total)}.
              </p>
            )}
          </>
        )}
      </Answered>
      <Contributors api={api} path={path} />
    </Frame>
  );
}

function Contributors({ api, path }: { api: Api; path: `/${string}` }) {
  const asked = useAnswer<NeighborsAnswer>(api, path, { edge_types: 'CONTRIBUTED_TO', page_size: maxPeople });
  return (
    <Answered asked={asked} lines={4}>
      {({ neighbors, total_neighbors: total }) =>
        total > 0 && (
          <section>
            <h3>
              Contributors <span class="quiet">{format.whole(total)}</span>
            </h3>
            <ul class="nodes">
              {neighbors.map(({ edges, ...neighbor }) => (
                <li key={neighbor.id}>
                  <a href={hrefOfNode(neighbor)}>{neighbor.name}</a>
                  <span class="quiet">{format.count(edges[0]?.weight ?? 0, 'commit')}</span>
                </li>
              ))}
            </ul>
            {total > neighbors.length && <p class="quiet">and {format.whole(total - neighbors.length)} more</p>}
          </section>
        )
      }
    </Answered>
  );
}

/** Which repositories a person worked on. */
export function PersonPanel({ api, id, onClose }: { api: Api; id: string; onClose: () => void }) {
  const asked = useAnswer<ReferencesAnswer>(api, `/api/graph/references/${encodeURIComponent(id)}`, {
    direction: 'out',
    page_size: 200,
  });
  return (
    <Frame name={asked.answer?.node.name ?? 'a contributor'} onClose={onClose}>
      <Answered asked={asked} lines={4}>
        {({ references }) => (
          <section>
            <h3>Contributed to</h3>
            <ul class="nodes">
              {references.map(({ node, weight }) => (
                <li key={node.id}>
                  <a href={hrefOfNode(node)}>{node.name}</a>
                  <span class="quiet">{format.count(weight, 'commit')}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </Answered>
    </Frame>
  );
}

function Frame({ name, onClose, children }: { name: string; onClose: () => void; children: ComponentChildren }) {
  return (
    <aside
      class="panel"
      aria-label={`About ${name}`}
      onKeyDown={({ key, defaultPrevented }) => key === 'Escape' && !defaultPrevented && onClose()}
    >
      <header class="row">
        <h2 id={panelHead} tabIndex={-1}>
          {name}
        </h2>
        <button type="button" class="plain" onClick={onClose} aria-label="Close the panel">
          ✕
        </button>
      </header>
      {children}
    </aside>
  );
}

/** An entry for each edge: who calls and is called stands in two lists. */
function groupsOf(neighbors: readonly Neighbor[]) {
  const all = neighbors.flatMap((neighbor) =>
    neighbor.edges.map(({ type, direction, weight }) => ({
      neighbor,
      weight,
      title: titles[direction][type] ?? 'Next to it',
    })),
  );
  return Map.groupBy(all, ({ title }) => title);
}
