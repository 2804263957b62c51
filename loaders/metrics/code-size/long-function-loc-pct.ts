import type { MetricSource } from '../metric.ts';
import { functionShare, nameOf } from './function-shares.ts';
import { highComplexity, longLines } from './production.ts';

/** Code lines of a file from which on it is oversized (SonarSource rspec S104 has 1000 lines). */
const longFile = 1000;

/** Code lines in production functions of more than 60 code lines, of the code lines in production functions (SIG: unit size). */
export const longFunctions: MetricSource = {
  id: 'long_function_loc_pct',
  version: 5,
  measure: ({ files }) =>
    functionShare(
      files,
      ({ code }) => code > longLines,
      (chosen) => ({
        evidence: chosen
          .toSorted((a, b) => b.code - a.code || (a.path < b.path ? -1 : 1) || a.line - b.line)
          .map((each) => ({ path: each.path, line: each.line, note: `${nameOf(each)}: ${each.code} lines of code` })),
        quantities: {
          // One that is complex, too, is put right as such.
          functions: chosen.filter(({ complexity }) => complexity <= highComplexity).length,
          files: files.filter(({ test, measures }) => !test && measures.code > longFile).length,
        },
      }),
    ),
};
