import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { useMemo, useRef } from 'preact/hooks';
import './charts.css';
import { isDeep } from './heat.ts';
import { shortened } from './shortened.ts';
import { useSize } from './use-size.ts';

/** A file, say: how large, how hot, and what is said of it. */
export interface Tile {
  path: string;
  size: number;
  /** How red it is, from 0 to 1. */
  red: number;
  says: string;
}

interface Branch {
  name: string;
  tile?: Tile;
  children?: Branch[];
}

const height = 420;

/** Files within their folders: the area is the size, the redder the worse. */
export function Treemap({ tiles, label }: { tiles: readonly Tile[]; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box);
  const laidOut = useMemo(() => (width === 0 ? null : layOut(tiles, width)), [tiles, width]);
  return (
    <div class="treemap" ref={box}>
      {laidOut !== null && (
        <svg width={width} height={height} role="img" aria-label={label}>
          {laidOut.folders.map(({ name, x0, y0, x1, y1 }) => (
            <g key={`${x0} ${y0} ${name}`}>
              <rect class="folder" x={x0} y={y0} width={x1 - x0} height={y1 - y0} />
              {x1 - x0 > 40 && (
                <text class="folder-name" x={x0 + 4} y={y0 + 12}>
                  {shortened(name, x1 - x0 - 8)}
                </text>
              )}
            </g>
          ))}
          {laidOut.files.map(({ tile, name, x0, y0, x1, y1 }) => (
            <g key={tile.path}>
              <title>
                {tile.path}: {tile.says}
              </title>
              <rect
                class="tile"
                style={{ '--heat-share': `${Math.round(100 * tile.red)}%` }}
                x={x0}
                y={y0}
                width={x1 - x0}
                height={y1 - y0}
              />
              {x1 - x0 > 44 && y1 - y0 > 18 && (
                <text class={isDeep(tile.red) ? 'on-deep' : undefined} x={x0 + 4} y={y0 + 14}>
                  {shortened(name, x1 - x0 - 8)}
                </text>
              )}
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}

function layOut(tiles: readonly Tile[], width: number) {
  const root = treemap<Branch>()
    .tile(treemapSquarify)
    .size([width, height])
    .paddingInner(1)
    .paddingOuter(2)
    .paddingTop((node) => (node.depth === 0 ? 0 : 16))
    .round(true)(
    hierarchy(treeOf(tiles))
      .sum(({ tile }) => tile?.size ?? 0)
      .sort((a, b) => (b.value ?? 0) - (a.value ?? 0)),
  );
  const placed = root
    .descendants()
    .map(({ data: { name, tile }, depth, x0, y0, x1, y1 }) => ({ name, tile, depth, x0, y0, x1, y1 }));
  return {
    folders: placed.filter(({ tile, depth }) => tile === undefined && depth > 0),
    files: placed.flatMap(({ tile, ...place }) => (tile === undefined ? [] : [{ ...place, tile }])),
  };
}

/** A folder that holds nothing but a folder is one with it. */
function treeOf(tiles: readonly Tile[]): Branch {
  const root: Branch = { name: '', children: [] };
  for (const tile of tiles) {
    const parts = tile.path.split('/');
    const file = parts.pop() ?? '';
    let branch = root;
    for (const name of parts) {
      branch.children ??= [];
      let next = branch.children.find((child) => child.name === name && child.tile === undefined);
      if (next === undefined) branch.children.push((next = { name, children: [] }));
      branch = next;
    }
    (branch.children ??= []).push({ name: file, tile });
  }
  return { ...root, children: (root.children ?? []).map(joined) };
}

function joined(branch: Branch): Branch {
  const [only, ...others] = branch.children ?? [];
  if (only?.children !== undefined && others.length === 0)
    return joined({ ...only, name: `${branch.name}/${only.name}` });
  return branch.children === undefined ? branch : { ...branch, children: branch.children.map(joined) };
}
