import { posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import { ecosystemByOsv, type OsvEcosystem } from '../../src/model/ecosystems/index.ts';
import { isAside } from '../snapshot/is-aside.ts';
import { isSbom, packagesOfSbom } from './sbom-packages.ts';

/** A package in the one version that a lockfile settled on; ecosystems as OSV calls them. */
export interface ResolvedPackage {
  ecosystem: OsvEcosystem;
  name: string;
  version: string;
  /** The lockfile, or the bill of materials. */
  path: string;
}

type Found = Pick<ResolvedPackage, 'name' | 'version'>;

/** How each kind of lockfile is read, by its name. */
const readers: readonly { file: RegExp; ecosystem: ResolvedPackage['ecosystem']; read(text: string): Found[] }[] = [
  { file: /^(package-lock|npm-shrinkwrap)\.json$/, ecosystem: 'npm', read: fromPackageLock },
  { file: /^yarn\.lock$/, ecosystem: 'npm', read: fromYarn },
  { file: /^pnpm-lock\.yaml$/, ecosystem: 'npm', read: fromPnpm },
  { file: /^(poetry|uv|pdm)\.lock$/, ecosystem: 'PyPI', read: fromToml },
  { file: /^Pipfile\.lock$/, ecosystem: 'PyPI', read: fromPipfile },
  { file: /requirements[^/]*\.txt$/, ecosystem: 'PyPI', read: fromRequirements },
  { file: /^go\.mod$/, ecosystem: 'Go', read: fromGoMod },
  { file: /^Cargo\.lock$/, ecosystem: 'crates.io', read: fromToml },
  { file: /^composer\.lock$/, ecosystem: 'Packagist', read: fromComposer },
  { file: /^Gemfile\.lock$/, ecosystem: 'RubyGems', read: fromGemfile },
];

/** Whether a file says exact versions; go.mod does, for Go takes the least that is asked for, and go.sum also lists what is not taken. */
export const namesVersions = (path: string): boolean =>
  isSbom(path) || readers.some(({ file }) => file.test(posix.basename(path)));

/** Lockfiles that nobody could read, for they are too large: what is in them is not known. */
export const unreadLockfiles = (paths: readonly string[], text: (path: string) => string | null): number =>
  paths.filter((path) => namesVersions(path) && !isAside(path) && text(path) === null).length;

/**
 * What the lockfiles resolve to, each package in a version once; of an ecosystem without one, what bills of materials (CycloneDX,
 * SPDX) say. A file that can't be parsed is passed over.
 */
export function resolvedPackages(
  paths: readonly string[],
  text: (path: string) => string | null,
): readonly ResolvedPackage[] {
  const found = new Map<string, ResolvedPackage>();
  const add = ({ ecosystem, name: written, version, path }: ResolvedPackage) => {
    const name = ecosystemByOsv(ecosystem)?.canonicalName?.(written) ?? written;
    const key = `${ecosystem} ${name} ${version}`;
    if (!found.has(key)) found.set(key, { ecosystem, name, version, path });
  };
  for (const path of paths) {
    const reader = readers.find(({ file }) => file.test(posix.basename(path)));
    const content = reader && !isAside(path) ? text(path) : null;
    if (!reader || content === null) continue;
    for (const { name, version } of readSafely(reader.read, content))
      if (/^v?\d/.test(version)) add({ ecosystem: reader.ecosystem, name, version, path });
  }
  const locked = new Set([...found.values()].map(({ ecosystem }) => ecosystem));
  for (const path of paths) {
    const content = isSbom(path) && !isAside(path) ? text(path) : null;
    if (content === null) continue;
    for (const each of readSafely(packagesOfSbom, content)) if (!locked.has(each.ecosystem)) add({ ...each, path });
  }
  return [...found.values()];
}

function readSafely<T>(read: (text: string) => T[], text: string): T[] {
  try {
    return read(text.replaceAll('\r\n', '\n'));
  } catch {
    return [];
  }
}

const versioned = z.object({ version: z.string() });
interface NpmNode {
  version?: string | undefined;
  dependencies?: Record<string, NpmNode | null> | undefined;
}
const npmNode: z.ZodType<NpmNode> = z.object({
  version: z.string().optional().catch(undefined),
  get dependencies() {
    return z.record(z.string(), npmNode.nullable().catch(null)).optional().catch(undefined);
  },
});
const packageLock = z.object({
  packages: z
    .record(
      z.string(),
      versioned
        .extend({ name: z.string().optional().catch(undefined) })
        .nullable()
        .catch(null),
    )
    .optional(),
  dependencies: z.record(z.string(), npmNode.nullable().catch(null)).optional(),
});

/** Versions 2 and 3 list what lies in node_modules, version 1 is a tree. */
function fromPackageLock(text: string): Found[] {
  const { packages, dependencies = {} } = packageLock.parse(JSON.parse(text));
  if (!packages) return fromTree(dependencies);
  const folder = 'node_modules/';
  return Object.entries(packages).flatMap(([path, each]) => {
    const at = path.lastIndexOf(folder);
    return each === null || at === -1
      ? []
      : [{ name: each.name ?? path.slice(at + folder.length), version: each.version }];
  });
}

function fromTree(dependencies: Record<string, NpmNode | null>): Found[] {
  return Object.entries(dependencies).flatMap(([name, node]) =>
    node === null
      ? []
      : [
          ...(node.version === undefined ? [] : [{ name, version: node.version }]),
          ...fromTree(node.dependencies ?? {}),
        ],
  );
}

/** Of yarn 1 and later ones: a line of what was asked for, below it the version and, since 2, what it resolved to. */
function fromYarn(text: string): Found[] {
  const found: Found[] = [];
  let name: string | null = null;
  let version: string | null = null;
  for (const line of text.split('\n')) {
    if (/^["\w@]/.test(line)) {
      name = nameAsked(line);
      version = null;
    } else {
      version = /^ {2}"?version"?:? "?([\w.+-]+)"?$/.exec(line)?.[1] ?? version;
      if (/^ {2}resolution: .*@(workspace|link|portal|file|patch):/.test(line)) version = null;
      const isLast = /^\s*$/.test(line);
      if (isLast && name !== null && version !== null) found.push({ name, version });
      if (isLast) name = null;
    }
  }
  return name !== null && version !== null ? [...found, { name, version }] : found;
}

/** `"@a/b@^1", "@a/b@^2":`, `alias@npm:real@1`. */
function nameAsked(line: string): string | null {
  const [first = ''] = line.replaceAll('"', '').split(/,|:$/, 1);
  const [, name = null, range = ''] = /^(@?[^@\s]+)@(.*)$/.exec(first.trim()) ?? [];
  return /^npm:(@?[^@\s]+)@/.exec(range)?.[1] ?? name;
}

/** Keys of `packages`: `/a/1.0.0`, `/@b/c@1.0.0(peer@2)`, `'@b/c@1.0.0'`. */
function fromPnpm(text: string): Found[] {
  const [, packages = ''] = text.split(/^packages:\s*$/m, 2);
  const [section = ''] = packages.split(/^\S/m, 1);
  return section.split('\n').flatMap((line) => {
    const key = /^ {2}(\S.*):\s*$/.exec(line)?.[1]?.replaceAll(/['"]/g, '') ?? '';
    const [, name, version] = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/](\d[^_(]*)/.exec(key) ?? [];
    return name === undefined || version === undefined ? [] : [{ name, version }];
  });
}

const tomlLock = z.object({
  package: z.array(versioned.extend({ name: z.string(), source: z.unknown().optional() }).nullable().catch(null)),
});

/** Of Poetry, uv, PDM and Cargo; without a source it is Cargo's own workspace, and one that is a folder is uv's. */
function fromToml(text: string): Found[] {
  const isCargo = /^\[\[package\]\]\r?\nname = [^\n]*\r?\nversion = [^\n]*\r?\nsource = "(registry|git)\+/m.test(text);
  return tomlLock.parse(parseToml(text)).package.flatMap((each) => {
    if (each === null) return [];
    const { name, version, source } = each;
    const isLocal =
      (isCargo && typeof source !== 'string') ||
      (typeof source === 'object' &&
        source !== null &&
        ['editable', 'virtual', 'directory', 'path'].some((kind) => kind in source));
    return isLocal ? [] : [{ name, version }];
  });
}

const pipfileSection = z.record(z.string(), versioned.nullable().catch(null)).optional().catch(undefined);
const pipfileLock = z.object({ default: pipfileSection, develop: pipfileSection });

function fromPipfile(text: string): Found[] {
  const lock = pipfileLock.parse(JSON.parse(text));
  return [lock.default, lock.develop].flatMap((section) =>
    Object.entries(section ?? {}).flatMap(([name, each]) =>
      each?.version.startsWith('==') ? [{ name, version: each.version.replace(/^=+/, '') }] : [],
    ),
  );
}

function fromRequirements(text: string): Found[] {
  return text.split('\n').flatMap((line) => {
    const [, name, version] =
      /^\s*([A-Za-z0-9][\w.-]{0,200})\s{0,20}(?:\[[^\]]{0,200}\])?\s{0,20}={2,3}\s*([\w.!+-]+)/.exec(line) ?? [];
    return name === undefined || version === undefined ? [] : [{ name, version }];
  });
}

function fromGoMod(text: string): Found[] {
  const found: Found[] = [];
  let isRequired = false;
  for (const written of text.split('\n')) {
    const line = written.split('//', 1)[0]?.trim() ?? '';
    if (/^\w+ ?\($/.test(line)) isRequired = line.startsWith('require');
    else if (line === ')') isRequired = false;
    const [, name, version] = (isRequired ? /^(\S+)\s+v(\S+)$/ : /^require\s+(\S+)\s+v(\S+)$/).exec(line) ?? [];
    if (name !== undefined && version !== undefined) found.push({ name: name.replaceAll(/["`]/g, ''), version });
  }
  return found;
}

const composerSection = z
  .array(versioned.extend({ name: z.string() }).nullable().catch(null))
  .optional()
  .catch(undefined);
const composerLock = z.object({ packages: composerSection, 'packages-dev': composerSection });

function fromComposer(text: string): Found[] {
  const lock = composerLock.parse(JSON.parse(text));
  return [...(lock.packages ?? []), ...(lock['packages-dev'] ?? [])].flatMap((each) =>
    each === null ? [] : [{ name: each.name, version: each.version.replace(/^v/, '') }],
  );
}

function fromGemfile(text: string): Found[] {
  const found: Found[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    if (/^[A-Z]/.test(line)) section = line.trim();
    const [, name, version] = (section === 'GEM' && /^ {4}([\w.-]+) \((\d[\w.]*)(?:-[^)]*)?\)\s*$/.exec(line)) || [];
    if (name !== undefined && version !== undefined) found.push({ name, version });
  }
  return found;
}
