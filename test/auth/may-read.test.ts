import { expect } from 'chai';
import { mayRead } from '../../src/auth/may-read.ts';

describe('mayRead', () => {
  it('a key that is not restricted may see every repository, one that is only those named, by their whole name', () => {
    const cases: [readonly string[] | null, string, boolean][] = [
      [null, 'acme/shop', true],
      [['acme/shop'], 'acme/shop', true],
      [['acme/shop'], 'acme/shop-api', false],
      [['acme/shop'], 'shop', false],
      [['acme/shop'], 'Acme/Shop', false],
      [[], 'acme/shop', false],
    ];
    for (const [repositories, name, may] of cases) expect(mayRead({ repositories }, name)).equals(may);
  });
});
