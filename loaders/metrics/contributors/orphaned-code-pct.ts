import type { MetricSource } from '../metric.ts';
import { knowledgeOf, sharesOf } from '../people.ts';
import { minFiles } from './truck-factor.ts';

/** Changes within twelve months from which on a file counts as a hotspot here. */
const hotspotChanges = 3;

/**
 * Source files all of whose authors (degree of authorship) have no commit of more than comments within twelve months, of those with a history
 * (CodeScene: former contributors). Tests are not among them: whoever takes tests out has lost no knowledge, and found none. `hotspots`: those
 * that others changed three times or more in that time.
 */
export const orphanedCode: MetricSource = {
  id: 'orphaned_code_pct',
  version: 5,
  measure(input) {
    if (input.shallow) return { value: null, reason: 'shallow_clone' };
    if (!input.history) return { value: null, reason: input.noHistory };
    const tests = new Set(input.files.filter(({ test }) => test).map(({ path }) => path));
    const known = new Map([...knowledgeOf(input)].filter(([path]) => !tests.has(path)));
    if (known.size < minFiles) return { value: null, reason: 'history_too_short' };
    const active = new Set(
      sharesOf(input)
        .filter(({ weeks_12m: weeks }) => weeks.length > 0)
        .map(({ id }) => id),
    );
    const orphaned = [...known].filter(([, authors]) => !authors.some((author) => active.has(author)));
    const changes = recentChanges(input);
    const byChanges = orphaned
      .map(([path]) => ({ path, changes: changes.get(path) ?? 0 }))
      .sort((a, b) => b.changes - a.changes || (a.path < b.path ? -1 : 1));
    return {
      value: (100 * orphaned.length) / known.size,
      numerator: orphaned.length,
      denominator: known.size,
      evidence: byChanges.map(({ path, changes: count }) => ({
        path,
        note: `${count} ${count === 1 ? 'commit' : 'commits'} within twelve months`,
      })),
      quantities: { hotspots: byChanges.filter(({ changes: count }) => count >= hotspotChanges).length },
    };
  },
};

function recentChanges({ history }: Parameters<MetricSource['measure']>[0]): Map<string, number> {
  const changes = new Map<string, number>();
  for (const { paths } of history?.commits ?? [])
    for (const path of paths ?? []) changes.set(path, (changes.get(path) ?? 0) + 1);
  return changes;
}
