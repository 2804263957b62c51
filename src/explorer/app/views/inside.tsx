import { useEffect, useState } from 'preact/hooks';
import type { RepositoryPackage } from '../../../due-diligence/deep.ts';
import type { HierarchyAnswer } from '../../../graph/hierarchy.ts';
import { Answered } from '../components/answered.tsx';
import { Empty } from '../components/empty.tsx';
import { Table } from '../components/table.tsx';
import type { Column } from '../components/table.tsx';
import { format, unknown } from '../format.ts';
import { DependencyMatrix } from '../inside/dependency-matrix.tsx';
import { HotspotList } from '../inside/hotspot-list.tsx';
import { layerIdOf, layersOf } from '../inside/layers.ts';
import type { Layer, Legend, Place } from '../inside/layers.ts';
import { hrefOfPart } from '../inside/part-address.ts';
import { PartsMap } from '../inside/parts-map.tsx';
import { hrefOf } from '../router.ts';
import type { Query } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import type { Asked } from '../use-answer.ts';
import type { ViewProps } from './index.ts';
import '../charts/charts.css';
import './inside.css';

const forms = { map: 'Treemap', matrix: 'Dependency matrix', table: 'Table' } as const;

/** A repository from the inside, level by level: as a map, a matrix of dependencies, or a table. */
export function InsideView({ api, query, navigate }: ViewProps) {
  const repository = query.get('repo');
  const at = query.get('at');
  const name = encodeURIComponent(repository ?? '');
  const asked = useAnswer<HierarchyAnswer>(api, repository === null ? null : `/api/graph/hierarchy/${name}`, { at });
  // Without due diligence there is a map all the same.
  const measured = useAnswer<RepositoryPackage>(api, repository === null ? null : `/api/dd/deep/${name}`);
  const layers = layersOf(measured.answer?.hotspots ?? null, asked.answer);
  const layerId = layerIdOf(query.get('layer'), layers, asked.isLoading || measured.isLoading);
  const layer = Object.hasOwn(layers, layerId) ? layers[layerId] : layers['none'];
  const allEdges = query.get('edges') === 'all';
  const form = query.get('as') ?? 'map';
  // A table has a column for each layer, so it waits for all of them; a map is coloured when they come.
  const isAwaited = form === 'table' && measured.isLoading;
  const address = { layer: query.get('layer'), as: query.get('as'), edges: query.get('edges') };
  const change = (to: Query) => navigate({ query: { ...Object.fromEntries(query), ...to } });
  const title = `${repository ?? ''}${at === null ? '' : `/${at}`}`;
  useEffect(() => {
    document.title = `${title} - Repository Intelligence`;
  }, [title]);
  if (repository === null || asked.error?.status === 404)
    return (
      <Empty title="There is nothing to show" isPage>
        <p>{asked.error?.message ?? 'No repository is named in the address.'}</p>
        <p>
          <a href={hrefOf('graph')}>All repositories</a>
        </p>
      </Empty>
    );
  return (
    <div class="wide inside">
      <nav aria-label="Where this is" class="row">
        <a href={hrefOf('graph', { node: repository })}>All repositories</a>
        <span aria-hidden="true">›</span>
        <a href={hrefOf('inside', { repo: repository, ...address })}>{repository}</a>
        {asked.answer?.around.map((each, index, all) => [
          <span key={`${each.id} before`} aria-hidden="true">
            ›
          </span>,
          <a
            key={each.id}
            href={hrefOf('inside', { repo: repository, at: each.id, ...address })}
            aria-current={index === all.length - 1 ? 'page' : undefined}
          >
            {each.name}
          </a>,
        ])}
      </nav>
      <h1>
        <bdi>{asked.answer?.around.at(-1)?.name ?? repository}</bdi>
      </h1>
      <div class="row options">
        {Object.entries(forms).map(([id, title]) => (
          <button key={id} type="button" aria-pressed={form === id} onClick={() => change({ as: id })}>
            {title}
          </button>
        ))}
        {form === 'map' && (
          <label>
            Colour by{' '}
            <select value={layerId} onChange={({ currentTarget }) => change({ layer: currentTarget.value })}>
              {Object.entries(layers).map(([id, { title }]) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        )}
        {form === 'map' && (
          <label>
            <input
              type="checkbox"
              checked={allEdges}
              onChange={({ currentTarget }) => change({ edges: currentTarget.checked ? 'all' : null })}
            />{' '}
            Dependencies
          </label>
        )}
        <CodeLinks repository={repository} at={at} />
      </div>
      <Answered asked={isAwaited ? { ...asked, answer: null } : asked} lines={16}>
        {(shown) => (
          <Level
            shown={shown}
            form={form}
            layer={layer}
            address={address}
            allEdges={allEdges}
            layers={layers}
            measured={measured}
          />
        )}
      </Answered>
    </div>
  );
}

/** The text of what is shown the inside of. */
function CodeLinks({ repository, at }: { repository: string; at: string | null }) {
  if (at === null || at.endsWith('/')) return null;
  return (
    <a href={at.includes('#') ? hrefOf('code', { symbol: at }) : hrefOf('code', { repo: repository, path: at })}>
      Its code
    </a>
  );
}

type Part = HierarchyAnswer['parts'][number];

/** What the colours stand for. */
function LayerLegend({
  title,
  legend,
  isPartly,
}: {
  title: string;
  legend: Legend;
  /** Of some parts there is no figure. */
  isPartly: boolean;
}) {
  return (
    <p class="heat-legend quiet">
      {legend.kind === 'scale' ? (
        <>
          <span>{legend.pale}</span>
          <span class="scale" aria-hidden="true" />
          <span>{legend.red}</span>
          {legend.note && <span>({legend.note})</span>}
        </>
      ) : (
        <>
          {legend.people.map(({ color, name, note }) => (
            <span key={color} class="person">
              <span class="swatch" aria-hidden="true" style={{ '--layer': `var(${color})` }} />
              <span>
                <bdi>{name}</bdi>
                {note && ` (${note})`}
              </span>
            </span>
          ))}
          <span class="person">
            <span class="mark" aria-hidden="true" />
            {legend.mark}
          </span>
        </>
      )}
      {isPartly && (
        <span class="person">
          <span class="unknown" aria-hidden="true" />
          not known
        </span>
      )}
      <span class="unseen">({title})</span>
    </p>
  );
}

function Level({
  shown,
  form,
  layer,
  address,
  allEdges,
  layers,
  measured,
}: {
  shown: HierarchyAnswer;
  form: string;
  layer: Layer | undefined;
  address: object;
  allEdges: boolean;
  layers: Record<string, Layer>;
  measured: Asked<RepositoryPackage>;
}) {
  const [pointed, setPointed] = useState<string | null>(null);
  const columns = Object.entries(layers).filter(([, { legend }]) => legend !== null);
  const { parts, total_parts: total, edges, truncated, repository } = shown;
  const cycles = new Set(parts.flatMap(({ cycle }) => cycle ?? []));
  if (parts.length === 0 || layer === undefined)
    return (
      <Empty title="Nothing is inside">
        <p>No functions or classes were found here.</p>
      </Empty>
    );
  return (
    <>
      <p class="quiet" role="status">
        {total > parts.length
          ? `The largest ${parts.length} of ${format.whole(total)} parts`
          : format.count(total, 'part')}
        , {format.count(edges.length, 'dependency', 'dependencies')} between them
        {cycles.size > 0 && `, ${format.count(cycles.size, 'cycle')} (↻)`}.
        {truncated && ' The repository is so large that not all of it is in this.'}
      </p>
      {/* Its room, so that the map stays where it is when it comes. */}
      {form === 'map' && layer.legend === null && measured.isLoading && <p class="heat-legend" />}
      {form === 'map' && layer.legend !== null && (
        <LayerLegend
          title={layer.title}
          legend={layer.legend}
          isPartly={parts
            .flatMap((part) => (part.inside.length === 0 ? part : part.inside))
            .some((part: Place) => layer.paintOf(part) === null)}
        />
      )}
      {form === 'map' && (
        <div class="map-and-list">
          <div>
            <PartsMap
              shown={shown}
              layer={layer}
              address={address}
              allEdges={allEdges}
              pointed={pointed}
              onPoint={setPointed}
            />
          </div>
          {(shown.at === '' || shown.at.endsWith('/')) && (
            <HotspotList
              asked={measured}
              repository={repository}
              at={shown.at}
              onPoint={(path) =>
                setPointed(
                  parts.find(({ id }) => id === path || (id.endsWith('/') && path?.startsWith(id)))?.id ?? null,
                )
              }
            />
          )}
        </div>
      )}
      {form === 'matrix' && <DependencyMatrix shown={shown} address={address} />}
      {form === 'table' && (
        <Table
          caption="Parts"
          columns={[
            {
              id: 'name',
              title: 'Part',
              isHead: true,
              cell: (part) => <a href={hrefOfPart(repository, part, address)}>{part.name}</a>,
            },
            { id: 'kind', title: 'What', cell: ({ kind }) => kind },
            { id: 'lines', title: 'Lines', align: 'end', cell: ({ lines }) => format.whole(lines) },
            { id: 'symbols', title: 'Symbols', align: 'end', cell: ({ symbols }) => format.whole(symbols) },
            ...columns.map(([id, { title, valueOf, cell, legend }]): Column<Part> => ({
              id,
              title: `${title.slice(0, 1).toUpperCase()}${title.slice(1)}`,
              ...(legend?.kind === 'scale' && { align: 'end' }),
              value: valueOf,
              cell: (part) => cell(part) ?? unknown,
            })),
            { id: 'cycle', title: 'Cycle', align: 'end', cell: ({ cycle }) => cycle },
          ]}
          rows={parts}
          keyOf={({ id }) => id}
        />
      )}
    </>
  );
}
