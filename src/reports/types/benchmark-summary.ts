import { z } from 'zod';
import { reportType } from '../report-type.ts';

export const benchmarkSummary = reportType({
  id: 'benchmark_summary',
  name: 'Benchmark summary',
  summary: 'How models did on the task instances of your repositories.',
  parameters: z.strictObject({}),
  sources: ['evaluation_runs'],
  build: null,
});
