import { createHash } from 'node:crypto';
import { anyOf } from '../../snapshot/linguist/any-of.ts';
import { tests } from '../../snapshot/linguist/tests.ts';
import { isAside } from '../../snapshot/is-aside.ts';
import { genericSecretsIn, isForReaders, namesSecret } from './generic-secrets.ts';
import { entropyOf, isPlaceholder } from './placeholders.ts';
import { secretRules } from './secret-rules.ts';

/** Where a secret stands; never the secret itself. */
export interface SecretFinding {
  rule: string;
  line: number;
  /** The first 12 hex digits of its SHA-256: enough to see that two are the same, and to look for it. */
  digest: string;
  /** The rule knows who gave it out. */
  provider: boolean;
  /** In a test, an example or a text for people, where it most likely opens nothing: it counts less. */
  aside?: true;
}

/** A secret where it was found, before it is forgotten. */
export interface FoundSecret {
  rule: string;
  at: number;
  secret: string;
  provider: boolean;
  aside?: boolean;
}

const isTest = anyOf(tests);
const lettersOf = [/^(?:\(\?:|\[)?[a-z]/, /^(?:\(\?:|\[)?[A-Z]/];
/** Those that begin with small letters, those with capitals, and others: as one they take twice the time, for all are tried where any word begins. */
const hints = Array.from(
  Map.groupBy(secretRules, ({ hint }) => lettersOf.findIndex((letters) => letters.test(hint))).values(),
  // Bounded: what a hint fits has `maxHintLength` characters at most.
  (rules) => new RegExp(String.raw`\b(?:${rules.map(({ hint }) => hint).join('|')})`),
);
/** On both sides something else than more of the same. */
const compiled = secretRules.map((rule) => ({
  ...rule,
  // Bounded: a rule's own, which is checked where it is made.
  expression: new RegExp(`(?<![A-Za-z0-9_])(?:${rule.pattern})`, 'g'),
}));
const notOurs =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|deno\.lock|[^/]+\.lock|go\.sum|[^/]*gitleaks[^/]*\.toml|\.secrets\.baseline|[^/]+\.(map|svg))$/i;
/** Texts of few bytes that are no source code: settings, keys, notes. */
const searched =
  /(^|\/)(\.env[^/]*|\.(npmrc|pypirc|netrc|git-credentials|dockercfg|htpasswd)|id_(rsa|dsa|ecdsa|ed25519)|credentials|config|[^/]+\.(env|ya?ml|json|jsonc|json5|properties|toml|ini|xml|pem|key|ppk|asc|conf|cfg|config|plist|tf|tfvars|hcl|md|rst|adoc|txt|html?|ipynb|http|rest))$/i;

/** Whether a file that is no source file is worth searching. */
export const mayHoldSecrets = (path: string): boolean => searched.test(path) && !notOurs.test(path);

/** Of what the quick look finds something by. */
export const maxHintLength = 128;

/** A quick look, which passes over most texts without one. */
export const mayShowSecrets = (source: string): boolean => namesSecret(source) || isHinted(source);

/** What was asked of last: whoever has had a quick look asks again for a closer one. */
let last = { source: '', is: false };

function isHinted(source: string): boolean {
  if (last.source !== source) last = { source, is: hints.some((each) => each.test(source)) };
  return last.is;
}

const seam = /["'`][ \t]{0,20}\+[ \t]{0,20}["'`]/g;

/** A file holds more only when it is made to. */
const maxFindings = 1_000;

/**
 * The secrets of one file: a provider's form (keyword, then pattern), enough entropy, no placeholder; and what is assigned to a name
 * that says so. What tests and documentation hold counts in full only when a provider gave it out.
 */
export function secretsIn(written: string, path: string): SecretFinding[] {
  if (notOurs.test(path)) return [];
  // Halves on one line are one secret.
  const source = written.replaceAll(seam, '');
  const isSample =
    isTest(path) || isAside(path) || /[._-](example|sample|template|dist|tmpl|test[_-]?data)(\.|$)/i.test(path);
  const found = [
    ...(isHinted(source) ? providersIn(source, isSample) : []),
    ...genericSecretsIn(source, path).map((each) => ({
      ...each,
      aside: each.aside === true || isSample || isForReaders(path),
    })),
  ];
  if (found.length === 0) return [];
  const lineAt = lineCounter(source);
  const findings = found
    .slice(0, maxFindings)
    .toSorted((a, b) => a.at - b.at)
    .map(({ rule, at, secret, provider, aside = false }): SecretFinding => ({
      rule,
      line: lineAt(at),
      digest: digestOf(secret),
      provider,
      ...(aside ? { aside } : {}),
    }));
  const told = new Set(findings.filter(({ rule }) => rule !== 'generic').map(({ line }) => line));
  return findings.filter(({ rule, line }) => rule !== 'generic' || !told.has(line));
}

function providersIn(source: string, isSample: boolean): FoundSecret[] {
  return compiled.flatMap(({ id, expression, minEntropy, commonInTests, generic }) => {
    const found: FoundSecret[] = [];
    for (const { 0: secret, index: at } of source.matchAll(expression)) {
      if (/[A-Za-z0-9]/.test(source[at + secret.length] ?? '') && id !== 'private_key') continue;
      // The form's own words are no part of what is random.
      const random = id === 'private_key' ? secret.slice(-48) : secret;
      if (entropyOf(random) >= minEntropy && !isPlaceholder(random))
        found.push({ rule: id, at, secret, provider: !generic, aside: isSample && commonInTests === true });
      if (found.length >= maxFindings) break;
    }
    return found;
  });
}

const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 12);

/** Lines of growing offsets, each character looked at once. */
function lineCounter(source: string): (at: number) => number {
  let line = 1;
  let next = source.indexOf('\n');
  return (at) => {
    for (; next !== -1 && next < at; next = source.indexOf('\n', next + 1)) line += 1;
    return line;
  };
}
