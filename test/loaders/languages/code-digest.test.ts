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
});
