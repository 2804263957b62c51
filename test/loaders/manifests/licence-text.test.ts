import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { licenceOf, licenceOfTexts } from '../../../loaders/manifests/licence-text.ts';

const modules = join(import.meta.dirname, '../../../node_modules');
const MIT = readFileSync(join(modules, 'koa/LICENSE'), 'utf8');
const APACHE = readFileSync(join(modules, 'b4a/LICENSE'), 'utf8');

describe('the licence of a text', () => {
  it('is what the package says, of nearly all that are installed', () => {
    const packages = readdirSync(modules)
      .flatMap((name) =>
        name.startsWith('@') ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : name,
      )
      .map((name) => join(modules, name))
      .filter((folder) => existsSync(join(folder, 'package.json')));
    let [same, all] = [0, 0];
    for (const folder of packages) {
      const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { license?: unknown };
      const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying)/i.test(file));
      if (typeof license !== 'string' || texts.length !== 1 || / /.test(license)) continue;
      all++;
      if (licenceOf(readFileSync(join(folder, texts[0] ?? ''), 'utf8')) === license) same++;
    }
    expect(all).to.be.greaterThan(200);
    expect(same / all, `${same} of ${all}`).to.be.at.least(0.95);
  });

  for (const [what, text] of [
    ['has a condition of somebody’s own', `${MIT}\nThe Software may not be sold. No commercial use is allowed.`],
    ['is under the Commons Clause', `“Commons Clause” License Condition v1.0\n\n${MIT}`],
    ['is for non-commercial use', MIT.replace('to deal', 'for non-commercial purposes only, to deal')],
    ['is two texts in one', `${MIT}\n\n${APACHE}`],
    ['goes on for long', `${MIT}\n${'You must also do as we say. '.repeat(60)}`],
    ['only leads to one', 'See https://example.org/license for the MIT license.'],
    ['is empty', ''],
  ] as const) {
    it(`is not known where it ${what}`, () => {
      expect(licenceOf(MIT)).to.equal('MIT');
      expect(licenceOf(text)).to.equal(null);
    });
  }

  const cases: [string, Record<string, string>, string | undefined][] = [
    ['one', { LICENSE: MIT }, 'MIT'],
    ['one of the names', { 'COPYING.md': APACHE }, 'Apache-2.0'],
    ['a choice', { 'LICENSE-MIT': MIT, 'LICENSE-APACHE': APACHE }, 'Apache-2.0 OR MIT'],
    [
      'a choice, beside a folder',
      { 'LICENSE-MIT': MIT, 'LICENSE-APACHE': APACHE, 'LICENSES/MIT.txt': MIT },
      'Apache-2.0 OR MIT',
    ],
    ['the plainest name', { LICENSE: MIT, 'LICENSE.third-party': APACHE }, 'MIT'],
    [
      'the plainest name, also where nobody knows it',
      { LICENSE: 'Ours alone. '.repeat(60), 'LICENSE.third-party': APACHE },
      undefined,
    ],
    ['a folder', { 'LICENSES/MIT.txt': MIT }, 'MIT'],
    ['no part of other folders', { 'vendor/LICENSE': MIT, 'license.go': MIT.repeat(2) }, undefined],
  ];
  for (const [what, texts, licence] of cases) {
    it(`of several files is ${what}`, () => {
      expect(licenceOfTexts(new Map(Object.entries(texts)))).to.equal(licence);
    });
  }
});
