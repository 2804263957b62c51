import { expect } from 'chai';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { gitAttributes } from '../../../loaders/snapshot/git-attributes.ts';
import { withCpuTime } from '../../support/cpu-time.ts';
import { gitRepository } from '../../support/git-repository.ts';

describe('loaders/snapshot: .gitattributes', () => {
  const names = ['linguist-vendored', 'linguist-generated', 'linguist-language'];
  /** What git itself says, in the words of `git check-attr`. */
  const asGit = (cwd: string, paths: readonly string[]) => {
    const out = execFileSync('git', ['check-attr', '--stdin', '-z', ...names], {
      cwd,
      input: paths.join('\0'),
      encoding: 'utf8',
    });
    return out.split('\0').slice(0, -1);
  };
  const asOurs = (files: Record<string, string>, paths: readonly string[]) => {
    const attributes = gitAttributes(new Map(Object.entries(files)));
    const word = (value: boolean | string | undefined) =>
      value === undefined ? 'unspecified' : value === true ? 'set' : value === false ? 'unset' : value;
    return paths.flatMap((path) => names.flatMap((name) => [path, name, word(attributes(path).get(name))]));
  };

  it('say what git says they say', () => {
    const paths =
      'a.py|lib/a.py|lib/deep/a.py|lib/deep/er/a.py|other/lib/a.py|with space.py|[x].py|x.py|lib|lib/.hidden|.hidden|lib/a.pyc|LIB/A.PY|a{b}.py|b(1).py|!bang.py|tab\tname.py'.split(
        '|',
      );
    const files = {
      '.gitattributes': [
        '# linguist-vendored in a comment',
        '*.py linguist-language=Ruby',
        '/a.py linguist-vendored',
        'lib/*.py linguist-generated',
        'lib/** linguist-vendored',
        'deep linguist-generated',
        'deep/ linguist-generated',
        '**/er/*.py -linguist-vendored',
        '"with space.py" linguist-vendored',
        '\\[x\\].py linguist-vendored',
        '[!a-w].py linguist-generated',
        'a{b}.py linguist-vendored',
        'b(1).py linguist-vendored',
        '\\!bang.py linguist-vendored',
        '"tab\\tname.py" linguist-vendored',
        '!x.py linguist-vendored',
        '.h* linguist-vendored text eol=lf',
        '?.py linguist-language=C++',
      ].join('\n'),
      'lib/.gitattributes': 'a.py !linguist-language -linguist-generated\r\n/deep/*.py linguist-vendored',
      'lib/deep/.gitattributes': 'a.py linguist-language=Go\n',
    };
    using repository = gitRepository({ files });
    expect(asOurs(files, paths)).to.deep.equal(asGit(repository.path, paths));
  });

  it('match as git matches, for any pattern and path', () => {
    using repository = gitRepository({ files: { 'a.py': '' } });
    const part = fc.string({
      unit: fc.constantFrom('a', 'b', '*', '?', '.', '[ab]', '[!a]', '**', '\\a'),
      minLength: 1,
      maxLength: 4,
    });
    const pattern = fc
      .tuple(
        fc.constantFrom('', '/', '**/'),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '/**', '/*'),
      )
      .map(([start, parts, end]) => start + parts.join('/') + end)
      // Three stars in a row, and `**` beside other characters, have no meaning that git documents.
      .filter((text) => text.split('/').every((each) => each === '**' || !each.includes('**')));
    const path = fc
      .array(fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 3 }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.map((each) => (/^\.+$/.test(each) ? 'ab' : each)).join('/'));
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 20 }),
        fc.array(path, { minLength: 20, maxLength: 40 }),
        (patterns, paths) => {
          for (const each of patterns) {
            const text = `${each} linguist-vendored\n`;
            const ours = asOurs({ '.gitattributes': text }, paths);
            repository.write({ '.gitattributes': text });
            expect(ours, each).to.deep.equal(asGit(repository.path, paths));
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it('of a hostile repository take no longer for that', async () => {
    const attributes = gitAttributes(
      new Map([
        ['.gitattributes', `${'*a'.repeat(60)}b linguist-vendored\n${'**/a/'.repeat(60)}b linguist-vendored\n`],
      ]),
    );
    const path = `${'a'.repeat(250)}/${'a/'.repeat(1_500)}a`;
    const { value, ms } = await withCpuTime(() => attributes(path));
    expect(value.size).to.equal(0);
    expect(ms, 'ms').to.be.below(1_000);
  });
});
