import type { Requirement } from '../../src/model/snapshot.ts';
import { described, lineIndex, strings, table, words, type ManifestFormat } from './manifest.ts';

const sections: [key: string, scope: Requirement['scope']][] = [
  ['dependencies', 'runtime'],
  ['devDependencies', 'development'],
  ['optionalDependencies', 'optional'],
  ['peerDependencies', 'peer'],
];

/** npm's package.json. */
export const npm: ManifestFormat = {
  matches: (path) => /(^|\/)package\.json$/.test(path),
  read(text, path) {
    const manifest = table(JSON.parse(text.replace(/^\uFEFF/, '')));
    const name = words(manifest['name']);
    const line = lineIndex(
      text,
      /(?<!\\)"((?:[^"\\]|\\.)*)"\s*:\s*"((?:[^"\\]|\\.)*)"/g,
      ([, key, value]) => `${key}\n${value}`,
    );
    const seen = new Set<string>();
    const requires = sections.flatMap(([key, scope]) =>
      Object.entries(table(manifest[key])).flatMap(([alias, range]): Requirement[] => {
        // `"lodash4": "npm:lodash@4"` asks for lodash.
        const [, aliased, aliasedRange] = /^npm:(@?[^@]+)(?:@(.+))?$/.exec(String(range)) ?? [];
        const required = aliased ?? alias;
        if (required === '' || seen.has(required)) return [];
        seen.add(required);
        const written = aliased ? aliasedRange : words(range);
        return [
          {
            ecosystem: 'npm',
            name: required,
            range: written ?? null,
            scope,
            path,
            line: line(`${alias}\n${String(range)}`),
            imports: 0,
          },
        ];
      }),
    );
    return {
      // `a/b` names an entry point of `a`, not a package.
      publishes: name === undefined || !/^(@[^/]+\/)?[^/]+$/.test(name) ? [] : [{ ecosystem: 'npm', name }],
      requires,
      description: described({
        description: words(manifest['description']),
        license: words(manifest['license']) ?? words(table(manifest['license'])['type']),
        homepage: words(manifest['homepage']),
        topics: strings(manifest['keywords']),
      }),
    };
  },
};
