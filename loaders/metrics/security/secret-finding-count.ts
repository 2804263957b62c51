import type { MetricInput, MetricSource } from '../metric.ts';
import { secretRulesVersion } from './secret-rules.ts';
import type { SecretFinding } from './secrets-in.ts';

/**
 * Secrets in the files of the commit, by gitleaks' way: keyword, pattern, entropy, allow-lists; also in files that no other figure
 * counts. Those that are `aside` are no part of the value, but of the evidence and the score. What history holds is not looked at.
 */
export const secretFindings: MetricSource = {
  id: 'secret_finding_count',
  version: secretRulesVersion + 1,
  measure(input) {
    const findings = secretsOf(input).toSorted(
      (a, b) =>
        Number(a.aside ?? false) - Number(b.aside ?? false) ||
        Number(b.provider) - Number(a.provider) ||
        (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
    );
    const counted = findings.filter(({ aside }) => !aside);
    const provider = counted.filter((finding) => finding.provider).length;
    return {
      value: counted.length,
      numerator: counted.length,
      evidence: findings.map(({ path, line, rule, digest, aside }) => ({
        path,
        line,
        note: `${rule} (sha256 ${digest}…)${aside ? ', aside: it counts less' : ''}`,
      })),
      quantities: { provider, generic: counted.length - provider, aside: findings.length - counted.length },
    };
  },
};

/** Of source, of settings and texts, and of source that is left out. */
export function secretsOf({
  files,
  aside,
  leftOut,
  otherSecrets,
}: Pick<MetricInput, 'files' | 'aside' | 'leftOut' | 'otherSecrets'>): (SecretFinding & { path: string })[] {
  return [
    ...[...files, ...aside].flatMap(({ path, measures }) => measures.secrets.map((finding) => ({ path, ...finding }))),
    ...leftOut.flatMap(({ path, by, glance }) =>
      (glance?.secrets ?? []).map((finding) => ({
        path,
        ...finding,
        ...(by === 'package_manager' ? { aside: true as const } : {}),
      })),
    ),
    ...otherSecrets,
  ];
}
