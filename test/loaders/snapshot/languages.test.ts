import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import * as linguist from 'linguist-languages';

const file = new URL('../../../loaders/snapshot/linguist/languages.json', import.meta.url);

describe('languages.json', () => {
  // A copy of what is used of linguist's languages: importing their 700 modules would cost each start a third of a second.
  it('says what linguist-languages says (UPDATE_GOLDEN=1 copies it anew)', () => {
    const used = Object.values(linguist).map((language) => {
      const { name, type, aliases, extensions, filenames, interpreters } = language as Record<string, unknown>;
      return { name, type, aliases, extensions, filenames, interpreters };
    });
    const text = `[\n${used.map((language) => JSON.stringify(language)).join(',\n')}\n]\n`;
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).to.equal(text);
  });
});
