import type { MetricSource } from '../metric.ts';

/** Resolved packages that a database of advisories knows to be vulnerable; without one nobody can tell. */
export const vulnerableDependencies: MetricSource = {
  id: 'known_vulnerable_dependency_count',
  version: 1,
  measure: () => ({ value: null, reason: 'vulnerability_db_absent' }),
};
