import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isSuperLinear, patternsIn, patternsMade, patternsOf } from './support/patterns.ts';

const globs = ['loaders/**/*.ts', 'src/due-diligence/**/*.ts'];

// A repository's text may be anybody's: each pattern that meets it takes time in proportion to it, or says why it need not.
describe('patterns that meet what repositories hold', () => {
  const { patterns, made, unused } = patternsOf(globs);

  it('are linear in what they are given, or say what bounds it', () => {
    expect(patterns).to.have.length.above(500);
    const slow = patterns.filter((pattern) => pattern.excuse === null && isSuperLinear(pattern));
    expect(slow.map(({ at, source }) => `${at} /${source}/`)).to.deep.equal([]);
  });

  it('say so where a function makes one', () => {
    expect(made.filter(({ excuse }) => excuse === null).map(({ at }) => at)).to.deep.equal([]);
  });

  it('are linear where a module makes them of parts', async () => {
    const modules = globSync(globs, { cwd: join(import.meta.dirname, '..') }).filter(
      (file) => !file.endsWith('worker.ts'),
    );
    const excused = new Set(
      made.filter(({ at }) => !at.startsWith('loaders/detectors/patterns.ts')).map(({ at }) => at),
    );
    const all = await patternsMade(modules.sort());
    expect(all).to.have.length.above(100);
    const slow = all.filter((pattern) => !excused.has(pattern.at) && isSuperLinear(pattern));
    expect(slow.map(({ at, source }) => `${at} /${source}/`)).to.deep.equal([]);
  });

  it('are excused only where there is one', () => {
    expect(unused).to.deep.equal([]);
  });

  for (const source of [
    String.raw`const slow = /^\s*ruby\s+['"]\d/m;`,
    String.raw`const slow = (text: string) => /\w+@/.test(text);`,
    String.raw`const slow = { inner: [/^(a+)+$/u] };`,
    String.raw`const slow = /a\s*\s*b/;`,
  ])
    it(`are found slow: ${source}`, () => {
      expect(patternsIn('planted.ts', source).patterns.map(isSuperLinear)).to.deep.equal([true]);
      const excused = patternsIn('planted.ts', `// Bounded: ten characters.\n${source}\nconst other = /\\d+$/;`);
      expect(excused.patterns.map(({ excuse }) => excuse)).to.deep.equal(['ten characters.', null]);
    });

  it('are found where a function makes one, and an excuse that none needs', () => {
    expect(patternsIn('planted.ts', 'const f = (name: string) => new RegExp(name);').made).to.have.length(1);
    expect(patternsIn('planted.ts', '// Bounded: a path.\nconst f = 1;').unused).to.deep.equal(['planted.ts:1']);
  });
});
