import { dirname, join, normalize } from 'node:path/posix';
import { isOutsidePackage, type ModuleResolution, type RepositoryFiles } from '../language.ts';

const sourceExtensions = [
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.d.ts',
  '.d.mts',
  '.d.cts',
  '.json',
];

/** A specifier's ending may name what the compiler makes of the source. */
const sourcesOf: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
};

/** Conditions of an `exports` map in the order in which they lead to sources. */
const conditions = ['source', 'development', 'import', 'module', 'node', 'require', 'default', 'types'];

interface Package {
  folder: string;
  manifest: Manifest;
}

interface Manifest {
  name?: unknown;
  main?: unknown;
  module?: unknown;
  source?: unknown;
  types?: unknown;
  exports?: unknown;
  imports?: unknown;
}

interface PathMapping {
  /** Folder that `baseUrl` names; null without one. */
  base: string | null;
  /** Patterns with the places they may lead to, from the root. */
  paths: [string, string[]][];
}

/** How JavaScript and TypeScript find the file behind `import … from 'specifier'`. */
export const ecmascriptModules: ModuleResolution = {
  prepare(repository) {
    const files = new Set(repository.paths);
    const packages = readPackages(repository);
    const byName = new Map(
      packages.flatMap((one) => (typeof one.manifest.name === 'string' ? [[one.manifest.name, one] as const] : [])),
    );
    const byFolder = new Map(packages.map((one) => [one.folder, one]));
    const mappings = new Map<string, PathMapping | null>();

    return {
      resolve(specifier, fromPath) {
        const [bare = ''] = specifier.split(/[?!]/u);
        if (bare === '') return [];
        if (/^\.{1,2}(?:\/|$)/u.test(bare)) {
          const found = file(join(dirname(fromPath), bare));
          return found === null ? null : [found];
        }
        if (bare.startsWith('/') || bare.startsWith('node:')) return [];
        const found = mapped(bare, fromPath) ?? (bare.startsWith('#') ? internal(bare, fromPath) : ofPackage(bare));
        return found === null ? [] : [found];
      },
      *published() {
        for (const { manifest, folder } of packages) {
          if (typeof manifest.name !== 'string') continue;
          for (const entry of entriesOf(files, manifest, folder)) {
            const specifier = join(manifest.name, entry);
            for (const found of new Set(inPackage(specifier))) yield { specifier, paths: [found] };
          }
        }
      },
    };

    /** The file at a path that may lack its extension, be a folder, or name a file that is built from it. */
    function file(path: string): string | null {
      const clean = normalize(path).replace(/\/$/u, '');
      if (files.has(clean)) return clean;
      const ending = /\.[cm]?jsx?$/u.exec(clean)?.[0];
      if (ending) {
        const stem = clean.slice(0, -ending.length);
        const source = sourcesOf[ending]?.find((extension) => files.has(stem + extension));
        if (source) return stem + source;
      }
      const direct = sourceExtensions.find((extension) => files.has(clean + extension));
      if (direct) return clean + direct;
      const folder = clean === '.' ? '' : clean;
      const here = byFolder.get(folder);
      const main =
        here && [here.manifest.source, here.manifest.module, here.manifest.main].find((one) => typeof one === 'string');
      if (typeof main === 'string' && join(folder, main) !== clean) {
        const found = file(join(folder, main));
        if (found !== null) return found;
      }
      const index = sourceExtensions.find((extension) => files.has(join(folder, `index${extension}`)));
      return index ? join(folder, `index${index}`) : null;
    }

    /** What a manifest names may be built: then its source, by the customs of where that lies. */
    function built(folder: string, target: string): string | null {
      const direct = file(join(folder, target));
      if (direct !== null) return direct;
      const parts = normalize(target).split('/');
      for (let skip = 1; skip < Math.min(parts.length, 4); skip++) {
        const rest = parts
          .slice(skip)
          .join('/')
          .replace(/\.d\.[cm]?ts$/u, '.js');
        const found = file(join(folder, 'src', rest)) ?? file(join(folder, rest));
        if (found !== null) return found;
      }
      return null;
    }

    function ofPackage(specifier: string): string | null {
      for (const found of inPackage(specifier)) return found;
      return null;
    }

    /** The files that a manifest may mean, the likeliest source first. */
    function* inPackage(specifier: string): Generator<string> {
      const parts = specifier.split('/');
      const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
      const one = byName.get(name);
      if (!one) return;
      const rest = parts.slice(specifier.startsWith('@') ? 2 : 1).join('/');
      const { folder, manifest } = one;
      const exported = matchExports(manifest.exports, rest === '' ? '.' : `./${rest}`);
      for (const target of exported) {
        const found = built(folder, target);
        if (found !== null) yield found;
      }
      const mains = [manifest.source, manifest.module, manifest.main, manifest.types];
      const others =
        rest === ''
          ? [
              ...mains.map((main) => (typeof main === 'string' ? built(folder, main) : null)),
              file(join(folder, 'src', 'index')),
              file(join(folder, 'index')),
            ]
          : [file(join(folder, rest)), file(join(folder, 'src', rest))];
      for (const found of others) if (found !== null) yield found;
    }

    function internal(specifier: string, fromPath: string): string | null {
      const one = nearest(fromPath, (folder) => byFolder.get(folder) ?? null);
      for (const target of one ? matchExports(one.manifest.imports, specifier) : []) {
        const found = target.startsWith('.') ? built(one?.folder ?? '', target) : ofPackage(target);
        if (found !== null) return found;
      }
      return null;
    }

    function mapped(specifier: string, fromPath: string): string | null {
      const mapping = nearest(fromPath, mappingOf);
      if (!mapping) return null;
      for (const [pattern, targets] of mapping.paths) {
        const star = matchStar(pattern, specifier);
        if (star === null) continue;
        for (const target of targets) {
          const found = file(target.replace('*', star));
          if (found !== null) return found;
        }
      }
      return mapping.base === null ? null : file(join(mapping.base, specifier));
    }

    function mappingOf(folder: string): PathMapping | null {
      const known = mappings.get(folder);
      if (known !== undefined) return known;
      const path = ['tsconfig.json', 'jsconfig.json', 'tsconfig.base.json']
        .map((name) => join(folder, name))
        .find((candidate) => files.has(candidate));
      const mapping = path ? readMapping(repository, files, path, 0) : null;
      mappings.set(folder, mapping);
      return mapping;
    }
  },
};

