import type { MetricSource } from '../metric.ts';

/** Source files; none is a real zero. */
export const sourceFileCount: MetricSource = {
  id: 'source_file_count',
  version: 4,
  measure: ({ files }) => ({ value: files.length, numerator: files.length }),
};
