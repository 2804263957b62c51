import { expect } from 'chai';
import { filling, fillingsPerName, names, superLinear } from '../../support/hostile-fillings.ts';

describe('files that are made to take long', () => {
  for (const name of names)
    it(`cost in proportion to their size: ${name}`, async () => {
      const slow: (string | null)[] = [];
      for (let number = 0; number < fillingsPerName; number++)
        slow.push(await superLinear(name, filling(name, number)));
      expect(slow.filter((found) => found !== null)).to.deep.equal([]);
    }).timeout(3_600_000);
});
