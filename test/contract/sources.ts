import { expect } from 'chai';
import type { RelationalStore } from '../../src/stores/relational/port.ts';
import { unique } from './relational-store.ts';

/** What every relational store promises of sources. */
export function sourcesContract(store: () => RelationalStore): void {
  const organization = async () => {
    const slug = unique('org');
    const { id } = await store().accounts.ensureOrganization({ slug, name: slug });
    const add = (address: string, ref: string | null = null) =>
      store().tenant(id, ({ sources }) =>
        sources.add({ address, place: `${slug}/${address}`, ref, every_seconds: 3_600, trusted: true }),
      );
    const list = async () => (await store().tenant(id, ({ sources }) => sources.list())).items;
    return { id, slug, add, list };
  };
  const dueOf = async (slug: string) =>
    (await store().sourceSchedule.due(1_000)).filter((each) => each.organization_slug === slug);

  describe('sources', () => {
    it('are one of a place and ref in an organization, and unseen by another', async () => {
      const [acme, other] = [await organization(), await organization()];
      const made = (await acme.add('a'))!;
      expect(made).to.include({ address: 'a', ref: null, commit: null, error: null, tried_at: null, repository: null });
      expect(made.id).to.match(/^src_[0-9A-HJKMNP-TV-Z]{26}$/);
      expect(await acme.add('a')).to.equal(null);
      expect(await acme.add('a', 'v2')).to.include({ ref: 'v2' });
      expect(await acme.list()).to.have.length(2);
      expect(await other.list()).to.deep.equal([]);
      await store().tenant(other.id, async ({ sources }) => {
        expect(await sources.get(made.id)).to.equal(null);
        expect(await sources.remove(made.id)).to.equal(false);
      });
      expect(await store().tenant(acme.id, ({ sources }) => sources.remove(made.id))).to.equal(true);
      expect((await acme.list()).map(({ ref }) => ref)).to.deep.equal(['v2']);
    });

    it('are due at once, then after their time, and at once again when they are pushed to', async () => {
      const { slug, add } = await organization();
      await add('b');
      const [due] = await dueOf(slug);
      await store().sourceSchedule.planned(due!);
      expect(await dueOf(slug)).to.deep.equal([]);
      expect(await store().sourceSchedule.pushed(due!, 'delivery 1')).to.equal(true);
      const [again] = await dueOf(slug);
      // A push between the look and its end is not lost.
      await store().sourceSchedule.planned(due!);
      expect(await dueOf(slug)).to.have.length(1);
      await store().sourceSchedule.planned(again!);
      expect(await store().sourceSchedule.pushed(due!, 'delivery 1'), 'the same delivery').to.equal(false);
      expect(await dueOf(slug)).to.deep.equal([]);
      expect(await store().sourceSchedule.at([`${slug}/b`])).to.have.length(1);
      expect(await store().sourceSchedule.at([])).to.deep.equal([]);
    });

    it('keep what was known when a look fails, and forget the error when one succeeds', async () => {
      const { id, add, list } = await organization();
      await add('c');
      const of = { organizationId: id, address: 'c', ref: null };
      const { sourceSchedule } = store();
      await sourceSchedule.tried(of, { repository: 'shop', commit: '1'.repeat(40) });
      await sourceSchedule.tried(of, { error: 'The host was away.' });
      const [failed] = await list();
      expect(failed).to.include({ repository: 'shop', commit: '1'.repeat(40), error: 'The host was away.' });
      expect(Date.parse(failed!.tried_at!)).to.be.at.least(Date.parse(failed!.checked_at!));
      await sourceSchedule.tried(of, { repository: 'shop', commit: '2'.repeat(40) });
      expect((await list())[0]).to.include({ commit: '2'.repeat(40), error: null });
      expect(await sourceSchedule.forget(id, 'shop')).to.equal(1);
      expect(await list()).to.deep.equal([]);
    });
  });
}
