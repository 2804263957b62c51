import type { MetricSource } from '../metric.ts';
import { affects, compareVersions, fixOf, severities } from '../../vulnerabilities/advisory.ts';
import type { Advisory } from '../../vulnerabilities/advisory.ts';
import { namesVersions, unreadLockfiles } from '../../manifests/resolved-packages.ts';
import type { ResolvedPackage } from '../../manifests/resolved-packages.ts';

/**
 * Resolved packages with a known vulnerability: those of the lockfiles and bills of materials, against a copy of osv.dev's records (osv-scanner, offline).
 * A version is affected where the record lists it, or by its ranges; of Packagist, RubyGems, Maven and NuGet
 * ranges are compared for releases only.
 */
export const vulnerableDependencies: MetricSource = {
  id: 'known_vulnerable_dependency_count',
  version: 4,
  reads: namesVersions,
  measure({ resolved, advisories, publishes, requires, paths, text }) {
    const looked = resolved.filter(({ ecosystem }) => advisories?.ecosystems.has(ecosystem));
    if (!advisories || (looked.length === 0 && resolved.length > 0))
      return { value: null, reason: 'vulnerability_db_absent' };
    if (advisories.unreadable !== null)
      return { value: null, reason: 'parse_error', evidence: [{ note: advisories.unreadable }] };
    if (resolved.length === 0) {
      if (requires.length === 0) return { value: null, reason: 'no_manifest', notApplicable: true };
      return { value: null, reason: publishes.length > 0 ? 'library_repo' : 'no_manifest' };
    }
    const vulnerable = looked
      .flatMap((each) => {
        const known = advisories.of.get(`${each.ecosystem} ${each.name}`) ?? [];
        const found = known.filter((advisory) => affects(advisory, each));
        return found.length > 0 ? [judge(each, found)] : [];
      })
      .toSorted((a, b) => a.rank - b.rank || (a.note < b.note ? -1 : 1));
    const major = vulnerable.filter(({ isMajor }) => isMajor).length;
    return {
      value: vulnerable.length,
      numerator: vulnerable.length,
      denominator: looked.length,
      evidence: vulnerable.map(({ path, note }) => ({ path, note })),
      quantities: {
        minor: vulnerable.length - major,
        major,
        critical: vulnerable.filter(({ rank }) => rank === severities.indexOf('critical')).length,
        above_moderate: vulnerable.filter(({ rank }) => rank < severities.indexOf('moderate')).length,
        not_looked_up: resolved.length - looked.length,
        unread_lockfiles: unreadLockfiles(paths, text),
      },
    };
  },
};

/** How bad it is, and how far away the version is in which all of it is fixed. */
function judge(each: ResolvedPackage, found: readonly Advisory[]) {
  const { ecosystem, name, version, path, via = [] } = each;
  const rankOf = ({ severity }: Advisory) => severities.indexOf(severity);
  const worstFirst = found.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1));
  const fixes = found.map((advisory) => fixOf(advisory, each));
  const fix = fixes.includes(null)
    ? null
    : fixes.reduce((most, one) => ((compareVersions(ecosystem, one ?? '', most ?? '') ?? 0) > 0 ? one : most));
  const ids = worstFirst.map(({ id, severity }) => `${id} (${severity})`).join(', ');
  return {
    path,
    note: [
      `${name} ${version} (${ecosystem}): ${ids}`,
      fix === null ? 'no fixed version' : `fixed in ${fix}`,
      ...(via.length > 1 ? [`via ${via.slice(0, -1).join(' → ')}`] : []),
    ].join('; '),
    rank: Math.min(...found.map(rankOf)),
    isMajor: fix === null || breaks(version, fix),
  };
}

/** Whether going from one version to the other may need changes: another first number, or the second while the first is 0. */
function breaks(from: string, to: string): boolean {
  const [left = [], right = []] = [from, to].map((version) => version.replace(/^v/, '').split('.').map(Number));
  return left[0] !== right[0] || (left[0] === 0 && left[1] !== right[1]);
}
