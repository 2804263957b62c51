import { posix } from 'node:path';
import { dockerfile, logicalLines } from '../dependency-pinning/build-references.ts';
import type { Finding } from './finding.ts';
import { isPretended } from './placeholders.ts';

/** Endings of programs (Scorecard: Binary-Artifacts); pictures and fonts are data. */
const program =
  /\.(crx|deb|dex|dey|elf|o|a|so|macho|iso|class|jar|bundle|dylib|lib|msi|dll|drv|efi|exe|ocx|pyc|pyo|par|rpm|wasm|whl)$/i;
const wrapper = /(^|\/)gradle\/wrapper\/gradle-wrapper\.jar$/;
const keyStore = /(^|\/)(id_(rsa|dsa|ecdsa|ed25519)|(?!debug\.)[^/]+\.(p12|pfx|jks|keystore|ppk|kdbx))$/i;
const environment = /(^|\/)\.env(\.[\w-]+)*$/;
const sampleEnvironment = /\.(example|sample|template|dist|defaults?|tests?|schema|ci)$/i;
const setting = /^\s*(?:export\s+)?(\w+)\s*=\s*["']?([^\s"'#]{6,})/;
const sensitive = /SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|CREDENTIAL/i;
/** What stands for a value that comes from elsewhere. */
const variable = /^[<$*{]/;
const policy = /^((\.github|docs|\.gitlab)\/)?security(\.(md|rst|txt|adoc|markdown))?$/i;

/** A program in the tree, which nobody can review; Gradle's wrapper is one too, unless a workflow checks it. */
export function binaryArtifacts(paths: readonly string[], isWrapperChecked: boolean): Finding[] {
  return paths
    .filter((path) => program.test(path) && !(isWrapperChecked && wrapper.test(path)))
    .map((path) => ({ kind: 'binary', rule: 'binary_artifact', path, line: null }));
}

/** Whether `insecureFile` looks into a file. */
export const mayHoldSettings = (path: string): boolean => environment.test(path) || dockerfile.test(path);

/** Files that are insecure as they are: keys, settings with passwords, containers' recipes. */
export function insecureFile(path: string, text: string | null): Finding[] {
  const finding = (rule: string, line: number | null = null): Finding[] => [{ kind: 'other', rule, path, line }];
  if (keyStore.test(path)) return finding('committed_key');
  if (dockerfile.test(path)) return text === null ? [] : insecureRecipe(path, text);
  if (!environment.test(path) || sampleEnvironment.test(posix.basename(path)) || text === null) return [];
  const line = text.split('\n').findIndex((each) => {
    const [, name = '', value = ''] = setting.exec(each) ?? [];
    return sensitive.test(name) && !variable.test(value) && !isPretended(value);
  });
  return line === -1 ? [] : finding('committed_environment', line + 1);
}

/** Whoever finds a hole has nobody to tell it to (Scorecard: Security-Policy). */
export function missingPolicy(paths: readonly string[]): Finding[] {
  return paths.some((path) => policy.test(path))
    ? []
    : [{ kind: 'other', rule: 'no_security_policy', path: null, line: null }];
}

/** Images whose content may change from build to build, and a last stage that runs as root. */
function insecureRecipe(path: string, text: string): Finding[] {
  const found: Finding[] = [];
  /** User of each stage, by its name: a stage that begins from another keeps it. */
  const users = new Map<string, string | null>();
  let last: { user: string | null; line: number; name: string | null } | null = null;
  for (const { command, line } of logicalLines(text)) {
    const [, image, stage] = /^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(command) ?? [];
    if (image !== undefined) {
      const earlier = image.toLowerCase();
      const isStage = users.has(earlier);
      if (!isStage && image !== 'scratch' && !image.includes('$') && isFloating(image))
        found.push({ kind: 'other', rule: 'dockerfile_floating_image', path, line });
      const user: string | null = isStage
        ? (users.get(earlier) ?? null)
        : /nonroot|rootless/.test(image)
          ? 'nonroot'
          : null;
      last = { user, line, name: stage?.toLowerCase() ?? null };
    }
    const user = /^USER\s+(\S+)/i.exec(command)?.[1];
    if (user !== undefined && last) last = { ...last, user };
    if (last?.name) users.set(last.name, last.user);
  }
  if (last && (last.user === null || /^(root|0)(:|$)/.test(last.user)))
    found.push({ kind: 'other', rule: 'dockerfile_root', path, line: last.line });
  return found;
}

/** Neither a digest nor a tag, or the tag that means the newest. */
function isFloating(image: string): boolean {
  if (image.includes('@')) return false;
  const name = image.slice(image.lastIndexOf('/') + 1);
  return !name.includes(':') || name.endsWith(':latest');
}
