import type { Requirement } from '../../src/model/snapshot.ts';
import { described, lineIndex, strings, table, words, type ManifestFormat } from './manifest.ts';

const sections: [key: string, scope: Requirement['scope']][] = [
  ['require', 'runtime'],
  ['require-dev', 'development'],
];

/** PHP's composer.json; what has no vendor is PHP itself and its extensions. */
export const composer: ManifestFormat = {
  matches: (path) => /(^|\/)composer\.json$/.test(path),
  read(text, path) {
    const manifest = table(JSON.parse(text));
    const name = words(manifest['name'])?.toLowerCase();
    const line = lineIndex(text, /"([\w.-]{1,200}\/[\w.-]{1,200})"\s*:/g, ([, key]) => key?.toLowerCase());
    const requires = sections.flatMap(([key, scope]) =>
      Object.entries(table(manifest[key]))
        .map(([asked, range]): Requirement => {
          const lower = asked.toLowerCase();
          const each = { name: lower, range: words(range) ?? null, scope, path, line: line(lower), imports: 0 };
          return { ecosystem: 'composer', ...each };
        })
        .filter((each) => each.name.includes('/')),
    );
    return {
      publishes: name?.includes('/') ? [{ ecosystem: 'composer', name }] : [],
      requires,
      description: described({
        description: words(manifest['description']),
        license: strings(manifest['license']).join(' OR ') || undefined,
        homepage: words(manifest['homepage']),
        topics: strings(manifest['keywords']),
      }),
    };
  },
};
