/** What lies between what two contents both begin and end with, in bytes: where it begins in both, and where it ends in each. */
export function changedMiddle(after: Buffer, before: Buffer): { begin: number; afterEnd: number; beforeEnd: number } {
  const shared = Math.min(after.length, before.length);
  const begin = sharedStart(after, before);
  const end = sameBytes(shared - begin, (at, length) => {
    const [a, b] = [after.length - at, before.length - at];
    return after.compare(before, b - length, b, a - length, a) === 0;
  });
  return { begin, afterEnd: after.length - end, beforeEnd: before.length - end };
}

/** How many bytes two contents begin with alike. */
export function sharedStart(a: Buffer, b: Buffer): number {
  const shared = Math.min(a.length, b.length);
  return sameBytes(shared, (at, length) => a.compare(b, at, at + length, at, at + length) === 0);
}

/** How many bytes are the same from the start, by steps that get smaller; `same` says so of a stretch. */
function sameBytes(most: number, same: (at: number, length: number) => boolean): number {
  let at = 0;
  for (let step = 65_536; step >= 1; step = step / 16) while (at + step <= most && same(at, step)) at += step;
  return at;
}
