/** Commits within twelve months. */
interface Share {
  commits_12m: number;
  code_commits_12m?: number | undefined;
}

/**
 * What each person did in twelve months, by which their absence would be felt: commits that change what code says; of whoever writes no
 * code at all, any commits. Comments and notes under many names spread no knowledge.
 */
export function workOf<T extends Share>(people: readonly T[]): (person: T) => number {
  const isCode = people.some(({ code_commits_12m: code = 0 }) => code > 0);
  return ({ commits_12m: all, code_commits_12m: code = 0 }) => (isCode ? code : all);
}

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

/** Whoever knows less of the files than this share of what the first one knows is missed by nobody. */
const minKnown = 0.1;

/**
 * How many people may leave before more than half of the files have no author left: the one who knows most files goes first, and
 * who knows hardly any is not counted (aserg-ufmg/Truck-Factor, pruned greedy).
 */
export function truckFactor(authorship: readonly { authors: readonly string[]; files: number }[]): number {
  const whole = authorship.reduce((sum, { files }) => sum + files, 0);
  const known = new Map<string, number>();
  for (const { authors, files } of authorship)
    for (const author of authors) known.set(author, (known.get(author) ?? 0) + files);
  const byKnown = [...known].toSorted(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  const most = byKnown[0]?.[1] ?? 0;
  const gone = new Set<string>();
  let people = 0;
  for (const [author, files] of byKnown) {
    const left = authorship.filter(({ authors }) => authors.some((each) => !gone.has(each)));
    if (left.reduce((sum, each) => sum + each.files, 0) * 2 < whole) break;
    gone.add(author);
    if (files >= most * minKnown) people += 1;
  }
  return people;
}
