import { expect } from 'chai';
import fc from 'fast-check';
import { createNumberByText } from '../../loaders/number-by-text.ts';
import { createPackedTexts } from '../../loaders/records/packed-texts.ts';

describe('createNumberByText', () => {
  it('knows of each text the last number that it was given, and none of any other', () => {
    const numbers = createNumberByText();
    const expected = new Map<string, number>();
    // Alike but for a digit or two, as the names of a program are; more than the table begins with.
    for (let index = 0; index < 20_000; index++) {
      const text = `src/pack${index % 97}/file${index % 5_003}.ts#Kind${index % 7_001}`;
      numbers.set(text, index);
      expected.set(text, index);
    }
    for (const [text, number] of expected) expect(numbers.get(text)).to.equal(number);
    for (let index = 0; index < 20_000; index++) expect(numbers.get(`src/pack${index}/file.ts`)).to.equal(null);
  });
});

describe('createPackedTexts', () => {
  it('gives back each text by its number', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 2_000 })), (given) => {
        const texts = createPackedTexts();
        for (const text of given) texts.add(text);
        expect(texts.length).to.equal(given.length);
        expect(given.map((_, index) => texts.at(index))).to.deep.equal(given);
      }),
    );
  });
});
