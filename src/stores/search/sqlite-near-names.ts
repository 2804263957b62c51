import { maxTypos } from '../../search/ranking/query.ts';
import { meet } from './segments/bits.ts';
import type { Found, View } from './sqlite-view.ts';
import { nearestTerms } from '../../search/ranking/typos.ts';

/** Finds, in each segment, what has a name that a mistyped token may mean: for one query, which asks each thing several times. */
export function nearNames(views: readonly View[]): (view: View, token: string) => Found {
  const known = new Map<string, (view: View) => Found>();
  return (view, token) => {
    const find = known.get(token) ?? meantBy(token, views);
    known.set(token, find);
    return find(view);
  };
}

function meantBy(token: string, views: readonly View[]): (view: View) => Found {
  const where = nearTerms(token, views);
  const isThere = (term: string) =>
    where.get(term)?.some(({ segment, visible, isWhole }) => isWhole || meet(segment.named([term]), visible)) === true;
  const terms = nearestTerms(token, where.keys(), isThere);
  const found = new Map<View, Found>();
  return (view) => {
    const own = terms.filter((term) => where.get(term)?.includes(view));
    const those = found.get(view) ?? (own.length === 0 ? null : view.segment.named(own));
    found.set(view, those);
    return those;
  };
}

/** Where each term is that the token may be but for typos. Its first letter is taken as typed right: it narrows them to one range. */
function nearTerms(token: string, views: readonly View[]): Map<string, View[]> {
  const where = new Map<string, View[]>();
  const most = maxTypos(token);
  if (most === 0) return where;
  for (const view of views) {
    for (const term of view.segment.near(token, most)) {
      const before = where.get(term);
      if (before === undefined) where.set(term, [view]);
      else before.push(view);
    }
  }
  return where;
}
