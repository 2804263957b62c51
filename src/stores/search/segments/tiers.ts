/** A segment as far as it matters for which ones become one. */
export interface Tiered {
  size: number;
  /** How many of its documents are no longer there. */
  dead: number;
}

/** So many segments of a tier become one, of the next tier. */
const FACTOR = 8;
/** What has no more documents is in the lowest tier. */
const SMALL = 1_024;
/** No segment has more documents: so long takes the longest merge. */
const maxMerged = 262_144;

/**
 * Segments to be made one, so that there are few and each document is written anew only a few times; or one to be written without
 * what is dead; null when all is well.
 */
export function toMerge<T extends Tiered>(segments: readonly T[]): T[] | null {
  const half = segments.find(({ size, dead }) => dead * 2 > size);
  if (half !== undefined) return [half];
  const tiers = Map.groupBy(
    segments.filter((each) => liveOf(each) * 2 <= maxMerged),
    (each) => Math.max(0, Math.ceil(Math.log(liveOf(each) / SMALL) / Math.log(FACTOR))),
  );
  for (const each of tiers.values()) {
    if (each.length < FACTOR) continue;
    const together: T[] = [];
    let sum = 0;
    for (const next of each.toSorted((a, b) => liveOf(a) - liveOf(b))) {
      if ((sum += liveOf(next)) > maxMerged) break;
      together.push(next);
    }
    return together;
  }
  return null;
}

function liveOf({ size, dead }: Tiered): number {
  return size - dead;
}
