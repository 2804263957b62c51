import { MAX_TYPO_TERMS, maxTypos } from './query.ts';

/** The terms that a mistyped token may mean, nearest first; the same choice as Lucene's, so that both engines find the same. */
export function nearestTerms(token: string, terms: Iterable<string>): string[] {
  const most = maxTypos(token);
  const typed = codePoints(token);
  const near: { term: string; share: number }[] = [];
  for (const term of terms) {
    const letters = codePoints(term);
    const typos = distance(typed, letters, most);
    if (typos <= most) near.push({ term, share: typos / Math.min(typed.length, letters.length) });
  }
  near.sort((a, b) => a.share - b.share || Buffer.compare(Buffer.from(a.term), Buffer.from(b.term)));
  return near.slice(0, MAX_TYPO_TERMS).map(({ term }) => term);
}

/** Is this term the token but for as many typos as that may have? */
export function isNear(token: string, term: string): boolean {
  const most = maxTypos(token);
  return most > 0 && token[0] === term[0] && distance(codePoints(token), codePoints(term), most) <= most;
}

/**
 * Letters put in, left out, replaced, or swapped with their neighbour; more than `most` is not counted on. Only cells so near to
 * the diagonal are looked at: a query meets tens of thousands of terms.
 */
function distance(a: readonly number[], b: readonly number[], most: number): number {
  const far = most + 1;
  if (Math.abs(a.length - b.length) > most) return far;
  let before: number[] = [];
  let last: number[] = [];
  for (let j = 0; j <= Math.min(most, b.length); j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    const [start, end] = [Math.max(1, i - most), Math.min(b.length, i + most)];
    row[start - 1] = start === 1 ? i : far;
    let least = start === 1 ? i : far;
    for (let j = start; j <= end; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(before, j - 2) + 1);
      row[j] = cost;
      least = Math.min(least, cost);
    }
    if (least > most) return far;
    before = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}

function codePoints(text: string): number[] {
  const points: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i) ?? 0;
    points.push(point);
    if (point > 0xffff) i++;
  }
  return points;
}
