import { hierarchy, treemap } from 'd3-hierarchy';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { HierarchyAnswer } from '../../../graph/hierarchy.ts';
import { shortened } from '../charts/shortened.ts';
import { useSize } from '../charts/use-size.ts';
import { format } from '../format.ts';
import type { Layer } from './layers.ts';
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
  inner: { id: string; name: string; x: number; y: number; width: number; height: number }[];
}

/** Parts as containers with what is in them; what the one that is pointed at refers to, and who refers to it, is drawn over them. */
export function PartsMap({ shown, layer, address }: { shown: HierarchyAnswer; layer: Layer; address: object }) {
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(box);
  const [pointed, setPointed] = useState<string | null>(null);
  const tiles = useMemo(() => (width === 0 ? [] : layOut(shown.parts, width, height)), [shown, width, height]);
  const hottest = Math.max(1, ...shown.parts.map(layer.heatOf));
  const named = namesOf(tiles);
  const byId = new Map(tiles.map((tile) => [tile.part.id, tile]));
  const edges = shown.edges.filter(({ from, to }) => from === pointed || to === pointed);
  return (
    <div class="parts" ref={box}>
      {tiles.length > 0 && (
        <svg width={width} height={height} role="group" aria-label="What is inside, as a map">
          {tiles.map(({ part, inner, ...place }) => {
            const heat = layer.heatOf(part);
            const says = saysOf(part, heat === 0 ? '' : layer.says(heat));
            return (
              <a
                key={part.id}
                href={hrefOfPart(shown.repository, part, address)}
                aria-label={says}
                class={part.cycle === null ? 'part' : 'part cyclic'}
                onPointerEnter={() => setPointed(part.id)}
                onPointerLeave={() => setPointed(null)}
                onFocus={() => setPointed(part.id)}
                onBlur={() => setPointed(null)}
              >
                <title>{says}</title>
                <rect
                  class="tile"
                  // At most what leaves the text readable.
                  style={{ '--heat-share': `${Math.round(60 * Math.sqrt(heat / hottest))}%` }}
                  {...place}
                />
                {inner.map((each) => (
                  <rect key={each.id} class="inner" x={each.x} y={each.y} width={each.width} height={each.height} />
                ))}
              </a>
            );
          })}
          {/* Cut to the room they have, so no names for who hears them: those are the labels of the links. */}
          <g class="part-names" aria-hidden="true">
            {tiles.map(({ part, inner, ...place }) => [
              named.has(part.id) && (
                <text key={part.id} class="name" x={place.x + 6} y={place.y + 14}>
                  {shortened(`${part.cycle === null ? '' : '↻ '}${part.name}`, place.width - 12)}
                </text>
              ),
              inner.map(
                (each) =>
                  named.has(each.id) && (
                    <text key={each.id} x={each.x + 5} y={each.y + 14}>
                      {shortened(each.name, each.width - 8)}
                    </text>
                  ),
              ),
            ])}
          </g>
          <g class="references-over">
            {edges.map(({ from, to, ...edge }) => {
              const [a, b] = [byId.get(from), byId.get(to)];
              if (a === undefined || b === undefined) return null;
              const [start, end] = [middleOf(a), middleOf(b)];
              return (
                <path
                  key={`${from} ${to}`}
                  class={from === pointed ? 'out' : 'in'}
                  d={`M${start.x} ${start.y} Q${(start.x + end.x) / 2 - (end.y - start.y) * 0.15} ${(start.y + end.y) / 2 + (end.x - start.x) * 0.15} ${end.x} ${end.y}`}
                  stroke-width={1 + Math.log2(1 + weightOf(edge)) / 2}
                />
              );
            })}
          </g>
        </svg>
      )}
    </div>
  );
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
    ...inner.map((each) => ({ ...each, area: each.width * each.height })),
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
            inner: children.map(({ data, ...at }) => ({
              id: data.inner?.id ?? '',
              name: data.inner?.name ?? '',
              x: at.x0,
              y: at.y0,
              width: at.x1 - at.x0,
              height: at.y1 - at.y0,
            })),
          },
        ],
  );
}
