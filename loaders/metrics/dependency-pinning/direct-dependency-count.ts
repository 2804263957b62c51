import type { MetricInput, MetricSource } from '../metric.ts';

/** Distinct packages that the manifests ask for themselves (CHAOSS: upstream code dependencies). */
export const directDependencyCount: MetricSource = {
  id: 'direct_dependency_count',
  version: 1,
  measure({ requires, publishes, paths }) {
    if (requires.length === 0 && !paths.some(isManifest)) return { value: null, reason: 'no_manifest' };
    const isOwn = ownPackages(publishes);
    const packages = new Map<string, { path: string; line: number | null; note: string }>();
    for (const each of requires) {
      const { ecosystem, name, range, scope, path, line } = each;
      const key = `${ecosystem} ${name}`;
      if (!isOwn(each) && !packages.has(key))
        packages.set(key, { path, line, note: `${name} ${range ?? 'any'} (${ecosystem}, ${scope})` });
    }
    return { value: packages.size, numerator: packages.size, evidence: [...packages.values()] };
  },
};

const manifest =
  /(^|\/)(package\.json|pyproject\.toml|setup\.(py|cfg)|requirements[^/]*\.txt|Pipfile|go\.mod|pom\.xml|build\.gradle(\.kts)?|Cargo\.toml|composer\.json|Gemfile|[^/]+\.(csproj|gemspec)|pubspec\.yaml|mix\.exs|Package\.swift)$/;

/** Whether a file declares dependencies. */
export const isManifest = (path: string): boolean => manifest.test(path);

/** What one module of the repository needs of another comes from nowhere else. */
function ownPackages(publishes: MetricInput['publishes']): (named: { ecosystem: string; name: string }) => boolean {
  const own = new Set(publishes.map(({ ecosystem, name }) => `${ecosystem} ${name}`));
  return ({ ecosystem, name }) => own.has(`${ecosystem} ${name}`);
}

/** Whether there is nothing to keep fresh: no manifest asks for a package of others, and no lockfile has one. */
export const asksForNothing = ({ requires, publishes, resolved }: MetricInput): boolean =>
  resolved.length === 0 && requires.every(ownPackages(publishes));
