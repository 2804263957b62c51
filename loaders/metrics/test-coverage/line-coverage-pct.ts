import { posix } from 'node:path';
import { foldersUp } from '../folders-up.ts';
import type { Measurement, MetricInput, MetricSource } from '../metric.ts';
import { assertingTests } from './tests-that-assert.ts';
import { cover, isCoverageReport, readCoverageReport } from './coverage-report.ts';
import type { FileCoverage } from './coverage-report.ts';

/** A report that names more files which are gone than this is of another time. */
const maxAbsent = 0.2;
/** A report that knows less of production's lines says nothing of the whole. */
const minKnown = 0.5;
/** Of code lines at least one in so many can be covered: the others declare, close or go on. */
const linesForOne = 3;
/**
 * Lines of production that one line of tests covers at most, where the report is of the tree, into which anybody can write one.
 * Suites that run a whole program by a list of files cover more: theirs has to be given.
 */
const maxCoveredByTestLine = 10;
const target = 0.8;
const poor = 0.4;

/**
 * Covered lines of coverable ones, summed over the files of the reports that were given, else of those in the tree (Sonar: from
 * totals, never a mean of files). Reports: LCOV, Cobertura, JaCoCo, Clover, Go; a line that one of them covers is covered.
 * One in the tree is believed where tests assert something and are enough for what it says to be covered, and each where the reports
 * together know half of production's lines.
 */
export const lineCoverage: MetricSource = {
  id: 'line_coverage_pct',
  version: 6,
  reads: isCoverageReport,
  measure(input) {
    const found = reportedFiles(input);
    if (found.files === null) return found.why;
    const { reports, share, files } = found;
    const all = Array.from(files, ([path, file]) => ({
      path,
      ...countsOf(file),
      conditions: file.conditions,
      met: file.conditionsCovered,
    }));
    const sum = (key: 'lines' | 'covered' | 'conditions' | 'met') => all.reduce((total, file) => total + file[key], 0);
    const lines = sum('lines');
    const worst = all
      .filter((file) => file.covered < file.lines * poor)
      .toSorted((a, b) => b.lines - b.covered - (a.lines - a.covered) || (a.path < b.path ? -1 : 1));
    return {
      value: (100 * sum('covered')) / lines,
      numerator: sum('covered'),
      denominator: lines,
      evidence: [
        ...reports.filter((report) => report.files.length > 0).map(placeOf),
        { note: share },
        ...(sum('conditions') > 0 ? [{ note: `conditions: ${sum('met')} of ${sum('conditions')} covered` }] : []),
        ...worst.map((file) => ({ path: file.path, note: `${file.covered} of ${file.lines} lines covered` })),
      ],
      quantities: {
        lines_below_80: Math.max(0, Math.ceil(lines * target) - sum('covered')),
        conditions: Math.max(0, Math.ceil(sum('conditions') * target) - sum('met')),
      },
    };
  },
};

/** Of each file that believed reports know, its lines that can be covered and those that are; empty where none is believed. */
export function coverageByFile(input: MetricInput): Map<string, { lines: number; covered: number }> {
  const found = reportedFiles(input);
  return new Map(Array.from(found.files ?? [], ([path, file]) => [path, countsOf(file)]));
}

const countsOf = ({ lines }: FileCoverage) => ({
  lines: lines.size,
  covered: [...lines.values()].filter(Boolean).length,
});

const read = new WeakMap<MetricInput, ReturnType<typeof readReports>>();

/** Reports may be long: they are read once. */
function reportedFiles(input: MetricInput) {
  const known = read.get(input) ?? readReports(input);
  read.set(input, known);
  return known;
}

const unknown = (why: Omit<Extract<Measurement, { value: null }>, 'value'>) => ({
  files: null,
  why: { value: null, ...why },
});

