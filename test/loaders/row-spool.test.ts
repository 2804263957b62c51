import { expect } from 'chai';
import fc from 'fast-check';
import { createRowSpool } from '../../loaders/row-spool.ts';
import { openTemporaryFile } from '../../loaders/temporary-file.ts';

describe('Rows of a large repository', () => {
  it('are those that were added, in their order and each by its index, in memory or on disk', () => {
    const row = fc.record({ name: fc.string({ unit: 'grapheme' }), line: fc.option(fc.nat()) });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), fc.integer({ min: 1, max: 40 }), (rows, most) => {
        const file = openTemporaryFile();
        const spool = createRowSpool<(typeof rows)[number]>(file, most, 3);
        for (const each of rows) spool.add(each);
        expect(spool.length).to.equal(rows.length);
        for (let time = 0; time < 2; time++) expect([...spool]).to.deep.equal(rows);
        expect(rows.map((_, index) => spool.at(rows.length - 1 - index))).to.deep.equal(rows.toReversed());
        expect(() => spool.at(rows.length)).to.throw(RangeError);
        file.close();
      }),
    );
  });

  it('can’t be asked for when their file is closed, nor be more than fit into memory', () => {
    const file = openTemporaryFile();
    const spool = createRowSpool<number>(file, 1, 1);
    spool.add(1);
    file.close();
    expect(() => [...spool]).to.throw('closed');
    expect(() => spool.add(2)).to.throw('closed');
  });
});
