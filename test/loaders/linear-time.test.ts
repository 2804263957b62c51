import { expect } from 'chai';
import { filling, fillingsPerName, names, random, superLinear } from '../support/hostile-fillings.ts';

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
});
