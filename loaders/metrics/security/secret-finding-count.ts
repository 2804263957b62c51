import type { MetricInput, MetricSource } from '../metric.ts';
import { secretRulesVersion } from './secret-rules.ts';
import type { SecretFinding } from './secrets-in.ts';

/** A secret of the commit, or one that is gone from it and still in its history. */
type Secret = SecretFinding & { path: string; since?: string };

/**
 * Secrets in the files of the commit and in all that its history ever had, by gitleaks' way: keyword, pattern, entropy, allow-lists;
 * also in files that no other figure counts. What was removed can be read all the same: it counts, and is told apart. Those
 * that are `aside` are no part of the value, but of the evidence and the score.
 */
export const secretFindings: MetricSource = {
  id: 'secret_finding_count',
  version: secretRulesVersion + 4,
  measure(input) {
    const findings = [...secretsOf(input), ...removedSecrets(input)].toSorted(
      (a, b) =>
        Number(a.aside ?? false) - Number(b.aside ?? false) ||
        Number(b.provider) - Number(a.provider) ||
        Number(a.since !== undefined) - Number(b.since !== undefined) ||
        (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
    );
    const counted = findings.filter(({ aside }) => !aside);
    const provider = counted.filter((finding) => finding.provider).length;
    return {
      value: counted.length,
      numerator: counted.length,
      evidence: findings.map(({ path, line, rule, digest, aside, since = null }) => ({
        path,
        line,
        commit: since,
        note: [
          `${rule} (sha256 ${digest}…)`,
          ...(since === null ? [] : [`removed, but in history since ${since.slice(0, 12)}`]),
          ...(aside ? ['aside: it counts less'] : []),
        ].join(', '),
      })),
      quantities: {
        provider,
        generic: counted.length - provider,
        removed: counted.filter(({ since }) => since !== undefined).length,
        aside: findings.length - counted.length,
      },
    };
  },
};

/** What the history had and the commit has no more: each secret once, where its oldest commit had it. */
function removedSecrets(input: MetricInput): Secret[] {
  const there = new Set(secretsOf(input).map(({ digest }) => digest));
  return input.pastSecrets
    .filter(({ digest }) => !there.has(digest))
    .map(({ commit, ...finding }) => ({ ...finding, since: commit }));
}

/** Of source, of settings and texts, and of source that is left out. What once stood elsewhere is not excused by being moved to a test. */
export function secretsOf({
  files,
  aside,
  leftOut,
  otherSecrets,
  pastSecrets,
}: Pick<MetricInput, 'files' | 'aside' | 'leftOut' | 'otherSecrets' | 'pastSecrets'>): Secret[] {
  const exposed = new Set(pastSecrets.filter((past) => !past.aside).map(({ digest }) => digest));
  const unexcused = ({ aside: isAside, ...finding }: Secret): Secret =>
    isAside && !exposed.has(finding.digest) ? { ...finding, aside: isAside } : finding;
  const own = [...files, ...aside].flatMap(({ path, measures }) =>
    measures.secrets.map((finding) => ({ path, ...finding })),
  );
  const notCounted = leftOut.flatMap(({ path, by, glance }) =>
    (glance?.secrets ?? []).map((finding) =>
      by === 'package_manager' ? { path, ...finding, aside: true as const } : unexcused({ path, ...finding }),
    ),
  );
  return [...own.map(unexcused), ...notCounted, ...otherSecrets.map(unexcused)];
}
