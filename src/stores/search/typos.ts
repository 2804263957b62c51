import { MAX_TYPO_TERMS, maxTypos } from './query.ts';

/** The terms that a mistyped token may mean, nearest first; the same choice as Lucene's, so that both engines find the same. */
export function nearestTerms(token: string, terms: Iterable<string>): string[] {
  const most = maxTypos(token);
  const typed = Array.from(token);
  const near: { term: string; share: number }[] = [];
  for (const term of terms) {
    const letters = Array.from(term);
    const typos = distance(typed, letters, most);
    if (typos <= most) near.push({ term, share: typos / Math.min(typed.length, letters.length) });
  }
  near.sort((a, b) => a.share - b.share || Buffer.compare(Buffer.from(a.term), Buffer.from(b.term)));
  return near.slice(0, MAX_TYPO_TERMS).map(({ term }) => term);
}

/** Letters put in, left out, replaced, or swapped with their neighbour; more than `most` is not counted on. */
function distance(a: readonly string[], b: readonly string[], most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(before, j - 2) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    before = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
