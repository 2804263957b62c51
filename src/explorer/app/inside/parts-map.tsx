import { hierarchy, treemap } from 'd3-hierarchy';
import { useMemo, useRef } from 'preact/hooks';
import type { HierarchyAnswer } from '../../../graph/hierarchy.ts';
import { shortened } from '../charts/shortened.ts';
import { useSize } from '../charts/use-size.ts';
import { format } from '../format.ts';
import type { Layer, Place } from './layers.ts';
import { hrefOfPart } from './part-address.ts';

type Part = HierarchyAnswer['parts'][number];
type Edge = HierarchyAnswer['edges'][number];

const head = 20;
/** More names than these nobody reads. */
const maxNames = 60;

interface Tile {
  part: Part;
  x: number;
  y: number;
  width: number;
  height: number;
  inner: { part: Part['inside'][number]; x: number; y: number; width: number; height: number }[];
}

/** Parts as containers with what is in them; what the one that is pointed at refers to, and who refers to it, is drawn over them. */
export function PartsMap({
  shown,
  layer,
  address,
  allEdges,
  pointed,
  onPoint,
}: {
  shown: HierarchyAnswer;
  layer: Layer;
  address: object;
  /** All at once, and not only those of the part that is pointed at. */
  allEdges: boolean;
  /** The part that is pointed at, here or beside the map. */
  pointed: string | null;
  onPoint: (id: string | null) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(box);
  const tiles = useMemo(() => (width === 0 ? [] : layOut(shown.parts, width, height)), [shown, width, height]);
  const named = namesOf(tiles);
  const byId = new Map(tiles.map((tile) => [tile.part.id, tile]));
  const edges = shown.edges.filter(({ from, to }) => from === pointed || to === pointed);
  const drawn = pointed === null && allEdges ? shown.edges.slice(0, maxEdges) : edges;
  const name = shown.around.at(-1)?.name ?? shown.repository;
  return (
    <>
      <div class="parts" ref={box}>
        {tiles.length > 0 && (
          <svg viewBox={`0 0 ${width} ${height}`} role="group" aria-label="What is inside, as a map">
            {tiles.map(({ part, inner, ...place }) => {
              const says = saysOf(part, layer.says(part) ?? '');
              return (
                <a
                  key={part.id}
                  href={hrefOfPart(shown.repository, part, address)}
                  aria-label={says}
                  class={['part', part.cycle !== null && 'cyclic', part.id === pointed && 'pointed']
                    .filter(Boolean)
                    .join(' ')}
                  onPointerEnter={() => onPoint(part.id)}
                  onPointerLeave={() => onPoint(null)}
                  onFocus={() => onPoint(part.id)}
                  onBlur={() => onPoint(null)}
                >
                  <title>{says}</title>
                  {/* What is a container is coloured by what it holds. */}
                  <rect class="tile" {...(inner.length === 0 ? painted(layer, part) : {})} {...place} />
                  {inner.map(({ part: each, ...place }) => (
                    <rect key={each.id} class="inner" {...painted(layer, each)} {...place} />
                  ))}
                  {layer.isMarked?.(part) ? (
                    <circle class="mark" cx={place.x + place.width - 10} cy={place.y + 10} r={4} />
                  ) : (
                    inner.map(({ part: each, ...place }) => layer.isMarked?.(each) && <Mark key={each.id} {...place} />)
                  )}
                </a>
              );
            })}
            {/* Cut to the room they have, so no names for who hears them: those are the labels of the links. */}
            <g class="part-names" aria-hidden="true">
              {tiles.map(({ part, inner, ...place }) => [
                named.has(part.id) && (
                  <text
                    key={part.id}
                    class={inner.length === 0 && layer.paintOf(part)?.isDeep ? 'name on-deep' : 'name'}
                    x={place.x + 6}
                    y={place.y + 14}
                  >
                    {shortened(
                      `${part.cycle === null ? '' : '↻ '}${part.name}`,
                      place.width - (layer.isMarked?.(part) ? 26 : 12),
                    )}
                  </text>
                ),
                inner.map(
                  (each) =>
                    named.has(each.part.id) && (
                      <text
                        key={each.part.id}
                        class={layer.paintOf(each.part)?.isDeep ? 'on-deep' : undefined}
                        x={each.x + 5}
                        y={each.y + 14}
                      >
                        {shortened(each.part.name, each.width - 8)}
                      </text>
                    ),
                ),
              ])}
            </g>
            <g class="references-over">
              {drawn.map(({ from, to, ...edge }) => {
                const [a, b] = [byId.get(from), byId.get(to)];
                if (a === undefined || b === undefined) return null;
                const [start, end] = [middleOf(a), middleOf(b)];
                return (
                  <path
                    key={`${from} ${to}`}
                    class={[
                      to === pointed ? 'in' : 'out',
                      a.part.cycle !== null && a.part.cycle === b.part.cycle && 'cyclic',
                    ]
                      .filter(Boolean)
                      .join(' ')}
                    d={`M${start.x} ${start.y} Q${(start.x + end.x) / 2 - (end.y - start.y) * 0.15} ${(start.y + end.y) / 2 + (end.x - start.x) * 0.15} ${end.x} ${end.y}`}
                    stroke-width={1 + Math.log2(1 + weightOf(edge)) / 2}
                  />
                );
              })}
            </g>
          </svg>
        )}
      </div>
      <p class="told quiet" role="status">
        {pointed === null
          ? 'Point at a part to see what it uses and what uses it.'
          : [
              toldOf(
                'uses',
                edges.filter(({ from }) => from === pointed),
                ({ to }) => byId.get(to)?.part.name,
              ),
              toldOf(
                'used by',
                edges.filter(({ to }) => to === pointed),
                ({ from }) => byId.get(from)?.part.name,
              ),
            ].join('; ')}
      </p>
      <p class="row pictures quiet on-screen">
        Picture as
        {(['svg', 'png'] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            class="plain"
            aria-label={`Picture as ${kind.toUpperCase()}`}
            onClick={() => {
              const svg = box.current?.querySelector('svg');
              if (svg) void import('../picture.ts').then(({ savePicture }) => savePicture(svg, name, kind));
            }}
          >
            {kind.toUpperCase()}
          </button>
        ))}
      </p>
    </>
  );
}

