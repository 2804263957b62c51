import type { MetricSource } from '../metric.ts';

/** Addresses of servers that stand in production source (the twelve factors keep them in the configuration; our own rule). */
export const hardcodedEndpoints: MetricSource = {
  id: 'hardcoded_endpoint_count',
  version: 4,
  measure({ files }) {
    if (files.length === 0) return { value: null, reason: 'no_source_code' };
    const found = files
      .filter(({ test }) => !test)
      .flatMap(({ path, measures }) => measures.endpoints.map(({ line, address }) => ({ path, line, note: address })));
    return {
      value: found.length,
      numerator: found.length,
      evidence: found,
      quantities: { findings: found.length },
    };
  },
};
