import { compare as comparePep440, valid as validPep440 } from '@renovatebot/pep440';
import semver from 'semver';
import { z } from 'zod';
import { ecosystemByOsv } from '../../src/model/ecosystems/index.ts';
import type { ResolvedPackage } from '../manifests/resolved-packages.ts';

export const severities = ['critical', 'high', 'moderate', 'low', 'unknown'] as const;
export type Severity = (typeof severities)[number];

/** What one OSV record says of one package. */
export interface Advisory {
  id: string;
  severity: Severity;
  versions: ReadonlySet<string>;
  /** Events of each range, as they are written. */
  ranges: readonly (readonly RangeEvent[])[];
}

/** Advisories of packages, by `ecosystem name`, and of which ecosystems there are any. */
export interface KnownAdvisories {
  ecosystems: ReadonlySet<string>;
  of: ReadonlyMap<string, readonly Advisory[]>;
  /** Why some could not be read, so that nobody takes what is missing for none. */
  unreadable: string | null;
}

interface RangeEvent {
  introduced?: string | undefined;
  fixed?: string | undefined;
  last_affected?: string | undefined;
}

const optionalText = z.string().optional().catch(undefined);
const record = z.object({
  id: z.string().max(200),
  withdrawn: optionalText,
  severity: z
    .array(z.object({ type: z.string(), score: z.string().max(500) }))
    .optional()
    .catch(undefined),
  database_specific: z.object({ severity: optionalText }).optional().catch(undefined),
  affected: z.array(
    z.object({
      package: z.object({ ecosystem: z.string(), name: z.string() }).optional().catch(undefined),
      versions: z.array(z.string()).optional().catch(undefined),
      ranges: z
        .array(
          z.object({
            type: z.string(),
            events: z.array(z.object({ introduced: optionalText, fixed: optionalText, last_affected: optionalText })),
          }),
        )
        .optional()
        .catch(undefined),
    }),
  ),
});

