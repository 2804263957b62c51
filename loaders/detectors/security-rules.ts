import { insecureCodeRule } from './insecure-code/rules.ts';

/** What a finding means: its class (cwe.mitre.org), how bad it is, and one sentence. */
export interface SecurityRule {
  cwe: string;
  severity: 'low' | 'medium' | 'high' | 'critical';
  message: string;
}

const rules: Readonly<Record<string, SecurityRule>> = {
  untrusted_checkout: {
    cwe: 'CWE-829',
    severity: 'critical',
    message: 'A workflow runs code of a pull request with the rights and secrets of the repository.',
  },
  script_injection: {
    cwe: 'CWE-78',
    severity: 'critical',
    message: 'A workflow puts what anybody may write, as a title or a branch name, into a command.',
  },
  token_write_all: {
    cwe: 'CWE-250',
    severity: 'medium',
    message: 'A workflow’s token may change everything.',
  },
  binary_artifact: {
    cwe: 'CWE-506',
    severity: 'medium',
    message: 'A program is in the tree, which nobody can review.',
  },
  committed_key: { cwe: 'CWE-321', severity: 'high', message: 'A private key is in the tree.' },
  committed_environment: {
    cwe: 'CWE-312',
    severity: 'high',
    message: 'A file of settings with credentials is in the tree.',
  },
  dockerfile_floating_image: {
    cwe: 'CWE-494',
    severity: 'low',
    message: 'An image may change from build to build: neither a version nor a digest is named.',
  },
  dockerfile_root: { cwe: 'CWE-250', severity: 'medium', message: 'The container runs as root.' },
  no_security_policy: {
    cwe: 'CWE-1059',
    severity: 'low',
    message: 'Nobody is told to whom a vulnerability can be reported.',
  },
  generic: {
    cwe: 'CWE-798',
    severity: 'medium',
    message: 'What looks random is assigned to a name that says it is a secret.',
  },
};

const levels: Readonly<Record<string, SecurityRule['severity']>> = { error: 'high', warning: 'medium' };

/** What a rule's finding means; of a scanner's report that it was reported, and at which level. */
export function securityRule(kind: string, rule: string): SecurityRule {
  const known = kind === 'code' ? insecureCodeRule(rule) : rules[rule];
  if (known) return known;
  if (kind === 'secret')
    return { cwe: 'CWE-798', severity: 'high', message: `A secret is in the tree: ${rule.replaceAll('_', ' ')}.` };
  const level = /\((\w+)\)$/.exec(rule)?.[1] ?? '';
  return { cwe: 'CWE-710', severity: levels[level] ?? 'medium', message: `A scanner reported ${rule}.` };
}
