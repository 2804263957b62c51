import type { MetricInput, MetricSource } from '../metric.ts';
import { isCoverageReport, readCoverageReport } from './coverage-report.ts';
import type { FileCoverage } from './coverage-report.ts';

/** A report that names more files which are gone than this is of another time. */
const mostAbsent = 0.2;
const target = 0.8;
const poor = 0.4;

/**
 * Covered lines of coverable ones, summed over the files of every report in the tree (Sonar: from totals, never a mean of files).
 * Reports: LCOV, Cobertura, JaCoCo, Clover, Go.
 */
export const lineCoverage: MetricSource = {
  id: 'line_coverage_pct',
  version: 1,
  reads: isCoverageReport,
  measure(input) {
    const reports = input.paths.filter(isCoverageReport).map((path) => ({ path, files: reported(input.text(path)) }));
    const named = reports.flatMap(({ files }) => files).filter(({ lines }) => lines > 0);
    if (named.length === 0) return { value: null, reason: 'no_report_found' };
    const place = placer(input.paths);
    // Two reports of one file are the same lines: the better one counts.
    const files = new Map<string, FileCoverage>();
    let absent = 0;
    for (const file of named) {
      const path = place(file.path);
      if (path === null) absent += 1;
      const known = files.get(path ?? file.path);
      if (path !== null && (!known || known.covered < file.covered)) files.set(path, { ...file, path });
    }
    if (absent > named.length * mostAbsent) {
      const evidence = reports.map(({ path }) => ({ path, note: `${absent} of ${named.length} files are not there` }));
      return { value: null, reason: 'report_stale', evidence };
    }
    const all = [...files.values()];
    const sum = (key: 'lines' | 'covered' | 'conditions' | 'conditionsCovered') =>
      all.reduce((total, file) => total + file[key], 0);
    const lines = sum('lines');
    const worst = all
      .filter((file) => file.covered < file.lines * poor)
      .toSorted((a, b) => b.lines - b.covered - (a.lines - a.covered) || (a.path < b.path ? -1 : 1));
    return {
      value: (100 * sum('covered')) / lines,
      numerator: sum('covered'),
      denominator: lines,
      evidence: [
        ...reports.filter((report) => report.files.length > 0).map(({ path }) => ({ path, note: 'report' })),
        ...(sum('conditions') > 0
          ? [{ note: `conditions: ${sum('conditionsCovered')} of ${sum('conditions')} covered` }]
          : []),
        ...worst.map((file) => ({ path: file.path, note: `${file.covered} of ${file.lines} lines covered` })),
      ],
      quantities: {
        lines_below_80: Math.max(0, Math.ceil(lines * target) - sum('covered')),
        conditions: Math.max(0, Math.ceil(sum('conditions') * target) - sum('conditionsCovered')),
      },
    };
  },
};

function reported(text: string | null): FileCoverage[] {
  try {
    return text === null ? [] : readCoverageReport(text);
  } catch {
    // Cut short or no report at all: as if it were not there.
    return [];
  }
}

/** Where a path of a report lies in the tree: reports write absolute paths, module paths, or paths from some folder. */
function placer(paths: MetricInput['paths']): (path: string) => string | null {
  const all = new Set(paths);
  const bySuffix = new Map<string, string[]>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const same = bySuffix.get(name);
    if (same) same.push(path);
    else bySuffix.set(name, [path]);
  }
  return (reportedPath) => {
    const path = reportedPath.replaceAll('\\', '/').replace(/^\.\//, '');
    if (all.has(path)) return path;
    const candidates = bySuffix.get(path.slice(path.lastIndexOf('/') + 1)) ?? [];
    const matching = candidates.filter((each) => path.endsWith(`/${each}`) || each.endsWith(`/${path}`));
    return matching.toSorted((a, b) => b.length - a.length)[0] ?? null;
  };
}
