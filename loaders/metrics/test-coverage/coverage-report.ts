import { posix } from 'node:path';
import { XMLParser } from 'fast-xml-parser';

/** What a report says of one file. */
export interface FileCoverage {
  /** As the report writes it. */
  path: string;
  /** By the number of each line that can be covered, whether it was. */
  lines: Map<number, boolean>;
  conditions: number;
  conditionsCovered: number;
}

/** A report that was given, rather than found in the tree. */
export interface CoverageFile {
  /** Of the file, without its folder. */
  name: string;
  text: string;
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

const nothingOf = (path: string): FileCoverage => ({ path, lines: new Map(), conditions: 0, conditionsCovered: 0 });

/** A line that was covered once is covered. */
export function cover({ lines }: FileCoverage, line: number, isCovered: boolean): void {
  if (Number.isInteger(line)) lines.set(line, (lines.get(line) ?? false) || isCovered);
}

function readLcov(text: string): FileCoverage[] {
  const files: FileCoverage[] = [];
  let current: FileCoverage | null = null;
  for (const line of text.split(/\r?\n/)) {
    const value = line.slice(line.indexOf(':') + 1);
    if (line.startsWith('SF:')) current = nothingOf(value);
    else if (!current) continue;
    else if (line.startsWith('DA:')) {
      const [number, count] = value.split(',', 2);
      cover(current, Number(number || Number.NaN), Number(count) > 0);
    } else if (line.startsWith('BRDA:')) {
      current.conditions += 1;
      if (Number(value.split(',')[3]) > 0) current.conditionsCovered += 1;
    } else if (line === 'end_of_record') {
      files.push(current);
      current = null;
    }
  }
  return files;
}

/** `name.go:12.34,15.2 3 1`: a block of statements from line to line and how often it ran. */
function readGo(text: string): FileCoverage[] {
  const files = new Map<string, FileCoverage>();
  for (const [, path = '', from, to, count] of text.matchAll(/^(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$/gm)) {
    const file = files.get(path) ?? nothingOf(path);
    files.set(path, file);
    const last = Math.min(Number(to), Number(from) + maxBlockLength);
    for (let line = Number(from); line <= last; line += 1) cover(file, line, Number(count) > 0);
  }
  return [...files.values()];
}

/** Nobody writes longer ones; what is longer is there to fill the memory. */
const maxBlockLength = 10_000;

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
  const files = new Map<string, FileCoverage>();
  // Names are from the folder that the sources lie in; of several nobody knows which.
  const sources = coverageSources(coverage);
  const root = sources.length === 1 ? sources[0] : undefined;
  for (const each of elements(coverage, 'packages', 'package', 'classes', 'class')) {
    const name = textOf(each['filename']);
    const path = root === undefined || posix.isAbsolute(name) ? name : posix.join(root, name);
    const file = files.get(path) ?? nothingOf(path);
    files.set(path, file);
    for (const line of elements(each, 'lines', 'line')) {
      cover(file, Number(line['number']), Number(line['hits']) > 0);
      const [, met, all] = /\((\d{1,9})\/(\d{1,9})\)/.exec(textOf(line['condition-coverage'])) ?? [];
      file.conditions += Number(all ?? 0);
      file.conditionsCovered += Number(met ?? 0);
    }
  }
  return [...files.values()];
}

function coverageSources(coverage: Element): string[] {
  const written = elements(coverage, 'sources').flatMap(({ source }) => source);
  return written.map(textOf).filter((source) => source !== '' && source !== '.');
}

function readJacoco(report: Element): FileCoverage[] {
  const packages = [...elements(report, 'package'), ...elements(report, 'group', 'package')];
  return packages.flatMap((each) =>
    elements(each, 'sourcefile').map((sourceFile) => {
      const file = nothingOf(`${textOf(each['name'])}/${textOf(sourceFile['name'])}`);
      for (const line of elements(sourceFile, 'line')) {
        const of = (key: string) => Number(line[key] ?? 0);
        cover(file, of('nr'), of('ci') > 0);
        file.conditions += of('mb') + of('cb');
        file.conditionsCovered += of('cb');
      }
      return file;
    }),
  );
}

function readClover(coverage: Element): FileCoverage[] {
  const files = [...elements(coverage, 'project', 'file'), ...elements(coverage, 'project', 'package', 'file')];
  return files.map((each) => {
    const file = nothingOf(textOf(each['path']) || textOf(each['name']));
    for (const line of elements(each, 'line')) {
      if (line['type'] === 'method') continue;
      const [count, met, missed] = ['count', 'truecount', 'falsecount'].map((key) => Number(line[key] ?? 0) > 0);
      cover(file, Number(line['num']), (count ?? false) || (met ?? false));
      if (line['type'] !== 'cond') continue;
      file.conditions += 2;
      file.conditionsCovered += Number(met) + Number(missed);
    }
    return file;
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
