import { posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import { ecosystemById, ecosystemByOsv, type OsvEcosystem } from '../../src/model/ecosystems/index.ts';
import type { SuppliedPackage } from '../../src/model/due-diligence.ts';
import type { Requirement } from '../../src/model/snapshot.ts';
import { isAside } from '../snapshot/is-aside.ts';
import { isSbom, packagesOfSbom } from './sbom-packages.ts';

/** A package in the one version that a lockfile settled on. */
export type ResolvedPackage = SuppliedPackage;

interface Found extends Pick<ResolvedPackage, 'name' | 'version' | 'license'> {
  /** What others call it who ask for it; its name, and its name with its version, where this does not say. */
  ids?: readonly string[];
  /** Ids of those that it asks for; absent where the file does not say. */
  asks?: readonly string[];
}

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
 * SPDX) say, and versions that manifests ask for as the only one. A file that can't be parsed is passed over.
 */
export function resolvedPackages(
  paths: readonly string[],
  text: (path: string) => string | null,
  requires: readonly Requirement[] = [],
): readonly ResolvedPackage[] {
  const found = new Map<string, ResolvedPackage>();
  const add = ({ name: written, ...rest }: ResolvedPackage) => {
    const name = ecosystemByOsv(rest.ecosystem)?.canonicalName?.(written) ?? written;
    const key = `${rest.ecosystem} ${name} ${rest.version}`;
    const known = found.get(key);
    if (!known || (rest.shipped && !known.shipped)) found.set(key, { ...known, ...rest, name });
  };
  for (const path of paths) {
    const reader = readers.find(({ file }) => file.test(posix.basename(path)));
    const content = reader && !isAside(path) ? text(path) : null;
    if (!reader || content === null) continue;
    const { ecosystem } = reader;
    const locked = readSafely(reader.read, content).filter(({ version }) => /^v?\d/.test(version));
    for (const [each, way] of withWays(locked, ecosystem, requires)) {
      const { name, version, license } = each;
      add({ ecosystem, name, version, path, ...(license === undefined ? {} : { license }), ...way });
    }
  }
  const locked = new Set([...found.values()].map(({ ecosystem }) => ecosystem));
  for (const path of paths) {
    const content = isSbom(path) && !isAside(path) ? text(path) : null;
    if (content === null) continue;
    for (const each of readSafely(packagesOfSbom, content)) if (!locked.has(each.ecosystem)) add({ ...each, path });
  }
  const billed = new Set([...found.values()].map(({ ecosystem }) => ecosystem));
  for (const { ecosystem: id, name, range, scope, path } of requires) {
    const known = ecosystemById(id);
    const version = range === null ? undefined : known?.exactRange.exec(range.trim())?.[1];
    if (known && version !== undefined && !billed.has(known.osv) && !isAside(path))
      add({ ecosystem: known.osv, name, version, path, via: [`${name} ${version}`], shipped: isShipped(scope) });
  }
  return [...found.values()];
}

const isShipped = (scope: Requirement['scope']) => scope === 'runtime' || scope === 'optional';

/** Of a longer way the beginning is told. */
const maxWay = 64;

type Way = Pick<ResolvedPackage, 'via' | 'shipped'>;

/** What a lockfile lists, with the ways there; those of what is shipped come first, so that a package has the more telling one. */
function withWays(locked: readonly Found[], ecosystem: OsvEcosystem, requires: readonly Requirement[]): [Found, Way][] {
  const known = ecosystemByOsv(ecosystem);
  const canonical = (name: string) => known?.canonicalName?.(name) ?? name;
  const scopes = new Map<string, boolean>();
  for (const { ecosystem: id, name, scope } of requires)
    if (id === known?.id) scopes.set(canonical(name), (scopes.get(canonical(name)) ?? false) || isShipped(scope));
  const byId = new Map<string, Found[]>();
  for (const each of locked)
    for (const id of each.ids ?? [canonical(each.name), `${canonical(each.name)} ${each.version}`])
      byId.set(id, [...(byId.get(id) ?? []), each]);
  const ways = new Map<Found, Way>();
  for (const shipped of [true, false]) {
    let next = locked.filter((each) => scopes.get(canonical(each.name)) === shipped && !isNested(each));
    for (const each of next) if (!ways.has(each)) ways.set(each, { via: [labelOf(each)], shipped });
    while (next.length > 0) {
      const reached: Found[] = [];
      for (const from of next)
        for (const to of (from.asks ?? []).flatMap((id) => byId.get(id) ?? [])) {
          if (ways.has(to)) continue;
          ways.set(to, { via: [...(ways.get(from)?.via ?? []).slice(0, maxWay - 1), labelOf(to)], shipped });
          reached.push(to);
        }
      next = reached;
    }
  }
  return locked.map((each) => [each, ways.get(each) ?? {}]);
}

