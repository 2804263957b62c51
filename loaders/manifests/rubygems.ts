import type { Requirement } from '../../src/model/snapshot.ts';
import { described, words, type ManifestFormat } from './manifest.ts';

const development = /\b(?:test|development|lint|ci|doc|docs|rubocop|benchmark)\b/;

/** A gem's own description, `*.gemspec`, as far as it is written down. Nothing is run. */
export const gemspec: ManifestFormat = {
  matches: (path) => /(^|\/)[^/]+\.gemspec$/.test(path),
  read(text, path) {
    // Bounded: the names are our own.
    const property = (name: string) =>
      words(new RegExp(String.raw`^[ \t]*\w+\.${name}\s*=\s*(["'])([^"'\n#]{1,500})\1`, 'm').exec(text)?.[2]);
    const name = property('name');
    const requires = eachLine(text, (code, line) => {
      const [, how = '', gem, rest = ''] =
        /^\s*\w+\.add_(runtime_|development_)?dependency[ (]+["']([\w.-]{1,200})["']([^#\n]{0,300})/.exec(code) ?? [];
      return gem === undefined
        ? null
        : requirement(gem, rest, how === 'development_' ? 'development' : 'runtime', path, line);
    });
    return {
      publishes: name === undefined || !/^[\w.-]+$/.test(name) ? [] : [{ ecosystem: 'rubygems', name }],
      requires,
      description: described({
        description: property('summary') ?? property('description'),
        license: property('license'),
        homepage: property('homepage'),
        topics: undefined,
      }),
    };
  },
};

/** Bundler's Gemfile: `gem 'name', '~> 1'`, in groups or not. */
export const gemfile: ManifestFormat = {
  matches: (path) => /(^|\/)(Gemfile|gems\.rb)$/.test(path),
  read(text, path) {
    let group = '';
    const requires = eachLine(text, (code, line) => {
      const opened = /^\s*group[ (]+([^ (].{0,199}?)\)?\s+do\b/.exec(code)?.[1];
      if (opened !== undefined) group = opened;
      else if (/^end\b/.test(code)) group = '';
      const [, gem, rest = ''] = /^\s*gem[ (]+["']([\w.-]{1,200})["']([^#\n]{0,300})/.exec(code) ?? [];
      if (gem === undefined) return null;
      const own = /\bgroups?:\s*(\S.*)$/.exec(rest)?.[1] ?? group;
      return requirement(gem, rest, development.test(own) ? 'development' : 'runtime', path, line);
    });
    return { publishes: [], requires, description: {} };
  },
};

function eachLine(text: string, read: (code: string, line: number) => Requirement | null): Requirement[] {
  return text.split('\n').flatMap((code, index) => read(code, index + 1) ?? []);
}

/** Ranges are the texts right behind the name. */
function requirement(name: string, rest: string, scope: Requirement['scope'], path: string, line: number): Requirement {
  const [list = ''] = /^(?:\s*,\s*(?:\[\s*)?["'][^"'\n]{0,100}["'](?:\s*\])?)*/.exec(rest) ?? [];
  const ranges = Array.from(list.matchAll(/["']([^"'\n]+)["']/g), ([, range]) => range);
  return { ecosystem: 'rubygems', name, range: ranges.join(', ') || null, scope, path, line, imports: 0 };
}
