import type { MetricSource } from '../metric.ts';
import { secretRulesVersion } from './secret-rules.ts';

/** Secrets in the files of the commit, by gitleaks' way: keyword, pattern, entropy, allow-lists. What history holds is not looked at. */
export const secretFindings: MetricSource = {
  id: 'secret_finding_count',
  version: secretRulesVersion,
  measure({ files, otherSecrets }) {
    const findings = [
      ...files.flatMap(({ path, measures }) => measures.secrets.map((finding) => ({ path, ...finding }))),
      ...otherSecrets,
    ].toSorted(
      (a, b) =>
        Number(b.provider) - Number(a.provider) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
    );
    const provider = findings.filter((finding) => finding.provider).length;
    return {
      value: findings.length,
      numerator: findings.length,
      evidence: findings.map(({ path, line, rule, digest }) => ({ path, line, note: `${rule} (sha256 ${digest}…)` })),
      quantities: { provider, generic: findings.length - provider },
    };
  },
};
