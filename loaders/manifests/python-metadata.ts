import { pypiName } from '../../src/model/ecosystems/pypi.ts';
import { described, words, type ManifestFormat } from './manifest.ts';
import { pythonRequirement } from './python-requirement.ts';

/** What a wheel (`*.dist-info/METADATA`) or a source distribution (`PKG-INFO`) says of itself: the mail headers of PEP 566. */
export const pythonMetadata: ManifestFormat = {
  matches: (path) => /(^|\/)([^/]+\.dist-info\/METADATA|PKG-INFO)$/.test(path),
  read(text, path) {
    const headers = new Map<string, { value: string; line: number }[]>();
    // The long description comes behind the first empty line.
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      if (line === '') break;
      const [, name, value] = /^([\w-]+):\s*(?!\s)(.*)$/.exec(line) ?? [];
      if (name === undefined) continue;
      const values = headers.get(name.toLowerCase()) ?? [];
      headers.set(name.toLowerCase(), values);
      values.push({ value: value ?? '', line: index + 1 });
    }
    const first = (name: string) => {
      const value = words(headers.get(name)?.[0]?.value);
      return value === 'UNKNOWN' ? undefined : value;
    };
    const name = first('name');
    const urls = new Map(
      (headers.get('project-url') ?? []).map(({ value }) => {
        const [label = '', url = ''] = value.split(/,\s*/, 2);
        return [label.toLowerCase(), url];
      }),
    );
    return {
      publishes: name === undefined ? [] : [{ ecosystem: 'pypi', name: pypiName(name) }],
      requires: (headers.get('requires-dist') ?? []).flatMap(
        ({ value, line }) => pythonRequirement(value, 'runtime', path, line) ?? [],
      ),
      description: described({
        description: first('summary'),
        license: first('license-expression') ?? first('license'),
        homepage: first('home-page') ?? urls.get('homepage') ?? urls.get('source') ?? urls.get('repository'),
        // Bounded: where no comma follows, the second way takes all of the whitespace.
        topics: first('keywords')?.split(/\s*,\s*|\s+/),
      }),
    };
  },
};
