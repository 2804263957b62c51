import { expect } from 'chai';
import { changeExample } from '../../src/changes/example.ts';
import type { RelationalStore } from '../../src/stores/relational/port.ts';
import { unique } from './relational-store.ts';

/** What every relational store promises of measured changes. */
export function measuredChangesContract(store: () => RelationalStore): void {
  const organization = async () => {
    const slug = unique('org');
    const { id } = await store().accounts.ensureOrganization({ slug, name: slug });
    const get = (asked: typeof main) => store().tenant(id, ({ changes }) => changes.get(asked));
    const ask = (asked: typeof main, maxWaiting = 2) =>
      store().tenant(id, ({ changes }) => changes.ask(asked, maxWaiting));
    return { id, get, ask };
  };
  const main = { repository: 'shop', base: 'main', head: 'next', analyzer: '1' };

  describe('measured changes', () => {
    it('wait until they are measured, are kept by who asked for what, and wait again when they are asked for again', async () => {
      const [acme, other] = [await organization(), await organization()];
      expect(await acme.get(main)).to.equal(null);
      expect(await acme.ask(main)).to.equal(true);
      expect(await acme.get(main)).to.include({ ended_at: null, change: null, error: null });
      await store().changes.save({ organizationId: acme.id, ...main }, { change: changeExample });
      const kept = await acme.get(main);
      expect(kept?.change).to.deep.equal(changeExample);
      expect(kept?.age_ms).to.be.within(0, 60_000);
      for (const unlike of [{ base: 'x' }, { head: 'x' }, { analyzer: '2' }, { repository: 'x' }])
        expect(await acme.get({ ...main, ...unlike })).to.equal(null);
      expect(await other.get(main)).to.equal(null);
      expect(await acme.ask(main)).to.equal(true);
      expect(await acme.get(main)).to.include({ ended_at: null, change: null });
      await store().changes.save({ organizationId: acme.id, ...main }, { error: 'There is no main.' });
      expect(await acme.get(main)).to.include({ change: null, error: 'There is no main.' });
      await store().changes.forget(acme.id, 'shop');
      expect(await acme.get(main)).to.equal(null);
    });

    it('are refused while so many others wait, and never is one that waits itself', async () => {
      const { id, ask, get } = await organization();
      const [second, third] = ['second', 'third'].map((head) => ({ ...main, head }));
      expect([await ask(main), await ask(second!), await ask(third!), await ask(main)]).to.deep.equal([
        true,
        true,
        false,
        true,
      ]);
      expect(await get(third!)).to.equal(null);
      await store().changes.save({ organizationId: id, ...main }, { error: 'No.' });
      expect(await ask(third!)).to.equal(true);
    });

    it('are none of which nobody has asked', async () => {
      const { id, get } = await organization();
      await store().changes.save({ organizationId: id, ...main }, { change: changeExample });
      expect(await get(main)).to.equal(null);
    });
  });
}
