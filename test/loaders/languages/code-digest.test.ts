import { expect } from 'chai';
import { languageOf } from '../../../loaders/languages/index.ts';
import { codeDigest } from '../../../loaders/languages/reading/code-digest.ts';

const digest = (source: string, path: string) => codeDigest(Buffer.from(source), languageOf(path)!.comments);

describe('the digest of what is code', () => {
  const alike: [string, string, string][] = [
    ['a.py', 'a = 1  # one\n', 'a=1\n\n'],
    ['a.py', 'def f():\n    """says"""\n    return 1\n', 'def f():\n    return 1\n'],
    ['a.ts', 'f(1); // more\n', '/* less */ f(1);'],
  ];
  for (const [path, one, other] of alike)
    it(`is the same of ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
      expect(digest(one, path)).to.equal(digest(other, path));
    });

  const apart: [string, string, string][] = [
    ['a.py', 'a = 1\n', 'a = 2\n'],
    ['a.py', 'a = "# one"\n', 'a = "# two"\n'],
    ['a.ts', "f('// one');", "f('');"],
    ['a.ts', 'f(1)', 'f(1);'],
  ];
  for (const [path, one, other] of apart)
    it(`is another of ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
      expect(digest(one, path)).to.not.equal(digest(other, path));
    });

  it('says nothing of the source before', () => {
    const before = digest('a = 1\n', 'a.py');
    digest(`b = ${'2'.repeat(200_000)}\n`, 'a.py');
    expect(digest('a = 1\n', 'a.py')).to.equal(before);
  });

  it('of a version is the same whether or not the one before it came first', () => {
    const block = (n: number) =>
      `def f${n}():\n    """Says ${n}."""\n    a = ""  # it's ${n}\n    return '"' + a\n\n\n`;
    const source = Array.from({ length: 60 }, (_, n) => block(n)).join('');
    const alone = (text: string) => {
      digest('x();', 'a.ts');
      return digest(text, 'a.py');
    };
    for (let at = 0; at < source.length; at += 23)
      for (const put of ['"', "'", '#', 'b', '\n', '']) {
        const version = source.slice(0, at) + put + source.slice(at + 1);
        const expected = alone(version);
        digest(source, 'a.py');
        expect(digest(version, 'a.py'), `${JSON.stringify(put)} at ${at}`).to.equal(expected);
      }
    // An opener that is whole only now, one after a source that was too large for what was kept, and the same in another language.
    const begun = `${'x'.repeat(509)}\n""`;
    const pairs = [
      [begun, `${begun}"docs # here"""\n`],
      [`a = 1\n${'b = 2\n'.repeat(9_000)}`, `a = 1\n${'b = 2\n'.repeat(60_000)}c = 3\n`],
    ] as const;
    for (const [before, after] of pairs) {
      const expected = alone(after);
      digest(before, 'a.py');
      expect(digest(after, 'a.py')).to.equal(expected);
    }
    const both = `${'x = 1 // 2\n'.repeat(100)}# y\n`;
    const expected = alone(both);
    digest(both, 'a.c');
    expect(digest(both, 'a.py')).to.equal(expected);
    // One that is nothing but a beginning, and one without a beginning in common.
    digest(source, 'a.py');
    expect(digest(source.slice(0, 5), 'a.py')).to.equal(alone(source.slice(0, 5)));
    digest(source, 'a.py');
    expect(digest('b = 1\n', 'a.py')).to.equal(alone('b = 1\n'));
  });
});
