import { expect } from 'chai';
import { languages } from '../../../loaders/languages/index.ts';
import { hostileUnits, superLinearSource } from '../../support/hostile-sources.ts';

describe('sources that are made to take long', () => {
  for (const language of languages)
    it(`cost in proportion to their size, or are left out by name within their time: ${language.id}`, async () => {
      const slow: string[] = [];
      for (const unit of hostileUnits) {
        const found = await superLinearSource(language, unit);
        if (found !== null) slow.push(found);
      }
      expect(slow).to.deep.equal([]);
    }).timeout(7_200_000);
});
