import { parse } from 'smol-toml';
import type { Requirement } from '../../src/model/snapshot.ts';
import { described, lineIndex, strings, table, words, type ManifestFormat } from './manifest.ts';

const sections: [key: string, scope: Requirement['scope']][] = [
  ['dependencies', 'runtime'],
  ['dev-dependencies', 'development'],
  ['build-dependencies', 'development'],
];

/** Rust's Cargo.toml. */
export const cargo: ManifestFormat = {
  matches: (path) => /(^|\/)Cargo\.toml$/.test(path),
  read(text, path) {
    const manifest = parse(text);
    const crate = table(manifest['package']);
    const name = words(crate['name']);
    const line = lineIndex(text, /^[ \t]*(?:\[[\w.'"()= -]*dependencies\.)?"?([A-Za-z0-9_][\w-]*)"?[ \t]*[=.\]]/gm);
    const shared = table(table(manifest['workspace'])['dependencies']);
    const tables = [manifest, ...Object.values(table(manifest['target'])).map(table)];
    const requires = tables.flatMap((each) =>
      sections.flatMap(([key, scope]) =>
        Object.entries(table(each[key])).map(([alias, asked]): Requirement => {
          // The workspace's root says the range for its members; only in the root itself is it in the same file.
          const entry = table(asked);
          const inherited = entry['workspace'] === true ? shared[alias] : undefined;
          return {
            ecosystem: 'cargo',
            name: words(entry['package']) ?? words(table(inherited)['package']) ?? alias,
            range:
              words(asked) ?? words(entry['version']) ?? words(inherited) ?? words(table(inherited)['version']) ?? null,
            scope: entry['optional'] === true ? 'optional' : scope,
            path,
            line: line(alias),
            imports: 0,
          };
        }),
      ),
    );
    return {
      publishes: name === undefined ? [] : [{ ecosystem: 'cargo', name }],
      requires,
      description: described({
        description: words(crate['description']),
        license: words(crate['license']),
        homepage: words(crate['homepage']) ?? words(crate['repository']),
        topics: [
          ...strings(crate['keywords']),
          ...strings(crate['categories']).map((each) => each.replace(/^.*::/, '')),
        ],
      }),
    };
  },
};
