import { metricCatalog } from '../model/due-diligence.ts';
import type { LeftOut, Metric, MetricId, MetricReason } from '../model/due-diligence.ts';
import { plain } from '../model/plain.ts';
import type { Licences } from './licences.ts';
import type { Rank } from './population/ranks.ts';
import type { Remediation } from './remediation.ts';
import type { Scenario } from './scenarios.ts';
import type { Horizon } from './scoring-model.ts';
import type { ChartPoint, TrendPoint } from './trend.ts';

const causeWords = ({ path, note }: TrendPoint['changes'][number]['came'][number]) =>
  [path, note].filter((part) => part !== null && part !== '').join(': ');

/** `Complexity fell from 61 to 48; new: lib/app.js: 3 functions; gone: …`. */
export function changeWords({ title, before, after, came, went }: TrendPoint['changes'][number]): string {
  const moved = `${title} ${after > before ? 'rose' : 'fell'} from ${numberWords(Math.round(before))} to ${numberWords(Math.round(after))}`;
  const listed = (what: string, causes: typeof came) =>
    causes.length === 0 ? [] : [`${what}: ${causes.map(causeWords).join(', ')}`];
  return [moved, ...listed('new', came), ...listed('gone', went)].join('; ');
}

/** That the report's grade is not that of the last point of its trend. */
export const nowWords = ({ as_of, score, grade }: ChartPoint, last: TrendPoint): string =>
  `Each point is graded as of its own day, by what the repository itself holds; this report, of ${as_of}, grades the commit of ${last.as_of} at ${score === null ? 'no score' : numberWords(Math.floor(score))}${grade === null ? '' : ` (${grade})`}.`;

/** Why something could not be measured, for people. */
export const reasonWords: Record<MetricReason, string> = {
  no_source_code: 'there is no source code',
  code_elsewhere: 'most of the code may lie in submodules or packages by an address, of which nobody sees a line',
  no_report_found: 'no coverage report was found',
  report_stale: 'the coverage report is of other files',
  report_incomplete: 'the coverage reports know too little of the code',
  unsupported_language: 'most of the code is in a language that is not parsed',
  not_a_git_repository: 'it is no git repository and has no history',
  history_too_short: 'the history is too short',
  shallow_clone: 'the clone has only a part of its history',
  squash_history: 'branches are squashed, so the history does not tell',
  no_manifest: 'no manifest names dependencies',
  library_repo: 'it is a library, for which the question does not arise',
  no_ci_config: 'there is no CI configuration',
  no_container_or_workflow: 'there is neither a container nor a workflow',
  vulnerability_db_absent: 'no database of vulnerabilities is at hand',
  nothing_to_measure: 'there is nothing of the kind',
  timeout: 'it took too long',
  parse_error: 'a file could not be read',
};

const leftOutRules: Record<LeftOut['rule'], string> = {
  vendored: 'somebody else’s',
  generated: 'written by a tool',
  minified: 'minified',
  too_large: 'too large',
  binary: 'no text',
  not_utf8: 'not in UTF-8',
  parse_error: 'not readable by the parser',
  timeout: 'not read in time',
  unreadable: 'not readable',
  documentation: 'documentation or an example',
  submodule: 'another repository’s, of which only the commit is known',
  package: 'from an address and no registry, so that nobody sees its code',
};
const leftOutSources: Record<LeftOut['by'], string> = {
  gitattributes: 'so says .gitattributes',
  path: 'by the path',
  content: 'by the content',
  package_manager: 'a lockfile names the package',
  git: 'as git has it',
  manifest: 'as a manifest asks for it',
};
/** `somebody else’s, so says .gitattributes`. */
export const leftOutWords = ({ rule, by }: Pick<LeftOut, 'rule' | 'by'>) =>
  `${leftOutRules[rule]}, ${leftOutSources[by]}`;

export const horizonWords: Record<Horizon, string> = {
  deal_critical: 'Before the deal',
  post_deal: 'After the deal',
  long_term: 'In the long term',
};

/** `supply_chain` as `Supply chain`. */
export const titleOf = (id: string) =>
  id === 'ci' ? 'CI' : `${id.slice(0, 1).toUpperCase()}${id.slice(1).replaceAll('_', ' ')}`;

export const metricName = (id: MetricId) => metricCatalog.find((metric) => metric.id === id)?.name ?? id;

const one: Record<string, string> = { people: 'person' };

