import { yearMs } from '../history-facts.ts';
import type { MetricSource } from '../metric.ts';
import { asksForNothing, isManifest } from './direct-dependency-count.ts';
import { isLockfile } from './lockfile-coverage-pct.ts';

const configuration =
  /^(\.github\/dependabot\.ya?ml|\.dependabot\/config\.ya?ml|(\.github\/|\.gitlab\/)?renovate\.json5?|\.renovaterc(\.json5?)?|\.scala-steward\.conf|\.github\/\.scala-steward\.conf|\.pyup\.ya?ml|\.github\/updatecli[^/]*\.ya?ml|updatecli\/.*)$/;

/** 1 where a bot keeps dependencies fresh: by its configuration, or by its commits to manifests (Scorecard: Dependency-Update-Tool). */
export const dependencyUpdateAutomation: MetricSource = {
  id: 'dependency_update_automation',
  version: 2,
  measure(input) {
    const { paths, requires, history } = input;
    if (requires.length === 0 && !paths.some(isManifest)) return { value: null, reason: 'no_manifest' };
    const configured = paths.filter((path) => configuration.test(path));
    const updates = (history?.commits ?? []).filter(
      ({ bot, committedAt, paths: changed }) =>
        bot &&
        (history?.headAt ?? 0) - committedAt <= yearMs &&
        (changed?.some((path) => isManifest(path) || isLockfile(path) || path.startsWith('.github/workflows/')) ??
          false),
    );
    if (configured.length + updates.length === 0 && asksForNothing(input))
      return { value: null, reason: 'nothing_to_measure', notApplicable: true };
    return {
      value: configured.length > 0 || updates.length > 0 ? 1 : 0,
      evidence: [
        ...configured.map((path) => ({ path })),
        ...updates.map(({ id, subject }) => ({ commit: id, note: subject })),
      ],
    };
  },
};
