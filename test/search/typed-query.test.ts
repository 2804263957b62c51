import { expect } from 'chai';
import fc from 'fast-check';
import { typedQuery } from '../../src/search/typed-query.ts';

describe('what is typed into the search box', () => {
  const cases: [box: string, read: ReturnType<typeof typedQuery>][] = [
    ['parse url', { text: 'parse url' }],
    ['type:class repo:koa parse', { text: 'parse', types: ['Class'], repositories: ['koa'] }],
    ['parse TYPE:Function,datamodel', { text: 'parse', types: ['Function', 'DataModel'] }],
    ['lang:go language:rust', { text: '', languages: ['go', 'rust'] }],
    [
      'path:src/http path:server framework:express x',
      { text: 'x', paths: ['src/http', 'server'], frameworks: ['express'] },
    ],
    [
      'license:mit topic:"web framework" -licence:gpl x',
      { text: 'x', licenses: ['mit'], topics: ['web framework'], excluded: { licenses: ['gpl'] } },
    ],
    ['repo:"odd name, with comma" x', { text: 'x', repositories: ['odd name, with comma'] }],
    ['"quoted phrase" more', { text: 'quoted phrase more', phrases: ['quoted phrase'] }],
    ['parse -not -"this phrase"', { text: 'parse', without: ['not', 'this phrase'] }],
    ['type:nothing', { text: 'type:nothing' }],
    ['type:class,nothing', { text: 'type:class,nothing' }],
    ['std::vector http://x.org size:large', { text: 'std::vector http://x.org size:large' }],
    ['constructor:x __proto__:y', { text: 'constructor:x __proto__:y' }],
    ['a - b --help -> "open', { text: 'a - b --help -> "open' }],
    ['-type:class -path:test,docs x', { text: 'x', excluded: { types: ['Class'], paths: ['test', 'docs'] } }],
    ['-repo:"odd name" -size:large', { text: '', excluded: { repositories: ['odd name'] }, without: ['size:large'] }],
    ['type:commit fix', { text: 'fix', types: ['Commit'] }],
    ['TYPE:diff fix', { text: 'fix', types: ['Commit'] }],
    ['author:ann x', { text: 'author:ann x' }],
    ['repo: x', { text: 'x' }],
    ['', { text: '' }],
  ];
  for (const [box, read] of cases) {
    it(`reads ${JSON.stringify(box)}`, () => {
      const { hints: _, ...asked } = typedQuery(box);
      expect(asked).to.deep.equal(read);
    });
  }

  it('has a hint on each qualifier that there is not, and on none that is', () => {
    const hinted = cases.filter(([box]) => typedQuery(box).hints !== undefined).map(([box]) => box);
    expect(hinted).to.deep.equal([
      'type:nothing',
      'type:class,nothing',
      'std::vector http://x.org size:large',
      'constructor:x __proto__:y',
      'author:ann x',
    ]);
    expect(typedQuery('size:large').hints).to.deep.equal([
      'size: is no qualifier of this search, so size:large was looked for as text; qualifiers are type:, kind:, repo:, language:, lang:, framework:, license:, licence:, topic:, path:; with type:commit author:, before:, after:, message:, file:.',
    ]);
  });

  it('is never refused, and what has no syntax stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 256 }), (box) => {
        expect(typedQuery(box).text.length).to.be.at.most(box.length);
      }),
    );
    const word = fc.stringMatching(/^[a-z(){}.*]{1,9}$/);
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(typedQuery(words.join(' '))).to.deep.equal({ text: words.join(' ') });
      }),
      { numRuns: 30 },
    );
  });
});