const labelOf = ({ name, version }: Found) => `${name} ${version}`;
/** Below another package in node_modules: asked for by that one. */
const isNested = ({ ids = [] }: Found) =>
  ids.some((id) => id.lastIndexOf('node_modules/') > 0 && /node_modules\/.*node_modules\//.test(id));

function readSafely<T>(read: (text: string) => T[], text: string): T[] {
  try {
    return read(text.replaceAll('\r\n', '\n'));
  } catch {
    return [];
  }
}

const versioned = z.object({ version: z.string() });
const names = z.record(z.string(), z.unknown()).optional().catch(undefined);
const license = z.string().optional().catch(undefined);
interface NpmNode {
  version?: string | undefined;
  requires?: Record<string, unknown> | undefined;
  dependencies?: Record<string, NpmNode | null> | undefined;
}
const npmNode: z.ZodType<NpmNode> = z.object({
  version: z.string().optional().catch(undefined),
  requires: names,
  get dependencies() {
    return z.record(z.string(), npmNode.nullable().catch(null)).optional().catch(undefined);
  },
});
const packageLock = z.object({
  packages: z
    .record(
      z.string(),
      versioned
        .extend({
          name: z.string().optional().catch(undefined),
          license,
          dependencies: names,
          optionalDependencies: names,
          peerDependencies: names,
        })
        .nullable()
        .catch(null),
    )
    .optional(),
  dependencies: z.record(z.string(), npmNode.nullable().catch(null)).optional(),
});

/** No package lies deeper in node_modules, unless it is made to. */
const maxNesting = 64;

/** Versions 2 and 3 list what lies in node_modules, version 1 is a tree. */
function fromPackageLock(text: string): Found[] {
  const { packages, dependencies = {} } = packageLock.parse(JSON.parse(text));
  if (!packages) return fromTree(dependencies);
  const folder = 'node_modules/';
  /** Where Node finds what a package in `path` asks for. */
  const placeOf = (path: string, name: string): string => {
    let from = path;
    for (let up = 0; up < maxNesting && from !== ''; up++) {
      const place = `${from}/${folder}${name}`;
      if (Object.hasOwn(packages, place)) return place;
      from = from.slice(0, Math.max(0, from.lastIndexOf(`/${folder}`)));
    }
    return folder + name;
  };
  return Object.entries(packages).flatMap(([path, each]) => {
    const at = path.lastIndexOf(folder);
    if (each === null || at === -1) return [];
    const { dependencies: needed, optionalDependencies: optional, peerDependencies: peers } = each;
    return [
      {
        name: each.name ?? path.slice(at + folder.length),
        version: each.version,
        ...(each.license === undefined ? {} : { license: each.license }),
        ids: [path],
        asks: Object.keys({ ...needed, ...optional, ...peers }).map((name) => placeOf(path, name)),
      },
    ];
  });
}

function fromTree(dependencies: Record<string, NpmNode | null>): Found[] {
  return Object.entries(dependencies).flatMap(([name, node]) =>
    node === null
      ? []
      : [
          ...(node.version === undefined
            ? []
            : [{ name, version: node.version, asks: Object.keys(node.requires ?? {}) }]),
          ...fromTree(node.dependencies ?? {}),
        ],
  );
}

/** Of yarn 1 and later ones: a line of what was asked for, below it the version and, since 2, what it resolved to; then what it asks for. */
function fromYarn(text: string): Found[] {
  return text.split(/\n(?=["\w@])/).flatMap((block) => {
    const [head = '', ...lines] = block.split('\n');
    const name = /^["\w@]/.test(head) ? nameAsked(head) : null;
    const version = lines.map((line) => /^ {2}"?version"?:? "?([\w.+-]+)"?$/.exec(line)?.[1]).find(Boolean);
    const isLocal = lines.some((line) => /^ {2}resolution: .*@(workspace|link|portal|file|patch):/.test(line));
    if (name === null || version === undefined || isLocal) return [];
    const asks: string[] = [];
    let isAsking = false;
    for (const line of lines) {
      if (/^ {2}\S/.test(line)) isAsking = /^ {2}(optionalD|d)ependencies:$/.test(line);
      const [, asked, range] = (isAsking && /^ {4}"?([^\s":]+)"?:? "?([^"\n]+)"?$/.exec(line)) || [];
      if (asked !== undefined) asks.push(`${asked}@${range}`);
    }
    const ids = head.replaceAll(/["\s]|:$/g, '').split(',');
    return [{ name, version, ids, asks }];
  });
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
  package: z.array(
    versioned
      .extend({ name: z.string(), source: z.unknown().optional(), dependencies: z.unknown().optional() })
      .nullable()
      .catch(null),
  ),
});

/** Poetry has a table by name, Cargo `NAME` or `NAME VERSION`, uv tables with a name, PDM requirements. */
function askedIn(dependencies: unknown): string[] {
  const list = Array.isArray(dependencies)
    ? dependencies.map((each: unknown) =>
        typeof each === 'object' && each !== null && 'name' in each ? String(each.name) : String(each),
      )
    : Object.keys(Object(dependencies));
  return list.flatMap((each) => /^[\w.-]+(?: \d\S*)?/.exec(each)?.[0] ?? []);
}

/** Of Poetry, uv, PDM and Cargo; without a source it is Cargo's own workspace, and one that is a folder is uv's. */
function fromToml(text: string): Found[] {
  const isCargo = /^\[\[package\]\]\r?\nname = [^\n]*\r?\nversion = [^\n]*\r?\nsource = "(registry|git)\+/m.test(text);
  return tomlLock.parse(parseToml(text)).package.flatMap((each) => {
    if (each === null) return [];
    const { name, version, source, dependencies } = each;
    const isLocal =
      (isCargo && typeof source !== 'string') ||
      (typeof source === 'object' &&
        source !== null &&
        ['editable', 'virtual', 'directory', 'path'].some((kind) => kind in source));
    return isLocal ? [] : [{ name, version, asks: askedIn(dependencies) }];
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
  .array(
    versioned
      .extend({ name: z.string(), require: names, license: z.array(z.string()).optional().catch(undefined) })
      .nullable()
      .catch(null),
  )
  .optional()
  .catch(undefined);
const composerLock = z.object({ packages: composerSection, 'packages-dev': composerSection });

function fromComposer(text: string): Found[] {
  const lock = composerLock.parse(JSON.parse(text));
  return [...(lock.packages ?? []), ...(lock['packages-dev'] ?? [])].flatMap((each) =>
    each === null
      ? []
      : [
          {
            name: each.name,
            version: each.version.replace(/^v/, ''),
            // Several are a choice.
            ...(each.license && each.license.length > 0 ? { license: each.license.join(' OR ') } : {}),
            asks: Object.keys(each.require ?? {}),
          },
        ],
  );
}

function fromGemfile(text: string): Found[] {
  const found: Found[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    if (/^[A-Z]/.test(line)) section = line.trim();
    const [, name, version] = (section === 'GEM' && /^ {4}([\w.-]+) \((\d[\w.]*)(?:-[^)]*)?\)\s*$/.exec(line)) || [];
    if (name !== undefined && version !== undefined) found.push({ name, version, asks: [] });
    const asked = (section === 'GEM' && /^ {6}([\w.-]+)/.exec(line)?.[1]) || null;
    const last = found.at(-1);
    if (asked !== null && last) last.asks = [...(last.asks ?? []), asked];
  }
  return found;
}