/** `12.3 %`, `1 file`; null where there is no value. */
export function valueWords({ value, unit }: Pick<Metric, 'value' | 'unit'>): string | null {
  if (value === null) return null;
  if (unit === '0/1') return value === 0 ? 'no' : 'yes';
  if (unit === 'count') return numberWords(value);
  return `${numberWords(value)} ${value === 1 ? (one[unit] ?? unit.replace(/s$/, '')) : unit}`;
}

const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
/** With thousands apart, and one decimal at most. */
export const numberWords = (value: number) => format.format(value);

export const percentWords = (share: number) => `${Math.round(100 * share)} %`;

/** `percentile 61 of 163 (all)`; null where there is none. */
export const rankWords = (rank: Rank | null | undefined) =>
  rank ? `percentile ${numberWords(rank.percentile)} of ${rank.repositories} (${rank.among})` : null;

/** An estimate of ten hours and more has no decimals. */
export const hourWords = (hours: number) => numberWords(hours < 10 ? hours : Math.round(hours));

export const hoursWords = ({ hours }: Pick<Remediation, 'hours'>) =>
  `${hourWords(hours.low)} to ${hourWords(hours.high)} hours, likely ${hourWords(hours.likely)}`;

export const costWords = ({ cost, currency }: Pick<Remediation, 'cost' | 'currency'>) =>
  `${currency} ${numberWords(cost.low)} to ${numberWords(cost.high)}, likely ${numberWords(cost.likely)}`;

/** What it takes to be graded better, for every grade that takes something; dimensions that it does not suffice for are named. */
export function targetsOf({ to_grade: targets }: Pick<Remediation, 'to_grade'>) {
  return targets
    .map(({ grade, hours, by_dimension }) => ({
      grade,
      hours: hoursWords({ hours }),
      isFree: hours.high === 0,
      outOfReach: by_dimension.filter(({ reached }) => !reached).map(({ id }) => titleOf(id)),
    }))
    .filter(({ isFree, outOfReach }) => !isFree || outOfReach.length > 0);
}

/** What a scenario takes, and what comes first. */
export function scenarioWords(
  { title, reached, hours, cost, parts, first }: Scenario,
  currency: string,
  titleOfFactor: (id: string) => string,
) {
  const assumed = parts.filter((part) => part.assumed).map((part) => titleOfFactor(part.id));
  return {
    title,
    hours: reached && hours.high === 0 ? 'none: it is there' : hoursWords({ hours }),
    cost: reached && hours.high === 0 ? '' : costWords({ cost, currency }),
    notes: [
      ...(reached ? [] : ['does not suffice']),
      ...first.map(
        (cause) => `first: ${titleOfFactor(cause.factor_id)}${cause.hours === null ? ', which no work removes' : ''}`,
      ),
      ...(assumed.length === 0 ? [] : [`assumed, as not measured: ${assumed.join(', ')}`]),
    ].join('; '),
  };
}

/** What has no value, by why; what does not apply here is last and has no reason to be known. */
export function gapsOf(matrix: readonly Metric[]): { reason: string | null; names: string[] }[] {
  const gaps = matrix
    .filter(({ value }) => value === null)
    .map(({ id, status, reason }) => ({
      name: metricName(id),
      reason: status === 'not_applicable' || reason === null ? null : reasonWords[reason],
    }));
  return Array.from(
    Map.groupBy(gaps, ({ reason }) => reason),
    ([reason, list]) => ({ reason, names: list.map(({ name }) => name) }),
  ).toSorted((a, b) => Number(a.reason === null) - Number(b.reason === null));
}

/** What is known of licences in sentences; names are anybody's. */
export function licenceWords({ own, packages, shipped, unknown, copyleft, conflicts }: Licences): string {
  const listed = (names: readonly string[]) =>
    names.length === 0
      ? 'none'
      : `${names.length} (${names.slice(0, 5).map(plain).join(', ')}${names.length > 5 ? ' …' : ''})`;
  return [
    `${packages} packages, ${shipped === null ? 'which of them are shipped nobody says' : `${shipped} of them shipped`}.`,
    `Of these, without a known licence: ${unknown}; copyleft: ${listed(copyleft.strong)}, for files alone: ${listed(copyleft.weak)};`,
    conflicts === null
      ? 'conflicts are not known, as the repository’s own licence is not.'
      : `in conflict with ${plain(own ?? '')}: ${listed(conflicts)}.`,
  ].join(' ');
}