/** What may follow a package's name: what its manifest lists, or any file where it lists nothing. */
function entriesOf(files: ReadonlySet<string>, { exports }: Manifest, folder: string): string[] {
  const listed = isRecord(exports) ? Object.keys(exports).filter((key) => key.startsWith('.')) : [];
  const patterns = listed.filter((key) => key.includes('*'));
  const entries = listed.filter((key) => !key.includes('*'));
  if (exports !== undefined && patterns.length === 0) return entries.length > 0 ? entries : ['.'];
  const inside = folder === '' ? '' : `${folder}/`;
  const stems = [...files]
    .filter((path) => path.startsWith(inside) && /\.[cm]?[jt]sx?$/u.test(path) && !isOutsidePackage(path))
    .map((path) => path.slice(inside.length).replace(/(?:\/index)?(?:\.d)?\.[cm]?[jt]sx?$/u, ''));
  if (exports === undefined) return ['.', ...stems];
  for (const pattern of patterns) {
    for (const target of matchExports(exports, pattern)) {
      const plain = normalize(target).replace(/(?:\.d)?\.[cm]?[jt]sx?$/u, '');
      for (const stem of stems) {
        // What is built lies where its source does, but for the first folder.
        const star = matchStar(plain, stem) ?? matchStar(plain.replace(/^[^/*]+/u, 'src'), stem);
        if (star !== null) entries.push(pattern.replace('*', star));
      }
    }
  }
  return [...new Set(entries)];
}

/** Looks in the file's folder, then in each folder above. */
function nearest<T>(path: string, look: (folder: string) => T | null): T | null {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = look(folder === '.' ? '' : folder);
    if (found !== null) return found;
    if (folder === '.' || folder === '/') return null;
  }
}

function readPackages(repository: RepositoryFiles): Package[] {
  return repository.paths
    .filter((path) => path === 'package.json' || path.endsWith('/package.json'))
    .flatMap((path) => {
      const manifest = readJson(repository, path);
      return manifest ? [{ folder: path === 'package.json' ? '' : dirname(path), manifest }] : [];
    });
}

function readMapping(
  repository: RepositoryFiles,
  files: ReadonlySet<string>,
  path: string,
  level: number,
): PathMapping | null {
  const config = readJson(repository, path);
  if (!config) return null;
  const options = isRecord(config['compilerOptions']) ? config['compilerOptions'] : {};
  const folder = dirname(path);
  const base = typeof options['baseUrl'] === 'string' ? join(folder, options['baseUrl']) : null;
  const paths = isRecord(options['paths'])
    ? Object.entries(options['paths']).map(([pattern, targets]): [string, string[]] => [
        pattern,
        (Array.isArray(targets) ? targets : [])
          .filter((target) => typeof target === 'string')
          .map((target) => join(base ?? folder, target)),
      ])
    : [];
  if (base !== null && paths.length > 0) return { base, paths };
  const extended = [config['extends']]
    .flat()
    .find((one): one is string => typeof one === 'string' && one.startsWith('.'));
  const above = extended === undefined || level > 5 ? undefined : join(folder, extended);
  const inherited =
    above === undefined ? null : readMapping(repository, files, files.has(above) ? above : `${above}.json`, level + 1);
  if (base === null && paths.length === 0) return inherited;
  return { base: base ?? inherited?.base ?? null, paths: paths.length > 0 ? paths : (inherited?.paths ?? []) };
}

/** What an `exports` or `imports` map gives for this key, the likeliest source first. */
function matchExports(map: unknown, key: string): string[] {
  if (typeof map === 'string' || Array.isArray(map)) return key === '.' ? targetsOf(map, '') : [];
  if (!isRecord(map)) return [];
  const keys = Object.keys(map);
  if (!keys.some((one) => one.startsWith('.') || one.startsWith('#'))) return key === '.' ? targetsOf(map, '') : [];
  if (key in map) return targetsOf(map[key], '');
  const best = keys
    .filter((pattern) => pattern.includes('*') && matchStar(pattern, key) !== null)
    .sort((a, b) => b.length - a.length)[0];
  return best === undefined ? [] : targetsOf(map[best], matchStar(best, key) ?? '');
}

function targetsOf(target: unknown, star: string): string[] {
  if (typeof target === 'string') return [target.replaceAll('*', star)];
  if (Array.isArray(target)) return target.flatMap((one) => targetsOf(one, star));
  if (!isRecord(target)) return [];
  const known = conditions.filter((condition) => condition in target);
  const rest = Object.keys(target).filter((condition) => !conditions.includes(condition));
  return [...known, ...rest].flatMap((condition) => targetsOf(target[condition], star));
}

/** What the star of a pattern stands for; null when it does not match. */
function matchStar(pattern: string, text: string): string | null {
  const at = pattern.indexOf('*');
  if (at < 0) return pattern === text ? '' : null;
  const before = pattern.slice(0, at);
  const after = pattern.slice(at + 1);
  return text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after)
    ? text.slice(before.length, text.length - after.length)
    : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON with the comments and trailing commas that tsconfig.json may have; null when it can't be read. */
function readJson(repository: RepositoryFiles, path: string): Record<string, unknown> | null {
  const text = repository.read(path);
  if (text === null) return null;
  const plain = text
    .replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu, '$1')
    .replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/gu, '$1');
  try {
    const value: unknown = JSON.parse(plain.replace(/^\uFEFF/u, ''));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