/** Reads an OSV record: what it says of each package of an ecosystem, by name; nothing for one that was withdrawn, or is none. */
export function readAdvisory(text: string, ecosystem: ResolvedPackage['ecosystem']): Map<string, Advisory> {
  const advisories = new Map<string, Advisory>();
  const read = record.safeParse(parseJson(text));
  if (!read.success || read.data.withdrawn !== undefined) return advisories;
  const { id, affected } = read.data;
  for (const { package: named, versions = [], ranges = [] } of affected) {
    if (named?.ecosystem !== ecosystem) continue;
    const known = advisories.get(named.name);
    advisories.set(named.name, {
      id,
      severity: severityOf(read.data),
      versions: new Set([...(known?.versions ?? []), ...versions]),
      ranges: [
        ...(known?.ranges ?? []),
        ...ranges.filter(({ type }) => type === 'SEMVER' || type === 'ECOSYSTEM').map(({ events }) => events),
      ],
    });
  }
  return advisories;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a version is affected: it is listed, or lies in a range (OSV schema, evaluation algorithm). */
export function affects({ versions, ranges }: Advisory, { ecosystem, version }: ResolvedPackage): boolean {
  return versions.has(version) || ranges.some((events) => isInside(events, ecosystem, version));
}

function isInside(events: readonly RangeEvent[], ecosystem: ResolvedPackage['ecosystem'], version: string): boolean {
  const atMost = (bound: string) => bound === '0' || (compareVersions(ecosystem, bound, version) ?? 1) <= 0;
  const below = (bound: string) => (compareVersions(ecosystem, bound, version) ?? 1) < 0;
  const bounds = events.flatMap(({ introduced, fixed, last_affected: last }) => [
    ...(introduced !== undefined && atMost(introduced) ? [{ at: introduced, affected: true }] : []),
    ...(fixed !== undefined && atMost(fixed) ? [{ at: fixed, affected: false }] : []),
    ...(last !== undefined && below(last) ? [{ at: last, affected: false }] : []),
  ]);
  // The bound next below the version tells; where two are equal, the one that ends.
  const ordered = bounds.toSorted(
    (a, b) => compareBounds(ecosystem, a.at, b.at) || Number(b.affected) - Number(a.affected),
  );
  return ordered.at(-1)?.affected ?? false;
}

function compareBounds(ecosystem: ResolvedPackage['ecosystem'], a: string, b: string): number {
  if (a === '0' || b === '0') return Number(a !== '0') - Number(b !== '0');
  return compareVersions(ecosystem, a, b) ?? 0;
}

/** The first version above this one that no longer is affected; null where there is none. */
export function fixOf({ ranges }: Advisory, { ecosystem, version }: ResolvedPackage): string | null {
  return ranges
    .flat()
    .flatMap(({ fixed }) =>
      fixed !== undefined && (compareVersions(ecosystem, fixed, version) ?? 0) > 0 ? [fixed] : [],
    )
    .reduce<string | null>(
      (least, each) => (least === null || (compareVersions(ecosystem, each, least) ?? 0) < 0 ? each : least),
      null,
    );
}

/** Negative where a is the older one; null where the versions can't be compared. */
export function compareVersions(ecosystem: ResolvedPackage['ecosystem'], a: string, b: string): number | null {
  const versions = ecosystemByOsv(ecosystem)?.versions;
  if (versions === 'pep440') return validPep440(a) && validPep440(b) ? comparePep440(a, b) : null;
  if (versions === 'numbers') return compareNumbers(a, b);
  const [left, right] = [semver.parse(a, { loose: true }), semver.parse(b, { loose: true })];
  return left && right ? semver.compare(left, right) : null;
}

/** Of releases alone: what stands for a pre-release differs from one ecosystem to another. */
function compareNumbers(a: string, b: string): number | null {
  const [left, right] = [a, b].map((each) => (/^v?\d+(\.\d+)*$/.test(each) ? each.replace('v', '').split('.') : null));
  if (!left || !right) return null;
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = Number(left[at] ?? 0) - Number(right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** As the database says it, else by the CVSS 3 vector; a package made to do harm is as bad as it gets. */
function severityOf({ id, severity = [], database_specific: own }: z.infer<typeof record>): Severity {
  if (id.startsWith('MAL-')) return 'critical';
  const said = own?.severity?.toLowerCase().replace('medium', 'moderate');
  const known = severities.find((each) => each === said);
  if (known) return known;
  const score = severity.flatMap(({ type, score: vector }) => (type === 'CVSS_V3' ? [baseScore(vector)] : []))[0];
  if (score === undefined || score === null) return 'unknown';
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  return score >= 4 ? 'moderate' : 'low';
}

const weights: Record<string, Record<string, number>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};
const privileges: Record<string, readonly [unchanged: number, changed: number]> = {
  N: [0.85, 0.85],
  L: [0.62, 0.68],
  H: [0.27, 0.5],
};

/** The base score of a CVSS 3 vector (FIRST, CVSS v3.1 specification, 7.1); null for what is none. */
export function baseScore(vector: string): number | null {
  const metrics = new Map(vector.split('/').map((part) => part.split(':', 2) as [string, string]));
  const weight = (name: string) => weights[name]?.[metrics.get(name) ?? ''] ?? Number.NaN;
  const isChanged = metrics.get('S') === 'C';
  const needed = privileges[metrics.get('PR') ?? '']?.[isChanged ? 1 : 0] ?? Number.NaN;
  const base = 1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A'));
  const impact = isChanged ? 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 : 6.42 * base;
  const exploitability = 8.22 * weight('AV') * weight('AC') * needed * weight('UI');
  if (Number.isNaN(impact + exploitability)) return null;
  if (impact <= 0) return 0;
  const sum = Math.min((isChanged ? 1.08 : 1) * (impact + exploitability), 10);
  // Rounded up to a tenth, in whole numbers as the specification's appendix A has it.
  const whole = Math.round(sum * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}
