import type { MetricInput } from '../metric.ts';
import type { Finding } from './finding.ts';
import { findingsIn } from './security-pattern-finding-count.ts';

/** Something insecure, whatever found it; `code`: by the rules of insecure code, which no metric counts. */
export type SecurityFinding = Omit<Finding, 'kind'> & { kind: Finding['kind'] | 'secret' | 'code' };

/** Everything insecure in the tree, each as it is counted: secrets, patterns, what scanners reported. */
export function securityFindings(input: MetricInput): SecurityFinding[] {
  const secrets = [
    ...input.files.flatMap(({ path, measures }) => measures.secrets.map(({ rule, line }) => ({ path, rule, line }))),
    ...input.otherSecrets.map(({ path, rule, line }) => ({ path, rule, line })),
  ];
  return [...secrets.map((each) => ({ kind: 'secret' as const, ...each })), ...findingsIn(input)];
}