/** More lines than these are a tangle. */
const maxEdges = 80;
/** So many are told in a line, the heaviest first. */
const toldAtOnce = 5;

/** `uses app.py (9), cli.py (3)`. */
function toldOf(verb: string, edges: readonly Edge[], nameOf: (edge: Edge) => string | undefined): string {
  if (edges.length === 0) return `${verb} nothing here`;
  const told = edges.slice(0, toldAtOnce).map((edge) => `${nameOf(edge)} (${format.whole(weightOf(edge))})`);
  return `${verb} ${told.join(', ')}${edges.length > toldAtOnce ? ` and ${edges.length - toldAtOnce} more` : ''}`;
}

function painted(layer: Layer, place: Place) {
  const paint = layer.paintOf(place);
  return paint === null
    ? { 'data-unknown': true }
    : { style: { '--layer': `var(${paint.color})`, '--layer-share': `${Math.round(100 * paint.share)}%` } };
}

/** In the lower right corner, where no name stands. */
function Mark({ x, y, width, height }: { x: number; y: number; width: number; height: number }) {
  const radius = Math.min(4, width / 4, height / 4);
  return <circle class="mark" cx={x + width - radius - 3} cy={y + height - radius - 3} r={radius} />;
}

const middleOf = ({ x, y, width, height }: Tile) => ({ x: x + width / 2, y: y + height / 2 });

/** Of both kinds together. */
export const weightOf = ({ calls, inherits }: Pick<Edge, 'calls' | 'inherits'>) => calls + inherits;

const saysOf = ({ name, kind, lines, symbols, cycle }: Part, heat: string) =>
  [
    `${name}, ${kind}`,
    format.count(lines, 'line'),
    kind !== 'function' && format.count(symbols, 'symbol'),
    heat,
    cycle !== null && `in cycle ${cycle}`,
  ]
    .filter(Boolean)
    .join(', ');

/** The largest that have room. */
function namesOf(tiles: readonly Tile[]): ReadonlySet<string> {
  const all = tiles.flatMap(({ part, width, height, inner }) => [
    { id: part.id, width, height, area: 4 * width * height },
    ...inner.map(({ part: { id }, width, height }) => ({ id, width, height, area: width * height })),
  ]);
  return new Set(
    all
      .filter(({ width, height }) => width > 48 && height > 20)
      .sort((a, b) => b.area - a.area)
      .slice(0, maxNames)
      .map(({ id }) => id),
  );
}

interface Branch {
  part?: Part;
  inner?: Part['inside'][number];
  lines: number;
  children?: Branch[];
}

function layOut(parts: readonly Part[], width: number, height: number): Tile[] {
  const root: Branch = {
    lines: 0,
    children: parts.map((part) => ({
      part,
      lines: part.inside.length === 0 ? Math.max(1, part.lines) : 0,
      children: part.inside.map((inner) => ({ inner, lines: Math.max(1, inner.lines) })),
    })),
  };
  const laid = treemap<Branch>()
    .size([width, height])
    .paddingInner(3)
    .paddingOuter(4)
    .paddingTop((node) => (node.depth === 0 ? 4 : head))
    .round(true)(hierarchy(root).sum(({ lines }) => lines));
  return (laid.children ?? []).flatMap(({ data: { part }, x0, y0, x1, y1, children = [] }) =>
    part === undefined
      ? []
      : [
          {
            part,
            x: x0,
            y: y0,
            width: x1 - x0,
            height: y1 - y0,
            inner: children.flatMap(({ data: { inner }, x0, y0, x1, y1 }) =>
              inner === undefined ? [] : [{ part: inner, x: x0, y: y0, width: x1 - x0, height: y1 - y0 }],
            ),
          },
        ],
  );
}
