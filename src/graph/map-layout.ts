import { setImmediate } from 'node:timers/promises';
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';
import { packEnclose, packSiblings } from 'd3-hierarchy';

/** What is to be placed: an id, the group that it belongs to, and how much of it there is. */
export interface Placeable {
  id: string;
  group: string;
  size: number;
}

/** A disc. */
export interface Disc {
  x: number;
  y: number;
  radius: number;
}

const minRadius = 7;
const maxRadius = 42;
/** Between two discs: room for a name. */
const gap = 16;
const groupGap = 22;
const ticks = 240;
/** The event loop is left to others between so many. */
const ticksAtOnce = 8;

/**
 * Finds a place for each: discs of one group together, near those that they are linked to, no two over each other, and no group over
 * another. The same input gives the same places, as nothing in it is left to chance.
 */
export async function layOutMap(
  nodes: readonly Placeable[],
  links: readonly { from: string; to: string }[],
): Promise<{ places: Map<string, Disc>; groups: (Disc & { name: string })[] }> {
  const most = Math.max(1, ...nodes.map(({ size }) => size));
  const radiusOf = ({ size }: Placeable) => minRadius + (maxRadius - minRadius) * Math.sqrt(size / most);
  const parts = [];
  for (const [name, members] of Map.groupBy(
    nodes.toSorted((a, b) => b.size - a.size || (a.id < b.id ? -1 : 1)),
    ({ group }) => group,
  )) {
    const placed = await layOutGroup(
      members.map((each) => ({ id: each.id, radius: radiusOf(each) })),
      links,
    );
    const around = packEnclose(placed.map(({ x, y, radius }) => ({ x, y, r: radius + gap })));
    parts.push({ name, placed, around, r: around.r + groupGap / 2 });
  }
  const packed = packSiblings(parts.toSorted((a, b) => b.r - a.r || (a.name < b.name ? -1 : 1)));
  const places = new Map<string, Disc>();
  for (const { placed, around, x, y } of packed)
    for (const each of placed)
      places.set(each.id, { x: x + each.x - around.x, y: y + each.y - around.y, radius: each.radius });
  return { places, groups: packed.map(({ name, around, x, y }) => ({ name, x, y, radius: around.r })) };
}

async function layOutGroup(
  members: readonly { id: string; radius: number }[],
  links: readonly { from: string; to: string }[],
): Promise<(Disc & { id: string })[]> {
  const placed = members.map((each) => ({ ...each, x: NaN, y: NaN }));
  const ids = new Set(members.map(({ id }) => id));
  const own = links
    .filter(({ from, to }) => ids.has(from) && ids.has(to))
    .map(({ from, to }) => ({ source: from, target: to }));
  const simulation = forceSimulation(placed)
    .force(
      'link',
      forceLink<(typeof placed)[number], (typeof own)[number]>(own)
        .id(({ id }) => id)
        .distance(4 * minRadius + 2 * gap)
        .strength(0.05),
    )
    .force('apart', forceManyBody().strength(-30))
    .force('x', forceX(0).strength(0.08))
    .force('y', forceY(0).strength(0.08))
    .force('collide', forceCollide<(typeof placed)[number]>(({ radius }) => radius + gap / 2).iterations(4))
    .stop();
  for (let done = 0; done < ticks; done += ticksAtOnce) {
    simulation.tick(ticksAtOnce);
    await setImmediate();
  }
  return placed.map(({ id, radius, x, y }) => ({ id, radius, x, y }));
}
