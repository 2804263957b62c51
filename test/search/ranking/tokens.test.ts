import { expect } from 'chai';
import fc from 'fast-check';
import { exactToken, nameTokens, parts, stem, textTokens } from '../../../src/search/ranking/tokens.ts';

describe('tokens', () => {
  const cases: [identifier: string, wanted: string[]][] = [
    ['HTTPServer2', ['http', 'server', '2']],
    ['getUserProfile', ['get', 'user', 'profile']],
    ['snake_case_name', ['snake', 'case', 'name']],
    ['SCREAMING_SNAKE', ['screaming', 'snake']],
    ['kebab-case', ['kebab', 'case']],
    ['parseJSONToXML', ['parse', 'json', 'to', 'xml']],
    ['sha256sum', ['sha', '256', 'sum']],
    ['__init__', ['init']],
    ['src/users/profile.ts', ['src', 'users', 'profile', 'ts']],
    ['ÉcoleNormale', ['ecole', 'normale']],
    ['名前空間', ['名', '前', '空', '間']],
    ['Привет_мир', ['привет', 'мир']],
    ['ﬁnd', ['find']],
    ['$', []],
    ['', []],
  ];
  for (const [identifier, wanted] of cases) {
    it(`splits ${JSON.stringify(identifier)} as people read it`, () => {
      expect(parts(identifier)).to.deep.equal(wanted);
    });
  }

  it('gives a name the beginnings that people type: of any part, and of parts in one', () => {
    expect(nameTokens('getUserProfile')).to.deep.equal(['get', 'user', 'profile', 'getuserprofile', 'userprofile']);
  });

  for (const [beginning, forms] of Object.entries({
    pars: ['parsing', 'parsed'],
    handl: ['handle', 'handles', 'handled', 'handling'],
    quer: ['queries'],
    class: ['class', 'classes'],
    embed: ['embed', 'embedded', 'embedding'],
    string: ['string', 'strings'],
    state: ['state', 'states'],
    status: ['status'],
    speed: ['speed', 'speeds'],
  }))
    it(`finds by ${beginning} the other forms of ${forms.join(', ')}`, () => {
      for (const form of forms) expect(stem(form)).to.equal(beginning);
    });

  it('finds a word by a beginning of it, whatever it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,9}(s|es|ies|ed|ing|y|e)?$/), (word) => word.startsWith(stem(word))),
    );
  });

  it('tells names apart by letters and digits alone, and those without any by their characters', () => {
    expect(new Set(['get_user', 'getUser', 'GetUser', 'get user'].map(exactToken))).to.have.property('size', 1);
    expect(new Set(['$', '_', '+', ''].map(exactToken))).to.have.property('size', 4);
  });

  it('never holds a space, a quote or half a character, whatever the text, and stays within bounds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        for (const tokens of [nameTokens(text), textTokens(text), [exactToken(text)]]) {
          expect(tokens.length).to.be.at.most(400);
          for (const token of tokens) {
            expect(token).to.match(/^[^\s"]+$/u);
            expect(token.isWellFormed()).to.equal(true);
            expect(token.length).to.be.at.most(255);
          }
        }
      }),
    );
  });
});
