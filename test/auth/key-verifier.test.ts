import { expect } from 'chai';
import { checkPeppers } from '../../src/cli/check-peppers.ts';
import { generateApiKey } from '../../src/auth/api-key.ts';
import { createKeyVerifier } from '../../src/auth/key-verifier.ts';
import { keyDigester } from '../../src/auth/pepper.ts';
import type { Principal } from '../../src/model/account.ts';
import { StoreUnavailable } from '../../src/stores/errors.ts';
import { failure, unique } from '../contract/relational-store.ts';
import { eventually } from '../support/eventually.ts';
import { addKey, addMember } from '../support/accounts.ts';
import { temporaryPglite } from '../support/temporary-pglite.ts';

describe('key verifier', () => {
  const relational = temporaryPglite();
  const current = 'p'.repeat(32);

  /** A verifier over the real store, whose look-ups are counted and can be cut off, at a time that the test sets. */
  const verifier = ({ pepper = current, previousPepper }: { pepper?: string; previousPepper?: string } = {}) => {
    const state = { lookUps: 0, reachable: true, now: Date.now() };
    const made = createKeyVerifier({
      pepper,
      previousPepper,
      now: () => state.now,
      accounts: {
        principalByDigest: (digests): Promise<Principal | null> => {
          state.lookUps += 1;
          if (!state.reachable) return Promise.reject(new StoreUnavailable('relational'));
          return relational().accounts.principalByDigest(digests);
        },
      },
    });
    return Object.assign(state, made);
  };

  const issue = async (expiresAt: string | null = null, under = current) => {
    const { organization, member } = await addMember(relational(), unique('org'));
    const key = generateApiKey('live');
    const digest = keyDigester(under)(key);
    const made = await addKey(relational(), member, { prefix: key.slice(0, 13), digest, expiresAt });
    return { key, id: made.key.id, organization, member };
  };
  const revoke = ({ organization, id }: Awaited<ReturnType<typeof issue>>) =>
    relational().tenant(organization.id, ({ apiKeys }) => apiKeys.revoke(id));

  it('tells who a key stands for', async () => {
    const { key, id, organization, member } = await issue();
    expect(await verifier().verify(key)).to.deep.equal({
      organization,
      plan: 'beta',
      member,
      api_key: { id, prefix: key.slice(0, 13), expires_at: null, environment: 'live' },
      products: null,
      repositories: null,
      scopes: null,
      rate_limit_per_minute: null,
    });
  });

  it('refuses what is malformed or has a wrong checksum without a look-up', async () => {
    const one = verifier();
    const { key } = await issue();
    const last = key.endsWith('0') ? '1' : '0';
    for (const text of ['', 'Bearer', key.slice(0, -1), `${key} `, key.slice(0, -1) + last, key.toUpperCase()]) {
      expect(await one.verify(text)).to.equal(null);
    }
    expect(one.lookUps).to.equal(0);
  });

  it('looks a known key up again only after 5 seconds, and an unknown one after 2', async () => {
    const one = verifier();
    const { key } = await issue();
    const unknown = generateApiKey('live');
    const lookUpsOf = async (text: string) => {
      const before = one.lookUps;
      await one.verify(text);
      return one.lookUps - before;
    };
    expect([
      await lookUpsOf(key),
      await lookUpsOf(key),
      await lookUpsOf(unknown),
      await lookUpsOf(unknown),
    ]).to.deep.equal([1, 0, 1, 0]);
    one.now += 1_999;
    expect([await lookUpsOf(key), await lookUpsOf(unknown)]).to.deep.equal([0, 0]);
    one.now += 1;
    expect([await lookUpsOf(key), await lookUpsOf(unknown)]).to.deep.equal([0, 1]);
    one.now += 3_000;
    expect(await lookUpsOf(key)).to.equal(1);
  });

  it('asks once for many calls at once', async () => {
    const one = verifier();
    const { key, organization } = await issue();
    const answers = await Promise.all(Array.from({ length: 50 }, () => one.verify(key)));
    for (const answer of answers) expect(answer?.organization).to.deep.equal(organization);
    expect(one.lookUps).to.equal(1);
  });

  it('refuses a revoked key at most 5 seconds later, and at once when told to forget it', async () => {
    const one = verifier();
    const first = await issue();
    await one.verify(first.key);
    await revoke(first);
    expect(await one.verify(first.key)).to.not.equal(null);
    one.now += 5_000;
    expect(await one.verify(first.key)).to.equal(null);
    const second = await issue();
    await one.verify(second.key);
    await revoke(second);
    one.forget(second.id);
    expect(await one.verify(second.key)).to.equal(null);
  });

  it('refuses a key from the moment that it expires, remembered or not', async () => {
    const one = verifier();
    const { key } = await issue(new Date(one.now + 60_000).toISOString());
    one.now += 57_000;
    expect(await one.verify(key)).to.not.equal(null);
    one.now += 3_000;
    expect(await one.verify(key)).to.equal(null);
  });

  it('honours a known key for 10 minutes while the store is away, and says of others that it cannot tell', async () => {
    const one = verifier();
    const { key } = await issue();
    const stranger = await issue();
    expect(await one.verify(key)).to.not.equal(null);
    one.reachable = false;
    one.now += 10 * 60_000 - 1;
    expect(await one.verify(key)).to.not.equal(null);
    expect(await failure(one.verify(stranger.key))).to.be.instanceOf(StoreUnavailable);
    one.now += 1;
    expect(await failure(one.verify(key))).to.be.instanceOf(StoreUnavailable);
    one.reachable = true;
    expect(await one.verify(key)).to.not.equal(null);
  });

  it('refuses a key that was revoked while the store was away, as soon as it is back', async () => {
    const one = verifier();
    const issued = await issue();
    const { key } = issued;
    await one.verify(key);
    await revoke(issued);
    one.reachable = false;
    one.now += 60_000;
    expect(await one.verify(key)).to.not.equal(null);
    one.reachable = true;
    expect(await one.verify(key)).to.equal(null);
    one.reachable = false;
    expect(await one.verify(key)).to.equal(null);
  });

  it('takes a key under the pepper before, and keeps it under the one in force from then on', async () => {
    const { key, id } = await issue();
    const pepper = 'n'.repeat(32);
    expect(await verifier({ pepper }).verify(key)).to.equal(null);
    const both = verifier({ pepper, previousPepper: current });
    expect((await both.verify(key))?.api_key.id).to.equal(id);
    expect([(await both.verify(key))?.api_key.id, both.lookUps]).to.deep.equal([id, 1]);
    expect((await verifier({ pepper }).verify(key))?.api_key.id).to.equal(id);
    expect(await verifier().verify(key)).to.equal(null);
    // An instance that has them the other way round, while the others are restarted one by one.
    expect((await verifier({ previousPepper: pepper }).verify(key))?.api_key.id).to.equal(id);
  });

  it('says which keys need the pepper before, and which are lost without theirs', async () => {
    const [pepper, other] = ['m'.repeat(32), 'o'.repeat(32)];
    const words = async (peppers: { current: string; previous: string | undefined }) => {
      const said: string[] = [];
      await checkPeppers(relational(), peppers, (text) => said.push(text));
      return said.join('\n');
    };
    const { key } = await issue(null, pepper);
    await issue('2020-01-01T00:00:00.000Z', other);
    expect(await words({ current: other, previous: pepper })).to.include(
      '1 API key is under API_KEY_PEPPER_PREVIOUS: it is needed',
    );
    expect(await words({ current: other, previous: undefined })).to.match(
      /API keys are under a pepper that is not set/,
    );
    await verifier({ pepper: other, previousPepper: pepper }).verify(key);
    expect(await words({ current: other, previous: pepper })).not.to.include('PREVIOUS: it is needed');
  });

  it('remembers nothing that was asked for before it was told to forget', async () => {
    const state = { answer: Promise.withResolvers<void>(), lookUps: 0 };
    const one = createKeyVerifier({
      pepper: current,
      accounts: {
        async principalByDigest(digests) {
          state.lookUps += 1;
          const principal = await relational().accounts.principalByDigest(digests);
          await state.answer.promise;
          return principal;
        },
      },
    });
    const issued = await issue();
    const asked = one.verify(issued.key);
    await eventually(async () => expect(state.lookUps).to.equal(1));
    await revoke(issued);
    one.forget(issued.id);
    state.answer.resolve();
    await asked;
    expect(await one.verify(issued.key)).to.equal(null);
  });

  it('forgets all keys of a member', async () => {
    const one = verifier();
    const { key, member } = await issue();
    await one.verify(key);
    await relational().tenant(member.organization_id, ({ members }) => members.setRole(member.id, 'viewer'));
    expect((await one.verify(key))?.member.role).to.equal('owner');
    one.forget(member.id);
    expect((await one.verify(key))?.member.role).to.equal('viewer');
  });

  it('keeps no key and no part of one in the store', async () => {
    const { key } = await issue();
    const rows = JSON.stringify(await relational().accounts.apiKeys());
    for (let start = 13; start + 8 <= key.length; start += 1) expect(rows).to.not.include(key.slice(start, start + 8));
  });
});
