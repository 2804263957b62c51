import type { MetricSource } from '../metric.ts';
import { functionShare, nameOf } from './function-shares.ts';
import { highComplexity } from './production.ts';

/** Code lines in production functions with a cyclomatic complexity over 15, of the code lines in production functions. */
export const complexFunctions: MetricSource = {
  id: 'complex_function_loc_pct',
  version: 5,
  measure: ({ files }) =>
    functionShare(
      files,
      ({ complexity }) => complexity > highComplexity,
      (chosen) => ({
        evidence: chosen
          .toSorted((a, b) => b.complexity - a.complexity || (a.path < b.path ? -1 : 1) || a.line - b.line)
          .map((each) => ({
            path: each.path,
            line: each.line,
            note: `${nameOf(each)}: complexity ${each.complexity}`,
          })),
        quantities: {
          functions: chosen.length,
          points_over: chosen.reduce((sum, { complexity }) => sum + complexity - highComplexity, 0),
        },
      }),
    ),
};