/** What reports say of files that are there; the reason where they are not believed. */
function readReports(
  input: MetricInput,
): { files: null; why: Measurement } | { files: Map<string, FileCoverage>; reports: Report[]; share: string } {
  const reports = reportsOf(input);
  const named = reports.flatMap(({ path, files }) =>
    files.filter(({ lines }) => lines.size > 0).map((file) => ({ ...file, report: path })),
  );
  if (named.length === 0) return unknown({ reason: 'no_report_found' });
  const place = placer(input.paths);
  const files = new Map<string, FileCoverage>();
  let absent = 0;
  for (const { report, ...file } of named) {
    const path = place(file.path, report);
    const known = path === null ? undefined : files.get(path);
    if (path === null) absent += 1;
    else if (known) files.set(path, together(known, file));
    else files.set(path, { ...file, path });
  }
  if (absent > named.length * maxAbsent) {
    const note = `${absent} of ${named.length} files are not there`;
    return unknown({
      reason: 'report_stale',
      evidence: reports.map((report) => ({ ...placeOf(report), note })),
    });
  }
  if (input.coverage.length === 0 && !assertingTests(input).any) {
    const note = 'no test asserts anything, so nothing in the tree could make a report';
    return unknown({
      reason: 'no_report_found',
      evidence: reports.map((report) => ({ ...placeOf(report), note })),
    });
  }
  const known = knownOf(files, input);
  const share = `knows ${Math.round(100 * known)} % of the lines of production code`;
  if (known < minKnown)
    return unknown({
      reason: 'report_incomplete',
      evidence: reports.map((report) => ({ ...placeOf(report), note: share })),
    });
  const covered = input.files.reduce((sum, { path, test, measures }) => {
    const file = test ? undefined : files.get(path);
    return file ? sum + Math.min(countsOf(file).covered, measures.code) : sum;
  }, 0);
  const tested = assertingTests(input).allLines;
  if (input.coverage.length === 0 && covered > maxCoveredByTestLine * tested) {
    const note = `${covered} lines of production covered by ${tested} lines of tests that assert something: given with --coverage it would be believed`;
    return unknown({ reason: 'no_report_found', evidence: reports.map((report) => ({ ...placeOf(report), note })) });
  }
  return { reports, share, files };
}

/** The share of production's code lines that reports know: of a file no more than what they list can stand for. */
function knownOf(reported: ReadonlyMap<string, FileCoverage>, { files }: MetricInput): number {
  let [all, known] = [0, 0];
  for (const { path, test, measures } of files) {
    if (test) continue;
    all += measures.code;
    const last = measures.code + measures.comment + measures.blank;
    const listed = [...(reported.get(path)?.lines.keys() ?? [])].filter((line) => line >= 1 && line <= last);
    known += Math.min(measures.code, linesForOne * listed.length);
  }
  return all === 0 ? 0 : known / all;
}

interface Report {
  /** In the tree; null for one that was given. */
  path: string | null;
  name: string;
  files: FileCoverage[];
}

function reportsOf({ coverage, paths, text }: MetricInput): Report[] {
  if (coverage.length > 0)
    return coverage.map((given) => ({ path: null, name: given.name, files: reported(given.text) }));
  return paths
    .filter(isCoverageReport)
    .map((path) => ({ path, name: posix.basename(path), files: reported(text(path)) }));
}

const placeOf = ({ path, name }: Report) =>
  path === null ? { note: `report given: ${name}` } : { path, note: 'report' };

/** Of two reports of one file, by other tests perhaps. */
function together(one: FileCoverage, other: FileCoverage): FileCoverage {
  const both = { ...(one.conditionsCovered < other.conditionsCovered ? other : one), path: one.path };
  both.lines = new Map(one.lines);
  for (const [line, isCovered] of other.lines) cover(both, line, isCovered);
  return both;
}

function reported(text: string | null): FileCoverage[] {
  try {
    return text === null ? [] : readCoverageReport(text);
  } catch {
    // Cut short or no report at all: as if it were not there.
    return [];
  }
}

/**
 * Where a path of a report lies in the tree: reports write absolute paths, module paths, or paths from some folder, first of all
 * from their own or one above it.
 */
function placer(paths: MetricInput['paths']): (path: string, report: string | null) => string | null {
  const all = new Set(paths);
  const byName = Map.groupBy(paths, (path) => posix.basename(path));
  return (reportedPath, report) => {
    const path = reportedPath.replaceAll('\\', '/').replace(/^\.\//, '');
    const near = report === null ? ['.'] : foldersUp(posix.dirname(report));
    const beside = near.map((folder) => posix.join(folder, path)).find((each) => all.has(each));
    if (beside !== undefined) return beside;
    const candidates = byName.get(posix.basename(path)) ?? [];
    const matching = candidates.filter((each) => path.endsWith(`/${each}`) || each.endsWith(`/${path}`));
    return matching.toSorted((a, b) => b.length - a.length)[0] ?? null;
  };
}
