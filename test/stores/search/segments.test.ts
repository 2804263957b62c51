import { expect } from 'chai';
import fc from 'fast-check';
import { documentTokens, fields } from '../../../src/search/ranking/document-tokens.ts';
import { maxTypos } from '../../../src/search/ranking/query.ts';
import { membersOf, noBits } from '../../../src/stores/search/segments/bits.ts';
import { contentOf } from '../../../src/stores/search/segments/content.ts';
import { inBytes } from '../../../src/search/ranking/in-bytes.ts';
import { columns } from '../../../src/stores/search/segments/postings.ts';
import { segmentOf, type Segment } from '../../../src/stores/search/segments/segment.ts';
import { spellingsWriter } from '../../../src/stores/search/segments/spellings.ts';
import { blockWriter } from '../../../src/stores/search/segments/term-blocks.ts';
import { GAP, isSpelling, isWord } from '../../../src/search/ranking/tokens.ts';
import { isNear } from '../../../src/search/ranking/typos.ts';
import { document } from '../../contract/search-store.ts';

describe('segments of the embedded search index', () => {
  const letter = fc.constantFrom('a', 'b', 'B', 'c', 'é', '名', '𝔠', '1', '_');
  const word = fc.array(letter, { minLength: 1, maxLength: 7 }).map((letters) => letters.join(''));
  const documents = fc
    .sample(fc.record({ name: word, doc: fc.array(word, { maxLength: 9 }).map((words) => words.join(' ')) }), {
      numRuns: 3_000,
      seed: 5,
    })
    .map(({ name, doc }, i) => document('one', name, { doc, id: String(i) }))
    .sort((a, b) => inBytes(a.name, b.name) || inBytes(a.id, b.id));
  const tokens = documents.map(documentTokens);
  const segment = segmentIn(documents);
  const numbersOf = (holds: (each: (typeof tokens)[number]) => boolean) =>
    tokens.flatMap((each, number) => (holds(each) ? [number] : []));
  const some = fc.constantFrom(
    ...tokens.flatMap(({ name, text }) => [...name, ...text]).filter((token) => token !== GAP),
  );

  it('finds by a term and by its beginning what one finds by looking at every document', () => {
    fc.assert(
      fc.property(some, fc.nat(9), (token, length) => {
        const begun = Array.from(token)
          .slice(0, length + 1)
          .join('');
        for (const field of fields) {
          const column = columns.indexOf(field);
          const found = (how: 'whole' | 'prefix') => [...membersOf(segment.find(begun, how)[column] ?? noBits(0))];
          expect(found('whole')).to.deep.equal(numbersOf((each) => each[field].includes(begun)));
          expect(found('prefix')).to.deep.equal(numbersOf((each) => each[field].some((one) => one.startsWith(begun))));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('finds what follows one another, and every term of a name that is near, with its documents', () => {
    const all = noBits(documents.length).fill(0xffffffff);
    const names = new Set(tokens.flatMap(({ name }) => name.filter(isSpelling)));
    fc.assert(
      fc.property(some, some, (one, other) => {
        const follow = numbersOf(({ text }) => text.some((token, i) => token === one && text[i + 1] === other));
        expect([...membersOf(segment.inOrder('text', [one, other], all) ?? noBits(0))]).to.deep.equal(follow);
        const mistyped = one.slice(0, 2) + one.slice(3);
        const near = [...segment.near(mistyped, maxTypos(mistyped))].filter((term) => isNear(mistyped, term));
        const [first = '', second = ''] = mistyped;
        const begun = isWord(mistyped) ? first : first + second;
        const wanted = [...names].filter((term) => isNear(mistyped, term) && term.startsWith(begun));
        expect(new Set(near)).to.deep.equal(new Set(wanted));
        expect([...membersOf(segment.named(near))]).to.deep.equal(
          numbersOf(({ name }) => name.some((term) => near.includes(term))),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('orders texts as their bytes are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(Math.sign(inBytes(a, b))).to.equal(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});

function segmentIn(documents: readonly ReturnType<typeof document>[]): Segment {
  const { keys, statics, terms } = contentOf(documents.map((each, key) => ({ key, document: each })));
  const [firsts, blocks, implied]: [string[], Uint8Array[], number[]] = [[], [], []];
  const inNames = spellingsWriter();
  const writer = blockWriter((first, block, letters) => {
    firsts.push(first);
    blocks.push(block.slice());
    implied.push(letters);
  });
  for (const each of terms) {
    writer.add(each);
    inNames.add(each);
  }
  writer.end();
  const spellings = inNames.end();
  const block = (index: number) => blocks[index] ?? new Uint8Array();
  const live = noBits(documents.length).fill(0xffffffff);
  let before = 0;
  return segmentOf({
    live,
    keys,
    statics,
    firsts,
    implied: Uint8Array.from(implied),
    block,
    names: spellings.firsts.map((ofLength) => {
      const start = before;
      before += ofLength.length;
      return { firsts: ofLength, block: (index) => spellings.blocks[start + index] ?? new Uint8Array() };
    }),
    keep: (_, work) => work(),
  });
}
