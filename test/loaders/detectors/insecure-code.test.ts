import { expect } from 'chai';
import { findInsecureCode } from '../../../loaders/detectors/insecure-code/find.ts';
import { insecureCodeRules } from '../../../loaders/detectors/insecure-code/rules.ts';

describe('rules of insecure code', () => {
  for (const { id, language, insecure, fine } of insecureCodeRules()) {
    it(`${id} finds its insecure examples and none of the fine ones`, async () => {
      const found = async (source: string) =>
        (await findInsecureCode(language.toLowerCase(), source)).filter(({ rule }) => rule === id).length;
      for (const source of insecure) expect(await found(source), source).to.equal(1);
      for (const source of fine) expect(await found(source), source).to.equal(0);
    });
  }
});
