import { expect } from 'chai';
import { licencesOf } from '../../src/due-diligence/licences.ts';

describe('licences of what is shipped', () => {
  const shipping = (license: string | null, licences: readonly (string | undefined)[], shipped?: boolean) =>
    licencesOf({
      license,
      packages: licences.map((each, index) => ({
        ecosystem: 'npm',
        name: `p${index}`,
        version: '1.0.0',
        path: 'package-lock.json',
        ...(each === undefined ? {} : { license: each }),
        ...(shipped === undefined ? {} : { shipped }),
      })),
    });

  it('a choice is the least that is asked for, two at once the most, and an exception lets it be part of others', () => {
    const { copyleft, conflicts, unknown } = shipping(
      'MIT',
      [
        'MIT',
        'GPL-3.0-only',
        'MIT OR GPL-3.0-only',
        'MIT AND AGPL-3.0-or-later',
        '(MIT OR LGPL-2.1-only) AND MPL-2.0',
        'GPL-2.0-only WITH Classpath-exception-2.0',
      ],
      true,
    );
    expect(copyleft).to.deep.equal({ strong: ['p1 1.0.0', 'p3 1.0.0'], weak: ['p4 1.0.0', 'p5 1.0.0'] });
    expect(conflicts).to.deep.equal(['p1 1.0.0', 'p3 1.0.0']);
    expect(unknown).to.equal(0);
  });

  it('what nobody says, or only a name that nobody knows, is unknown and never permissive', () => {
    expect(
      shipping('MIT', [undefined, 'UNLICENSED', 'SEE LICENSE IN x', 'Acme 1', 'MIT AND Acme 1', ''], true),
    ).to.include({
      unknown: 6,
      shipped: 6,
    });
    expect(shipping('MIT', ['(((('.repeat(1_000)], true).unknown).to.equal(1);
  });

  it('conflicts are not known without a licence of its own, and none with the same kind', () => {
    expect(shipping(null, ['GPL-3.0-only'], true).conflicts).to.equal(null);
    expect(shipping('Acme 1', ['GPL-3.0-only'], true).conflicts).to.equal(null);
    expect(shipping('GPL-3.0-only', ['GPL-3.0-only'], true).conflicts).to.deep.equal([]);
  });

  it('what only develops is left out; where nobody can tell, all counts', () => {
    expect(shipping('MIT', ['GPL-3.0-only'], false).copyleft.strong).to.deep.equal([]);
    expect(shipping('MIT', ['GPL-3.0-only'])).to.deep.include({ shipped: null, conflicts: ['p0 1.0.0'] });
  });
});
