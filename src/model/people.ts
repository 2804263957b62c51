/** How few people made at least half of the commits (CHAOSS: contributor absence factor). */
export function absenceFactor(commits: readonly number[]): number {
  const whole = commits.reduce((sum, count) => sum + count, 0);
  let share = 0;
  let people = 0;
  for (const count of commits.toSorted((a, b) => b - a)) {
    if (share * 2 >= whole) break;
    share += count;
    people += 1;
  }
  return people;
}

/**
 * How many people may leave before half of the files have no author left: the one who knows most files goes first
 * (aserg-ufmg/Truck-Factor, greedy).
 */
export function truckFactor(authorship: readonly { authors: readonly string[]; files: number }[]): number {
  const whole = authorship.reduce((sum, { files }) => sum + files, 0);
  let left = authorship.filter(({ authors }) => authors.length > 0);
  let people = 0;
  while (left.reduce((sum, { files }) => sum + files, 0) * 2 >= whole && left.length > 0) {
    const known = new Map<string, number>();
    for (const { authors, files } of left)
      for (const author of authors) known.set(author, (known.get(author) ?? 0) + files);
    const [top] = [...known].toSorted(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
    left = left
      .map(({ authors, files }) => ({ files, authors: authors.filter((author) => author !== top?.[0]) }))
      .filter(({ authors }) => authors.length > 0);
    people += 1;
  }
  return people;
}
