import { posix } from 'node:path';
import type { Requirement } from '../../../src/model/snapshot.ts';
import { ecosystems } from '../../../src/model/ecosystems/index.ts';
import { isAside } from '../../snapshot/is-aside.ts';
import { foldersUp } from '../folders-up.ts';
import type { MetricInput, MetricSource } from '../metric.ts';

/** A kind of manifest and the lockfiles that belong to it, in its folder or at the root of its workspace. */
const kinds: readonly { manifest: RegExp; id: string; lockfiles: readonly string[] }[] = [
  ...ecosystems,
  // Of these nothing else is known.
  { id: 'hex', manifest: /(^|\/)mix\.exs$/, lockfiles: ['mix.lock'] },
  { id: 'pub', manifest: /(^|\/)pubspec\.yaml$/, lockfiles: ['pubspec.lock'] },
];

const names = new Set(kinds.flatMap(({ lockfiles }) => lockfiles));

/** Whether a file is one that a package manager writes exact versions into. */
export const isLockfile = (path: string): boolean => names.has(posix.basename(path));

/**
 * Manifests of applications with dependencies that have a lockfile which names them. A library leaves the choice to whoever uses it, so it needs
 * none (ossf/scorecard #1315, #1826).
 */
export const lockfileCoverage: MetricSource = {
  id: 'lockfile_coverage_pct',
  version: 2,
  reads: isLockfile,
  measure(input) {
    const manifests = manifestsOf(input);
    if (manifests.length === 0) return { value: null, reason: 'no_manifest' };
    const applications = manifests.filter(({ isLibrary, isLocked }) => !isLibrary || isLocked);
    if (applications.length === 0) return { value: null, reason: 'library_repo', notApplicable: true };
    const loose = applications.filter(({ isLocked }) => !isLocked);
    return {
      value: (100 * (applications.length - loose.length)) / applications.length,
      numerator: applications.length - loose.length,
      denominator: applications.length,
      evidence: loose.map(({ path }) => ({ path, note: 'no lockfile in its folder or above names its packages' })),
      quantities: { manifests: loose.length },
    };
  },
};

function manifestsOf({ paths, requires, publishes, text }: MetricInput) {
  const all = new Set(paths);
  const needed = Map.groupBy(requires, ({ path }) => path);
  return paths
    .filter((path) => !isAside(path))
    .flatMap((path) => {
      const kind = kinds.find(({ manifest }) => manifest.test(path));
      const packages = needed.get(path);
      if (!kind || !packages) return [];
      const isLocked =
        foldersUp(posix.dirname(path)).some((folder) =>
          kind.lockfiles.some((name) => {
            const lockfile = posix.join(folder, name);
            return all.has(lockfile) && namesThem(text(lockfile), packages);
          }),
        ) || isExact(path, text(path) ?? '');
      return [{ path, isLocked, isLibrary: isLibrary(path, kind.id, publishes, text(path) ?? '') }];
    });
}

/** Whether a lockfile has at least half of what is asked for; of one that nobody can read it is assumed. */
function namesThem(lockfile: string | null, packages: readonly Requirement[]): boolean {
  if (lockfile === null || !packages.some(({ ecosystem }) => listed.has(ecosystem))) return true;
  const plain = (text: string) => text.toLowerCase().replaceAll(/[._]/g, '-');
  const text = plain(lockfile);
  return packages.filter(({ name }) => text.includes(plain(name))).length * 2 >= packages.length;
}

/** Whose lockfiles call packages what manifests call them. */
const listed: ReadonlySet<string> = new Set(['npm', 'pypi', 'go', 'cargo', 'composer', 'rubygems']);

/** A requirements file in which every line names one version is a lockfile itself (pip-compile writes such). */
function isExact(path: string, text: string): boolean {
  if (!/requirements[^/]*\.txt$/.test(path)) return false;
  const lines = text.split('\n').map((line) => line.trim());
  const needs = lines.filter((line) => line !== '' && !/^(#|-|\\|--)/.test(line));
  return needs.length > 0 && needs.every((line) => /==|@ /.test(line));
}

/** What is published for others to build on; a private package, or one that publishes nothing, is an application. */
function isLibrary(path: string, ecosystem: string, publishes: MetricInput['publishes'], text: string): boolean {
  if (path.endsWith('package.json') && /"private"\s*:\s*true/.test(text)) return false;
  if (path.endsWith('requirements.txt')) return false;
  return publishes.some((each) => each.ecosystem === ecosystem);
}
