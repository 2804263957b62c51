import { expect } from 'chai';
import { createExtractor } from '../../../loaders/extraction/extract.ts';
import { languageOf } from '../../../loaders/languages/index.ts';

/** Functions that import, functions that import in a function inside them, and functions that do neither. */
const sources: Readonly<Record<string, { linguist: string; source: string; modules: readonly string[] }>> = {
  'a.py': {
    linguist: 'Python',
    source: `import os\n
def plain(a):\n    if a and os:\n        return [x for x in a if x]\n    return 1\n
class Lazy:\n    def outer(self):\n        def inner():\n            from json import loads\n            return loads\n        return inner\n
    def by_name(self):\n        return __import__('csv')\n
    def last(self, n):\n        while n > 1:\n            n = n - 1\n        return n\n`,
    modules: ['os', 'json'],
  },
  'a.js': {
    linguist: 'JavaScript',
    source: `const fs = require('fs');\nfunction plain(a) { if (a) { return a || 1; } return fs; }
const lazy = () => { const inner = function () { return require('./inner'); }; return inner; };
class K { async late() { return import('./late.js'); } early(a) { for (const b of a) { plain(b); } } }\n`,
    modules: ['fs', './inner', './late.js'],
  },
  'a.ts': {
    linguist: 'TypeScript',
    source: `import { a } from './a.ts';\nexport function plain(b: number): number { return b > 1 ? a(b) : 2; }
export class K { method(): void { if (a) { plain(1); } } }\nexport * from './other.ts';\n`,
    modules: ['./a.ts'],
  },
  'a.go': {
    linguist: 'Go',
    source: `package a\n\nimport (\n\t"fmt"\n\t"os"\n)\n\nfunc Plain(n int) int {\n\tif n > 1 && n < 3 {\n\t\tfmt.Println(os.Args)\n\t}\n\treturn n\n}\n`,
    modules: ['fmt', 'os'],
  },
  'a.rb': {
    linguist: 'Ruby',
    source: `require 'set'\n\ndef plain(a)\n  return 1 if a\n  2\nend\n\ndef lazy\n  require 'json'\nend\n`,
    modules: ['set', 'json'],
  },
};

describe('a file that is read for less than all', () => {
  for (const [path, { linguist, source, modules }] of Object.entries(sources)) {
    it(`has the measures and the imports of one that is read whole, or its facts: ${linguist}`, async () => {
      const language = languageOf(path);
      if (!language) throw new Error(`${path} is in no language.`);
      const extractor = await createExtractor({ languages: [language.id] });
      const content = Buffer.from(source);
      const whole = extractor.read(language, content, path, linguist);
      const measured = extractor.measure(language, content, path, linguist);
      const ofGraph = extractor.forGraph(language, content, path, linguist);
      extractor.close();
      const { facts, detections } = whole;
      expect(ofGraph).to.deep.equal({ facts, measures: null, ...(detections && { detections }) });

      const placesOf = ({ facts }: typeof whole) => facts.imports.map(({ module, line }) => `${module} ${line}`).sort();
      expect(placesOf(measured)).to.deep.equal(placesOf(whole));
      expect(measured.facts.imports.map(({ module }) => module)).to.include.members([...modules]);
      expect(measured.measures).to.deep.equal(whole.measures);
      expect(measured.measures.functions?.length, 'functions').to.be.greaterThan(0);
      const { language: id, lines, packageName, syntaxErrors } = whole.facts;
      expect(measured.facts).to.include({ language: id, lines, packageName, syntaxErrors });
    });
  }

  it('is not parsed again for its facts where these were said to be next, and as it is where it has changed', async () => {
    const language = languageOf('a.js');
    if (!language) throw new Error('JavaScript is not known.');
    const extractor = await createExtractor({ languages: [language.id] });
    const other = await createExtractor({ languages: [language.id] });
    const [first, second] = ['function a() { b(); }', 'function b() {}'].map((text) => Buffer.from(text));
    for (const [measured, asked] of [
      [first, first],
      [first, second],
    ] as const) {
      if (!measured || !asked) throw new Error('There are two.');
      extractor.measure(language, measured, 'a.js', 'JavaScript', true);
      const kept = extractor.forGraph(language, asked, 'a.js', 'JavaScript');
      expect(kept).to.deep.equal(other.forGraph(language, asked, 'a.js', 'JavaScript'));
    }
    extractor.close();
    other.close();
  });
});
