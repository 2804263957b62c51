import { expect } from 'chai';
import { createExtractor } from '../../loaders/extraction/extract.ts';
import { languageOf } from '../../loaders/languages/index.ts';
import { withCpuTime } from '../support/cpu-time.ts';
import { edgesOf } from '../support/edges-of.ts';
import { filling, fillingsPerName, names, random, superLinear, superLinearCosts } from '../support/hostile-fillings.ts';

/** Of so many fillings; all of them are tried by `npm run test:long`. */
const drawn = 4;

describe('files that are made to take long', () => {
  it('cost in proportion to their size: a few of those that the long tests try', async () => {
    const next = random(16);
    const slow: string[] = [];
    for (let draw = 0; draw < drawn; draw++) {
      const name = names[Math.floor(next() * names.length)] ?? '';
      const found = await superLinear(name, filling(name, Math.floor(next() * fillingsPerName)));
      if (found !== null) slow.push(found);
    }
    expect(slow).to.deep.equal([]);
  });

  it('cost in proportion to their size: those that once did not', async () => {
    expect(await superLinear('Gemfile', { begin: '', unit: '\n' })).to.equal(null);
    expect(await superLinear('a.gemspec', { begin: '', unit: '\n' })).to.equal(null);
  });

  it('cost in proportion to their size: texts within texts, in a source that runs text', async () => {
    const language = languageOf('a.js');
    if (!language) throw new Error('JavaScript is read.');
    const extractor = await createExtractor();
    const wholes: Record<string, (size: number) => string> = {
      sum: (size) => `'words of nothing' +\n`.repeat(size / 20),
      lists: (size) => `${'['.repeat(size / 3)}''${'w '.repeat(size / 6)}''${']'.repeat(size / 3)} +`,
      calls: (size) => `${`'words' + f(`.repeat(size / 13)}1${')'.repeat(size / 13)} +`,
    };
    for (const [what, whole] of Object.entries(wholes)) {
      const costs = await superLinearCosts(async (bytes) => {
        const source = `eval(x);\nlet s = ${whole(bytes / 40)} 1;\n`;
        return (await withCpuTime(() => extractor.texts(language, source))).ms;
      });
      expect(costs, what).to.equal(null);
    }
    extractor.close();
  });

  it('cost in proportion to their size: what is said of one variable, with the calls on it', async () => {
    const types = 'class A { go() {} }\nfunction isA(v: any): v is A { return true }\nfunction f(x: any, y: any) {\n';
    const sources: Record<string, (count: number) => Record<string, string>> = {
      'tests that return': (count) => ({ 'a.ts': `${types}${'if (isA(x)) return;\nx.go();\n'.repeat(count)}}` }),
      'tests in a row': (count) => ({ 'a.ts': `${types}if (${'isA(x) && '.repeat(count)}y) x.go(); }` }),
      conditions: (count) => ({
        'a.rb': `def f(x)\n${`if ${'x.is_a?(A) && '.repeat(200)}x\nx.go_now\nend\n`.repeat(count / 200)}end\n`,
      }),
      'what is appended': (count) => ({ 'a.rb': `class A; end\ndef f\nx = []\n${'x << A.new\n'.repeat(count)}end\n` }),
      'what a mixin gives': (count) => ({
        'a.rb': `module M; def go; end; end\nmodule B; def self.included(b)\n${'b.extend M, B\nb.send :include, M, B\n'.repeat(count / 4)}end; end\nclass A; include B; def f\n${'go\n'.repeat(count / 4)}end; end\n`,
      }),
      'what is made in what is made': (count) => ({
        'a.cc': `template <class T> auto make_unique(T* a);\nstruct A { A(A*); void go(); };\nvoid f() {\n${`${'make_unique<A>('.repeat(50)}0${')'.repeat(50)}->go();\n`.repeat(count / 50)}}\n`,
      }),
      'lvalues and rvalues in a row': (count) => ({
        'a.cc': `struct A { A& f() & { return *this; } A&& f() && { return *this; } };\nvoid g() {\n${`A()${'.f()'.repeat(50)};\n`.repeat(count / 50)}}\n`,
      }),
      'what is kept': (count) => ({
        'a.rb': `class A; def f\n${'@x << A.new\n'.repeat(count)}@x.each { |a| a.f }\nend; end\n`,
      }),
    };
    for (const [what, ofSize] of Object.entries(sources)) {
      const costs = await superLinearCosts(
        async (bytes) => (await withCpuTime(() => edgesOf(ofSize(Math.ceil(bytes / 400))))).ms,
      );
      expect(costs, what).to.equal(null);
    }
  });
});
