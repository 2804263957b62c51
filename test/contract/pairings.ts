import { randomBytes, randomInt } from 'node:crypto';
import { expect } from 'chai';
import type { CliRole } from '../../src/model/cli.ts';
import type { RelationalStore } from '../../src/stores/relational/port.ts';
import { addKey, addMember } from '../support/accounts.ts';
import { unique } from './relational-store.ts';

/** What every relational store promises of pairings and of the sessions that come of them. */
export function pairingsContract(store: () => RelationalStore): void {
  describe('pairings', () => {
    const owner = () => addMember(store(), unique('org'));
    type Owner = Awaited<ReturnType<typeof owner>>;
    const newSelector = () => `T${randomInt(1e9)}`;
    const create = ({ organization, member }: Owner, selector: string, lifetimeSeconds = 600) =>
      store().tenant(organization.id, ({ pairings }) =>
        pairings.create({
          keyId: null,
          memberId: member.id,
          selector,
          secretDigest: randomBytes(32),
          deviceName: 'laptop',
          role: 'member',
          lifetimeSeconds,
        }),
      );
    const made = async (of: Owner, selector: string, lifetimeSeconds?: number) => {
      const pairing = await create(of, selector, lifetimeSeconds);
      return pairing ?? expect.fail('the selector is free');
    };

    it('an open pairing is found by its selector, from everywhere, and nobody else gets it', async () => {
      const [one, other] = [await owner(), await owner()];
      const selector = newSelector();
      const { id } = await made(one, selector);
      expect(await store().pairings.find(selector)).to.deep.equal({
        id,
        organization_id: one.organization.id,
        organization_slug: one.organization.slug,
      });
      expect(await create(other, selector)).to.equal(null);
    });

    it('a selector is free again when its pairing is claimed, revoked, or expired', async () => {
      const [one, other] = [await owner(), await owner()];
      const selector = newSelector();
      for (const end of ['claim', 'revoke'] as const) {
        const { id } = await made(one, selector);
        const ended = () => store().tenant(one.organization.id, ({ pairings }) => pairings[end](id));
        expect([await ended(), await ended()]).to.deep.equal([true, false]);
        expect(await store().pairings.find(selector)).to.equal(null);
      }
      const { id } = await made(one, selector, 0);
      expect(await store().pairings.find(selector)).to.equal(null);
      const status = async () =>
        (await store().tenant(one.organization.id, ({ pairings }) => pairings.get(id)))?.status;
      expect(await status()).to.equal('expired');
      expect(await store().tenant(one.organization.id, ({ pairings }) => pairings.hold(id))).to.equal(null);
      expect(await store().tenant(one.organization.id, ({ pairings }) => pairings.claim(id))).to.equal(false);
      await store().pairings.expire();
      expect(await status()).to.equal('expired');
      await made(other, selector);
    });

    it('of many who hold a pairing one decides at a time: one claims it', async () => {
      const one = await owner();
      const { id } = await made(one, newSelector());
      const claims = Array.from({ length: 8 }, () =>
        store().tenant(one.organization.id, async ({ pairings }) => (await pairings.hold(id)) && pairings.claim(id)),
      );
      expect((await Promise.all(claims)).filter((claimed) => claimed)).to.have.lengthOf(1);
    });

    it('the fifth wrong secret revokes it, also of many at once', async () => {
      const one = await owner();
      const { id } = await made(one, newSelector());
      const guess = () =>
        store().tenant(
          one.organization.id,
          async ({ pairings }) => (await pairings.hold(id)) && pairings.countWrongSecret(id),
        );
      const outcomes = await Promise.all(Array.from({ length: 12 }, guess));
      expect(outcomes.filter((revoked) => revoked === false)).to.have.lengthOf(4);
      expect(outcomes.filter((revoked) => revoked === true)).to.have.lengthOf(1);
      expect(outcomes.filter((revoked) => revoked === null)).to.have.lengthOf(7);
    });

    it('a token is used once, in whichever organization, and forgotten when it has expired', async () => {
      const [one, other] = [await owner(), await owner()];
      const digest = randomBytes(32);
      const use = ({ organization }: Owner, expires_at = new Date(Date.now() + 60_000).toISOString()) =>
        store().tenant(organization.id, ({ pairings }) => pairings.useOwnerJwt({ digest, expires_at }));
      expect(await use(one, new Date(0).toISOString())).to.equal(true);
      expect([await use(one), await use(other)]).to.deep.equal([false, false]);
      await store().purge();
      expect([await use(other), await use(one)]).to.deep.equal([true, false]);
      await store().purge();
      expect(await use(one)).to.equal(false);
    });

    it('an owner is known by subject and organization, by its id or slug, and while they are one', async () => {
      const [one, other] = [await owner(), await owner()];
      const subject = unique('sub');
      const setSubject = ({ organization, member }: Owner) =>
        store().tenant(organization.id, ({ members }) => members.setSubject(member.id, subject));
      expect([await setSubject(one), await setSubject(one), await setSubject(other)]).to.deep.equal([true, true, true]);
      for (const { organization, member } of [one, other])
        for (const each of [organization.id, organization.slug])
          expect(await store().pairings.owner({ organization: each, subject })).to.deep.equal(member);
      const { slug } = one.organization;
      expect(await store().pairings.owner({ organization: slug, subject: 'nobody' })).to.equal(null);
      expect(await store().pairings.owner({ organization: 'no-such', subject })).to.equal(null);
      await store().tenant(one.organization.id, ({ members }) => members.setRole(one.member.id, 'admin'));
      expect(await store().pairings.owner({ organization: slug, subject })).to.equal(null);
    });

    it('a subject is one member of an organization', async () => {
      const { organization, member } = await owner();
      const { member: bob } = await addMember(store(), organization.slug, { name: 'Bob' });
      const subject = unique('sub');
      const set = (id: string) => store().tenant(organization.id, ({ members }) => members.setSubject(id, subject));
      expect([await set(member.id), await set(bob.id)]).to.deep.equal([true, false]);
    });

    it('a session lasts as long as its key, which may do what its member may, or less', async () => {
      const one = await owner();
      const { id: pairingId } = await made(one, newSelector());
      const expiresAt = new Date(Date.now() + 60_000).toISOString();
      const { key } = await addKey(store(), one.member, { expiresAt });
      const client = { name: 'repo-intel', version: '1', platform: 'linux' };
      const create = { memberId: one.member.id, apiKeyId: key.id, pairingId, deviceName: 'laptop', client };
      const session = async () =>
        store().tenant(one.organization.id, async ({ cliSessions }) => cliSessions.ofKey(key.id));
      const created = await store().tenant(one.organization.id, ({ cliSessions }) => cliSessions.create(create));
      expect(await session()).to.deep.equal(created);
      expect(created).to.deep.include({
        organization_id: one.organization.id,
        member_id: one.member.id,
        api_key_id: key.id,
        status: 'active',
        device_name: 'laptop',
        client,
        role: 'owner' as CliRole,
        last_used_at: null,
        expires_at: expiresAt,
      });
      await store().tenant(one.organization.id, ({ members }) => members.setRole(one.member.id, 'viewer'));
      expect((await session())?.role).to.equal('viewer');
      await store().tenant(one.organization.id, ({ apiKeys }) => apiKeys.expire(key.id, new Date(0).toISOString()));
      expect((await session())?.status).to.equal('expired');
      await store().tenant(one.organization.id, ({ apiKeys }) => apiKeys.revoke(key.id));
      expect((await session())?.status).to.equal('revoked');
    });

    it('the role of a key and the role of its member: the lesser counts', async () => {
      const one = await owner();
      const roles = ['owner', 'admin', 'member', 'viewer', null] as const;
      for (const role of ['owner', 'member'] as const) {
        await store().tenant(one.organization.id, ({ members }) => members.setRole(one.member.id, role));
        const counted: (string | undefined)[] = [];
        for (const own of roles) {
          const key = { memberId: one.member.id, role: own, name: null, prefix: 'p', expiresAt: null };
          const digest = { digest: randomBytes(32), pepperId: 'test' };
          await store().tenant(one.organization.id, ({ apiKeys }) => apiKeys.create({ ...key, digest }));
          counted.push((await store().accounts.principalByDigest([digest]))?.member.role);
        }
        expect(counted).to.deep.equal(
          role === 'owner'
            ? ['owner', 'admin', 'member', 'viewer', 'owner']
            : ['member', 'member', 'member', 'viewer', 'member'],
        );
      }
    });
  });
}
