import type { LeftOut } from '../../../src/model/due-diligence.ts';
import type { Skipped } from '../../../src/model/snapshot.ts';
import type { ResolvedPackage } from '../../manifests/resolved-packages.ts';
import { anyOf } from '../../snapshot/linguist/any-of.ts';
import { documentation } from '../../snapshot/linguist/documentation.ts';
import { tests } from '../../snapshot/linguist/tests.ts';
import type { OpenSnapshot, SourceFile } from '../../snapshot/snapshot.ts';
import type { Glance } from '../file-measures.ts';
import type { HistoryFacts } from '../history-facts.ts';
import type { MetricInput } from '../metric.ts';

/** A source file that no figure about code counts. */
export interface LeftOutCode extends Pick<LeftOut, 'rule' | 'by'> {
  path: string;
  test: boolean;
  /** Code lines; of what could not be read or stands on very long ones, as many as its bytes would make. */
  lines: number;
  /** Null of what could not be read. */
  glance: Glance | null;
}

/** Another repository, of which the tree has only a commit. */
export interface Submodule {
  path: string;
  /** It lies among tests or documentation. */
  aside: boolean;
}

/** Where no line can be counted. */
const bytesOfLine = 40;
const namedFiles = 5;
const unparsed = ['binary', 'not_utf8', 'generated', 'minified', 'parse_error', 'timeout', 'unreadable'] as const;

/** Every source file that is neither measured nor documentation by its path, with the rule that left it out; by path. */
export function leftOutCode(known: {
  opened: Pick<OpenSnapshot, 'files' | 'aside' | 'unread'>;
  /** By their content. */
  skipped: readonly Skipped[];
  glances: ReadonlyMap<string, Glance>;
  resolved: readonly ResolvedPackage[];
  history: HistoryFacts | null;
}): LeftOutCode[] {
  const { opened, skipped, glances, resolved, history } = known;
  const isNamed = accountOf(resolved);
  // What was the repository's own is no package of others, wherever it was moved.
  const isAccounted = (path: string) => isNamed(path) && !history?.movedAway.has(path);
  const reasons = new Map(skipped.map(({ path, reason }) => [path, reason]));
  const code = ({ path, size, test }: SourceFile, { rule, by }: Pick<LeftOut, 'rule' | 'by'>): LeftOutCode => {
    const glance = glances.get(path) ?? null;
    // Code that nothing but its long lines calls minified is as much as a person would have written.
    const isSqueezed = glance === null || (rule === 'minified' && by === 'content');
    const lines = isSqueezed ? Math.max(glance?.code ?? 0, Math.round(size / bytesOfLine)) : glance.code;
    return { path, test, rule, by, lines, glance };
  };
  const isSource = ({ countedAs }: SourceFile) => countedAs.language !== null;
  return [
    ...opened.aside
      .filter(isSource)
      .map((file) => code(file, { rule: file.reason, by: isAccounted(file.path) ? 'package_manager' : file.by })),
    ...opened.unread
      .filter(isSource)
      .map((file) => code(file, { rule: file.reason, by: isAccounted(file.path) ? 'package_manager' : 'content' })),
    ...opened.files.flatMap((file) => {
      const rule = unparsed.find((each) => each === reasons.get(file.path));
      return rule === undefined || file.countedAs.language === null ? [] : [code(file, { rule, by: 'content' })];
    }),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const isTest = anyOf(tests);
const isDocumentation = anyOf(documentation);

/** Of a tree, by path. */
export const submodulesIn = ({ skipped }: Pick<OpenSnapshot, 'skipped'>): Submodule[] =>
  skipped
    .filter(({ reason }) => reason === 'submodule')
    .map(({ path }) => ({ path, aside: isTest(`${path}/`) || isDocumentation(`${path}/`) }));

/** Packages of others that lie where their package manager puts them, and that a lockfile names. */
function accountOf(resolved: readonly ResolvedPackage[]): (path: string) => boolean {
  const names = new Set(resolved.map(({ name }) => name));
  return (path) => {
    const inside = /(?:^|\/)(?:vendor|node_modules)\/(.+)$/.exec(path)?.[1]?.split('/') ?? [];
    return inside.some((_, index) => index > 0 && names.has(inside.slice(0, index).join('/')));
  };
}

/** What was left out, a row a rule: of what nothing is known first, then the most lines. */
export function leftOutRows(
  code: readonly LeftOutCode[],
  { submodules, packagesElsewhere }: Pick<MetricInput, 'submodules' | 'packagesElsewhere'>,
): LeftOut[] {
  const groups = Map.groupBy(code, ({ rule, by }) => `${rule} ${by}`);
  const rows = [...groups.values()]
    .flatMap((all) => {
      const largest = all.toSorted((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1));
      const [first] = largest;
      if (!first) return [];
      const { rule, by } = first;
      const lines = all.reduce((sum, each) => sum + each.lines, 0);
      return [{ rule, by, files: all.length, lines, largest: largest.slice(0, namedFiles).map(({ path }) => path) }];
    })
    .sort((a, b) => b.lines - a.lines || (`${a.rule} ${a.by}` < `${b.rule} ${b.by}` ? -1 : 1));
  const unseen = (rule: LeftOut['rule'], by: LeftOut['by'], names: readonly string[]): LeftOut[] =>
    names.length === 0 ? [] : [{ rule, by, files: names.length, lines: null, largest: names.slice(0, namedFiles) }];
  return [
    ...unseen(
      'submodule',
      'git',
      submodules.map(({ path }) => path),
    ),
    ...unseen(
      'package',
      'manifest',
      packagesElsewhere.map(({ path, name }) => `${path}: ${name}`),
    ),
    ...rows,
  ];
}
