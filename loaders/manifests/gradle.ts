import { parse } from 'smol-toml';
import type { Requirement } from '../../src/model/snapshot.ts';
import { lineIndex, table, words, type ManifestFormat } from './manifest.ts';

const scopeOf = (configuration: string): Requirement['scope'] =>
  /test|mock|benchmark|kapt|ksp|annotationProcessor/i.test(configuration)
    ? 'development'
    : /compileOnly|provided/i.test(configuration)
      ? 'peer'
      : 'runtime';

const configuration = String.raw`^[ \t]*(\w*(?:[iI]mplementation|[aA]pi|[cC]ompile|[cC]ompileOnly|[rR]untimeOnly|[rR]untime|[aA]nnotationProcessor|kapt|ksp))\b[ \t]*(?:\([ \t]*)?(?:(?:platform|enforcedPlatform)\([ \t]*)?`;
const short = new RegExp(
  String.raw`${configuration}["']([\w.-]{1,200}:[\w.-]{1,200})(?::([^"'@:\n]{1,200}))?[^"'\n]{0,200}["']`,
  'gm',
);
const long = new RegExp(
  String.raw`${configuration}group[ \t]*[:=][ \t]*["']([\w.-]+)["'][ \t]*,[ \t]*name[ \t]*[:=][ \t]*["']([\w.-]+)["'](?:[ \t]*,[ \t]*version[ \t]*[:=][ \t]*["']([^"'\n]+)["'])?`,
  'gm',
);

/** Gradle's build scripts as far as they are written down: coordinates in quotes. Nothing is run. */
export const gradle: ManifestFormat = {
  matches: (path) => /(^|\/)build\.gradle(\.kts)?$/.test(path),
  read(text, path) {
    const found = [
      ...Array.from(text.matchAll(short), ([, how = '', name = '', version]) => ({ how, name, version })),
      ...Array.from(text.matchAll(long), ([, how = '', group = '', id = '', version]) => ({
        how,
        name: `${group}:${id}`,
        version,
      })),
    ];
    const line = lineIndex(
      text,
      /["']([\w.-]{1,200}:[\w.-]{1,200})[^"'\n]{0,200}["']|group[ \t]*[:=][ \t]*["']([\w.-]+)["'][ \t]*,[ \t]*name[ \t]*[:=][ \t]*["']([\w.-]+)/g,
      ([, name, group, id]) => name ?? `${group ?? ''}:${id ?? ''}`,
    );
    const requires = found.map(({ how, name, version }): Requirement => {
      const range = version?.includes('$') ? null : (version ?? null);
      return { ecosystem: 'maven', name, range, scope: scopeOf(how), path, line: line(name), imports: 0 };
    });
    const group = setting(text, 'group');
    const artifact = setting(text, 'artifactId') ?? setting(text, 'archivesBaseName') ?? path.split('/').at(-2);
    const name = group !== undefined && artifact !== undefined ? `${group}:${artifact}` : null;
    return { publishes: name === null ? [] : [{ ecosystem: 'maven', name }], requires, description: {} };
  },
};

/** Gradle's version catalog, `gradle/libs.versions.toml`. */
export const gradleCatalog: ManifestFormat = {
  matches: (path) => /(^|\/)gradle\/[^/]+\.versions\.toml$/.test(path),
  read(text, path) {
    const catalog = parse(text);
    const versions = table(catalog['versions']);
    const line = lineIndex(text, /^[ \t]*"?([\w.-]+)"?[ \t]*=/gm);
    const requires = Object.entries(table(catalog['libraries'])).flatMap(([alias, written]): Requirement[] => {
      const [group, id, inline] = words(written)?.split(':') ?? [];
      const entry = table(written);
      const name =
        group && id
          ? `${group}:${id}`
          : (words(entry['module']) ?? `${words(entry['group']) ?? ''}:${words(entry['name']) ?? ''}`);
      if (!/^[\w.-]+:[\w.-]+$/.test(name)) return [];
      const reference = words(table(entry['version'])['ref']);
      const range =
        inline ?? words(entry['version']) ?? (reference === undefined ? undefined : words(versions[reference]));
      return [
        { ecosystem: 'maven', name, range: range ?? null, scope: 'runtime', path, line: line(alias), imports: 0 },
      ];
    });
    return { publishes: [], requires, description: {} };
  },
};

function setting(text: string, name: string): string | undefined {
  // Bounded: the names are our own.
  return new RegExp(String.raw`^[ \t]*(?:project\.)?${name}[ \t]*(?:=|\.set\()?[ \t]*["']([\w.-]+)["']`, 'm').exec(
    text,
  )?.[1];
}
