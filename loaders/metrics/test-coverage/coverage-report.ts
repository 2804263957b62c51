import { XMLParser } from 'fast-xml-parser';

/** Lines and conditions of one file that a report says something of. */
export interface FileCoverage {
  /** As the report writes it. */
  path: string;
  lines: number;
  covered: number;
  conditions: number;
  conditionsCovered: number;
}

/** Where reports lie that people commit, or that a build left. */
export function isCoverageReport(path: string): boolean {
  return /(^|\/)(lcov\.info|[^/]*\.lcov|cobertura[^/]*\.xml|coverage[^/]*\.xml|jacoco[^/]*\.xml|clover\.xml|coverage\.(out|txt)|cover(age)?\.out|c\.out|profile\.cov)$/i.test(
    path,
  );
}

/** The files of a report in LCOV, Cobertura, JaCoCo, Clover or Go's form; empty for what is none of them. */
export function readCoverageReport(text: string): FileCoverage[] {
  if (/^mode: (set|count|atomic)$/m.test(text.slice(0, 200))) return readGo(text);
  if (/^SF:/m.test(text)) return readLcov(text);
  if (/<(coverage|report)[\s>]/.test(text.slice(0, 5_000))) return readXml(text);
  return [];
}

function readLcov(text: string): FileCoverage[] {
  const files: FileCoverage[] = [];
  let hits = new Map<string, boolean>();
  let current: FileCoverage | null = null;
  for (const line of text.split(/\r?\n/)) {
    const value = line.slice(line.indexOf(':') + 1);
    if (line.startsWith('SF:')) {
      current = { path: value, lines: 0, covered: 0, conditions: 0, conditionsCovered: 0 };
      hits = new Map();
    } else if (!current) continue;
    else if (line.startsWith('DA:')) {
      const [number = '', count = '0'] = value.split(',');
      hits.set(number, (hits.get(number) ?? false) || Number(count) > 0);
    } else if (line.startsWith('BRDA:')) {
      current.conditions += 1;
      if (Number(value.split(',')[3]) > 0) current.conditionsCovered += 1;
    } else if (line === 'end_of_record') {
      files.push({ ...current, lines: hits.size, covered: [...hits.values()].filter(Boolean).length });
      current = null;
    }
  }
  return files;
}

/** `name.go:12.34,15.2 3 1`: a block of statements from line to line and how often it ran. */
function readGo(text: string): FileCoverage[] {
  const files = new Map<string, Map<number, boolean>>();
  for (const [, path = '', from, to, count] of text.matchAll(/^(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$/gm)) {
    const lines = files.get(path) ?? new Map<number, boolean>();
    files.set(path, lines);
    const last = Math.min(Number(to), Number(from) + 10_000);
    for (let line = Number(from); line <= last; line += 1)
      lines.set(line, (lines.get(line) ?? false) || Number(count) > 0);
  }
  return Array.from(files, ([path, lines]) => ({
    path,
    lines: lines.size,
    covered: [...lines.values()].filter(Boolean).length,
    conditions: 0,
    conditionsCovered: 0,
  }));
}

type Element = Record<string, unknown>;

function readXml(text: string): FileCoverage[] {
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', processEntities: false });
  const root = parser.parse(text) as Element;
  const report = element(root['report']);
  if (report) return readJacoco(report);
  const coverage = element(root['coverage']);
  if (!coverage) return [];
  return coverage['project'] === undefined ? readCobertura(coverage) : readClover(coverage);
}

function readCobertura(coverage: Element): FileCoverage[] {
  const sums = new Map<string, FileCoverage>();
  for (const each of elements(coverage, 'packages', 'package', 'classes', 'class')) {
    const path = textOf(each['filename']);
    const sum = sums.get(path) ?? { path, lines: 0, covered: 0, conditions: 0, conditionsCovered: 0 };
    sums.set(path, sum);
    for (const line of elements(each, 'lines', 'line')) {
      sum.lines += 1;
      if (Number(line['hits']) > 0) sum.covered += 1;
      const [, met, all] = /\((\d+)\/(\d+)\)/.exec(textOf(line['condition-coverage'])) ?? [];
      sum.conditions += Number(all ?? 0);
      sum.conditionsCovered += Number(met ?? 0);
    }
  }
  return [...sums.values()];
}

function readJacoco(report: Element): FileCoverage[] {
  const packages = [...elements(report, 'package'), ...elements(report, 'group', 'package')];
  return packages.flatMap((each) =>
    elements(each, 'sourcefile').map((file) => {
      const counter = (type: string) => elements(file, 'counter').find((counted) => counted['type'] === type);
      const [line, branch] = [counter('LINE'), counter('BRANCH')];
      const of = (counted: Element | undefined, key: string) => Number(counted?.[key] ?? 0);
      return {
        path: `${textOf(each['name'])}/${textOf(file['name'])}`,
        lines: of(line, 'missed') + of(line, 'covered'),
        covered: of(line, 'covered'),
        conditions: of(branch, 'missed') + of(branch, 'covered'),
        conditionsCovered: of(branch, 'covered'),
      };
    }),
  );
}

function readClover(coverage: Element): FileCoverage[] {
  const files = [...elements(coverage, 'project', 'file'), ...elements(coverage, 'project', 'package', 'file')];
  return files.map((file) => {
    const lines = elements(file, 'line').filter(({ type }) => type !== 'method');
    const conditions = lines.filter(({ type }) => type === 'cond');
    const met = (name: string) => conditions.filter((line) => Number(line[name]) > 0).length;
    return {
      path: textOf(file['path']) || textOf(file['name']),
      lines: lines.length,
      covered: lines.filter((line) => Number(line['count'] ?? 0) > 0 || Number(line['truecount'] ?? 0) > 0).length,
      conditions: conditions.length * 2,
      conditionsCovered: met('truecount') + met('falsecount'),
    };
  });
}

/** What a way of names leads to, one or many at each step. */
function elements(from: Element, ...way: readonly string[]): Element[] {
  let found: Element[] = [from];
  for (const name of way) {
    found = found
      .flatMap((each) => each[name])
      .map(element)
      .filter((one) => one !== null);
  }
  return found;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const element = (value: unknown): Element | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Element) : null;
