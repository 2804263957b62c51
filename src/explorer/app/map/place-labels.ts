/** A disc on the screen with the name that belongs to it, all in pixels. */
export interface Labelled {
  id: string;
  x: number;
  y: number;
  radius: number;
  /** How wide its name is. */
  width: number;
}

/** Where a name stands: the middle of it. */
export interface Label {
  x: number;
  y: number;
  /** It stands so far away that a line has to lead to it. */
  isAway: boolean;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A line of a name is so high. */
export const labelHeight = 16;
const space = 2;
const directions = 12;
/** A smaller disc is passed over by a name, in pixels: the name’s outline leaves it to be seen. */
const minObstacle = 8;
const cell = 64;

/**
 * Finds room for names, those of the largest first: below, above or beside the disc, else as near as there is room, with a line. No two
 * lie over each other, and none over the edge of the picture; `maxAway` says how far from its disc a name may stand: with 0 only what has room beside its disc is named.
 */
export function placeLabels(
  discs: readonly Labelled[],
  { width, height, maxAway }: { width: number; height: number; maxAway: number },
): Map<string, Label> {
  const placed = new Map<string, Label>();
  const taken = createGrid();
  const visible = discs.filter(({ x, y }) => x > -20 && y > -20 && x < width + 20 && y < height + 20);
  const obstacles = createGrid();
  for (const { x, y, radius } of visible)
    if (radius >= minObstacle) obstacles.add(boxOf(x, y, 1.4 * radius, 1.4 * radius));
  const isWithin = ({ left, right, top, bottom }: Box) => left >= 0 && top >= 0 && right <= width && bottom <= height;
  for (const disc of visible.toSorted((a, b) => b.radius - a.radius || (a.id < b.id ? -1 : 1))) {
    const boxAt = ({ x, y }: Label) => boxOf(x, y, disc.width + 2 * space, labelHeight + space);
    const possible = candidates(disc, maxAway).filter((each) => isWithin(boxAt(each)) && !taken.hits(boxAt(each)));
    // Where all are named, over a disc is better than nowhere.
    const best = possible.find((each) => !obstacles.hits(boxAt(each))) ?? (maxAway > 0 ? possible[0] : undefined);
    if (best === undefined) continue;
    taken.add(boxAt(best));
    placed.set(disc.id, best);
  }
  return placed;
}

/** The places next to a disc, then those further away, ring by ring. */
function candidates({ x, y, radius, width }: Labelled, maxAway: number): Label[] {
  const beside = radius + width / 2 + 4;
  const below = radius + labelHeight / 2 + 1;
  const near = [
    { x, y: y + below },
    { x, y: y - below },
    { x: x + beside, y },
    { x: x - beside, y },
    ...[1, -1].flatMap((right) =>
      [1, -1].map((under) => ({ x: x + right * (beside - radius / 3), y: y + under * below * 0.8 })),
    ),
  ].map((each) => ({ ...each, isAway: false }));
  const far: Label[] = [];
  for (let away = labelHeight; away <= maxAway; away += labelHeight)
    for (let step = 0; step < directions; step++) {
      const angle = (2 * Math.PI * step) / directions + Math.PI / 2;
      far.push({
        x: x + Math.cos(angle) * (beside + away),
        y: y + Math.sin(angle) * (below + away),
        isAway: true,
      });
    }
  return [...near, ...far];
}

const boxOf = (x: number, y: number, width: number, height: number): Box => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});

/** Boxes by the cells that they lie in, so that few are compared. */
function createGrid() {
  const cells = new Map<string, Box[]>();
  const keysOf = ({ left, right, top, bottom }: Box) => {
    const keys: string[] = [];
    for (let column = Math.floor(left / cell); column <= Math.floor(right / cell); column++)
      for (let row = Math.floor(top / cell); row <= Math.floor(bottom / cell); row++) keys.push(`${column} ${row}`);
    return keys;
  };
  return {
    add(box: Box) {
      for (const key of keysOf(box)) cells.set(key, [...(cells.get(key) ?? []), box]);
    },
    hits: (box: Box) =>
      keysOf(box).some((key) =>
        (cells.get(key) ?? []).some(
          (other) =>
            box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom,
        ),
      ),
  };
}
