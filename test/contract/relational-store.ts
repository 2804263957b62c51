import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { ApiKey, Member, Role } from '../../src/model/account.ts';
import type { RepositoryInfo } from '../../src/model/snapshot.ts';
import type { RelationalStore } from '../../src/stores/relational/port.ts';
import { addKey, addMember, someDigest } from '../support/accounts.ts';

/** What every relational store promises; `store` gives the open one, `reopen` closes it and opens it again. */
export function relationalStoreContract(store: () => RelationalStore, reopen: () => Promise<void>): void {
  const member = (role: Role = 'owner') => addMember(store(), unique('org'), { role });
  const key = (of: Member, expiresAt: string | null = null) => addKey(store(), of, { expiresAt });
  const revoke = ({ organization_id, id }: ApiKey) =>
    store().tenant(organization_id, ({ apiKeys }) => apiKeys.revoke(id));

  describe('accounts', () => {
    it('makes an organization once, however many ask for it at once', async () => {
      const slug = unique('org');
      const asked = await Promise.all(
        ['A', 'B', 'C', 'D', 'E'].map((name) => store().accounts.ensureOrganization({ slug, name })),
      );
      expect(new Set(asked.map(({ id }) => id)).size).to.equal(1);
      expect(asked[0]?.id).to.match(/^org_[0-9A-HJKMNP-TV-Z]{26}$/);
      const listed = (await store().accounts.organizations()).filter((organization) => organization.slug === slug);
      expect(listed).to.deep.equal([asked[0]]);
    });

    it('keeps a member of one name once in an organization, with the role given last', async () => {
      const { organization, member: first } = await member('viewer');
      expect(await failure(addMember(store(), organization.slug, { role: 'admin' }))).to.have.property('code', '23505');
      const other = await member('viewer');
      await store().tenant(organization.id, async ({ members }) => {
        await members.setRole(first.id, 'admin');
        await members.setRole(other.member.id, 'owner');
        expect(await members.named('Ann')).to.deep.equal({ ...first, role: 'admin' });
        expect(await members.get(first.id)).to.deep.include({ ...first, role: 'admin' });
        expect([await members.get(other.member.id), await members.named('Bea')]).to.deep.equal([null, null]);
        expect(await members.count()).to.equal(1);
      });
      const stillHers = await store().tenant(other.organization.id, ({ members }) => members.get(other.member.id));
      expect(stillHers).to.deep.include(other.member);
    });

    it('tells who a key stands for, by its digest', async () => {
      const { organization, member: owner } = await member();
      const { digest, key: made } = await key(owner);
      expect(await store().accounts.principalByDigest([digest])).to.deep.equal({
        organization,
        plan: 'beta',
        member: owner,
        api_key: { id: made.id, prefix: 'ris_live_0Xcs', expires_at: null, environment: 'live' },
        products: null,
        repositories: null,
        scopes: null,
        rate_limit_per_minute: null,
      });
    });

    it('finds a key by an older digest and keeps it by the one in force from then on', async () => {
      const { member: owner } = await member();
      const { digest: old, key: made } = await key(owner);
      const current = { ...someDigest(), pepperId: unique('pepper') };
      const ofCurrent = async () =>
        (await store().accounts.keysByPepper()).find(({ pepper_id }) => pepper_id === current.pepperId)?.keys ?? 0;
      expect(await ofCurrent()).to.equal(0);
      expect(await store().accounts.principalByDigest([current])).to.equal(null);
      expect((await store().accounts.principalByDigest([current, old]))?.api_key.id).to.equal(made.id);
      expect((await store().accounts.principalByDigest([current]))?.api_key.id).to.equal(made.id);
      expect(await store().accounts.principalByDigest([old])).to.equal(null);
      expect(await ofCurrent()).to.equal(1);
      await revoke(made);
      expect(await ofCurrent()).to.equal(0);
    });

    it('gives null for a digest that is unknown, revoked or expired', async () => {
      const { member: owner } = await member();
      expect(await store().accounts.principalByDigest([someDigest()])).to.equal(null);
      const revoked = await key(owner);
      expect(await revoke(revoked.key)).to.equal(true);
      expect(await store().accounts.principalByDigest([revoked.digest])).to.equal(null);
      const expired = await key(owner, new Date(Date.now() - 1000).toISOString());
      expect(await store().accounts.principalByDigest([expired.digest])).to.equal(null);
      const soon = await key(owner, new Date(Date.now() + 60_000).toISOString());
      expect(await store().accounts.principalByDigest([soon.digest])).to.have.nested.property(
        'api_key.id',
        soon.key.id,
      );
    });

    it('revokes a key once, and only in its own organization', async () => {
      const { member: owner } = await member();
      const { key: made } = await key(owner);
      const { organization: other } = await member();
      expect(await revoke({ ...made, organization_id: other.id })).to.equal(false);
      expect(await revoke(made)).to.equal(true);
      expect(await revoke(made)).to.equal(false);
      expect(await revoke({ ...made, id: 'key_none' })).to.equal(false);
    });

    it('refuses a second key of one digest, and a key of nobody', async () => {
      const { member: owner } = await member();
      const { digest } = await key(owner);
      expect(await failure(addKey(store(), owner, { digest }))).to.have.property('code', '23505');
      expect(await failure(key({ ...owner, id: 'mem_none' }))).to.have.property('code', '23503');
    });

    it('knows which keys an organization has or had, and nothing of those of others', async () => {
      const { organization, member: owner } = await member();
      const { key: own, digest } = await key(owner);
      const { digest: foreign } = await key((await member()).member);
      await revoke(own);
      await store().tenant(organization.id, async ({ apiKeys }) => {
        expect([await apiKeys.has(digest), await apiKeys.has(foreign)]).to.deep.equal([true, false]);
      });
    });

    it('lists the keys of one organization, the newest first, and those of all in the order they were made, with times in UTC', async () => {
      const { organization, member: owner } = await member();
      await key((await member()).member);
      const expiresAt = '2999-01-02T02:04:05.678+01:00';
      const made = [await key(owner), await key(owner, expiresAt), await key(owner)];
      const expected = made.map(({ key: one }) => ({ ...one, member_name: 'Ann', role: 'owner' }));
      await store().tenant(organization.id, async ({ apiKeys }) => {
        expect(await apiKeys.list({ offset: 0, limit: 10 })).to.deep.equal({ items: expected.toReversed(), total: 3 });
        expect(await apiKeys.list({ offset: 1, limit: 1 })).to.deep.equal({ items: [expected[1]], total: 3 });
        expect(await apiKeys.get(expected[0]?.id ?? '')).to.deep.equal(expected[0]);
        expect(await apiKeys.get('key_none')).to.equal(null);
      });
      expect(expected[1]?.expires_at).to.equal('2999-01-02T01:04:05.678Z');
      expect(expected[0]?.created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const all = await store().accounts.apiKeys();
      expect(all.filter(({ organization_slug }) => organization_slug === organization.slug)).to.deep.equal(
        expected.map((one) => ({ ...one, organization_slug: organization.slug })),
      );
      expect(all.length).to.be.greaterThan(3);
    });

    it('counts the keys in use, of a member and of a role', async () => {
      const { organization, member: owner } = await member();
      const viewer = (await addMember(store(), organization.slug, { name: 'Vic', role: 'viewer' })).member;
      const [first] = [await key(owner), await key(owner), await key(viewer)];
      await key(owner, '2020-01-01T00:00:00.000Z');
      const counts = () =>
        store().tenant(organization.id, async ({ apiKeys }) => [
          await apiKeys.inUse({ memberId: owner.id }),
          await apiKeys.inUse({ role: 'owner' }),
          await apiKeys.inUse({ role: 'viewer' }),
          await apiKeys.inUse({ role: 'admin' }),
        ]);
      expect(await counts()).to.deep.equal([2, 2, 1, 0]);
      await key(owner, new Date(Date.now() + 60_000).toISOString());
      const inSeconds = (seconds: number) =>
        store().tenant(organization.id, ({ apiKeys }) => apiKeys.inUse({ role: 'owner' }, seconds));
      expect([await inSeconds(0), await inSeconds(30), await inSeconds(90)]).to.deep.equal([3, 3, 2]);
      await revoke(first.key);
      expect(await counts()).to.deep.equal([2, 2, 1, 0]);
      await store().tenant(organization.id, ({ members }) => members.setRole(owner.id, 'admin'));
      expect(await counts()).to.deep.equal([2, 0, 1, 2]);
    });

    it('lets a key expire', async () => {
      const { member: owner } = await member();
      const { digest, key: made } = await key(owner);
      const expire = (at: string) =>
        store().tenant(owner.organization_id, ({ apiKeys }) => apiKeys.expire(made.id, at));
      await expire('2999-01-01T00:00:00.000Z');
      expect(await store().accounts.principalByDigest([digest])).to.not.equal(null);
      await expire('2020-01-01T00:00:00.000Z');
      expect(await store().accounts.principalByDigest([digest])).to.equal(null);
    });

    it('remembers when a key was used', async () => {
      const { organization, member: owner } = await member();
      const { digest, key: made } = await key(owner);
      await store().accounts.principalByDigest([digest]);
      const used = await store().tenant(organization.id, ({ apiKeys }) => apiKeys.get(made.id));
      expect(Date.now() - Date.parse(used?.last_used_at ?? '')).to.be.within(-60_000, 60_000);
    });
  });

  describe('audit log', () => {
    it('gives what was appended in its order, to its organization alone; what is undone was never there', async () => {
      const { organization } = await member();
      const { organization: other } = await member();
      const entry = (action: string) => ({ memberId: 'mem_1', keyId: null, action, subject: 'key_1' });
      await store().tenant(organization.id, async ({ audit }) => {
        for (let number = 0; number < 30; number += 1) await audit.append(entry(`test.${number}`));
      });
      await store().tenant(organization.id, ({ audit }) => audit.append({ ...entry('last'), details: { a: ['ü'] } }));
      const undone = store().tenant(organization.id, async ({ audit }) => {
        await audit.append(entry('undone'));
        throw new Error('undone');
      });
      expect(await failure(undone)).to.have.property('message', 'undone');
      const listed = await store().tenant(organization.id, ({ audit }) => audit.list());
      expect(listed.map(({ action }) => action)).to.deep.equal([
        ...Array.from({ length: 30 }, (_, number) => `test.${number}`),
        'last',
      ]);
      expect(listed.at(-1)).to.deep.include({
        member_id: 'mem_1',
        key_id: null,
        subject: 'key_1',
        details: { a: ['ü'] },
      });
      expect(await store().tenant(other.id, ({ audit }) => audit.list())).to.deep.equal([]);
    });
  });

  describe('snapshots', () => {
    it('gives the bytes back as they were, whatever their size', async () => {
      const sizes = [0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 3_000_000];
      for (const size of sizes) {
        const bytes = randomBytes(size);
        const name = unique('repo');
        await store().snapshots.save(repository(name), 'g', [bytes.subarray(0, size / 3), bytes.subarray(size / 3)]);
        expect(Buffer.concat(await all(store().snapshots.read(name))).equals(bytes), `${size} bytes`).to.equal(true);
        expect((await store().snapshots.get(name))?.size_bytes).to.equal(size);
      }
    });

    it('keeps all that is known of the repository, whatever its name', async () => {
      for (const odd of [`it's "odd"`, 'új\u{1F600}', 'a\\b', '$1; DROP TABLE snapshot']) {
        const info = repository(`${odd} ${unique('repo')}`);
        await store().snapshots.save(info, 'generation 1', [Buffer.from('x')]);
        const stored = await store().snapshots.get(info.name);
        expect(stored).to.deep.include({ repository: info.name, generation: 'generation 1', info, size_bytes: 1 });
        expect(await store().snapshots.list()).to.deep.include(stored);
        expect(await store().snapshots.list([info.name, unique('unknown')])).to.deep.equal([stored]);
      }
      expect(await store().snapshots.list([])).to.deep.equal([]);
    });

    it('puts a new snapshot in place of the old one as a whole', async () => {
      const name = unique('repo');
      await store().snapshots.save(repository(name), 'old', [randomBytes(600_000)]);
      await store().snapshots.save(repository(name), 'new', [Buffer.from('new')]);
      expect(Buffer.concat(await all(store().snapshots.read(name))).toString()).to.equal('new');
      expect((await store().snapshots.get(name))?.generation).to.equal('new');
    });

    it('keeps the old snapshot when the bytes of the new one fail', async () => {
      const name = unique('repo');
      await store().snapshots.save(repository(name), 'old', [Buffer.from('old')]);
      const broken = (async function* () {
        yield randomBytes(600_000);
        await sleep(1);
        throw new Error('no more');
      })();
      expect(await failure(store().snapshots.save(repository(name), 'new', broken))).to.have.property(
        'message',
        'no more',
      );
      expect(Buffer.concat(await all(store().snapshots.read(name))).toString()).to.equal('old');
      expect((await store().snapshots.get(name))?.generation).to.equal('old');
    });

    it('shows readers the old one or the new one while it is replaced, never a mixture', async () => {
      const name = unique('repo');
      const save = (letter: string) =>
        store().snapshots.save(repository(name), letter, [Buffer.alloc(700_000, letter)]);
      await save('a');
      let done = false;
      const writing = (async () => {
        for (const letter of ['b', 'c', 'd', 'e', 'f', 'g']) await save(letter);
        done = true;
      })();
      let seen = 0;
      do {
        const text = await all(store().snapshots.read(name)).then(
          (chunks) => Buffer.concat(chunks).toString(),
          (error: Error) => error.message,
        );
        if (text.includes('was replaced while it was read')) continue;
        expect(text).to.have.lengthOf(700_000);
        expect(new Set(text).size).to.equal(1);
        seen += 1;
      } while (!done);
      await writing;
      expect(seen).to.be.greaterThan(0);
    });

    it('ends with one whole snapshot when several are saved at once', async () => {
      const name = unique('repo');
      const saves = await Promise.allSettled(
        ['a', 'b', 'c', 'd'].map((letter) =>
          store().snapshots.save(repository(name), letter, [Buffer.alloc(700_000, letter)]),
        ),
      );
      expect(saves.some(({ status }) => status === 'fulfilled')).to.equal(true);
      const text = Buffer.concat(await all(store().snapshots.read(name))).toString();
      const generation = (await store().snapshots.get(name))?.generation;
      expect(text === generation?.repeat(700_000)).to.equal(true);
    });

    it('gives null, no bytes and false for a repository that is not held', async () => {
      expect(await store().snapshots.get('nowhere')).to.equal(null);
      expect(await all(store().snapshots.read('nowhere'))).to.deep.equal([]);
      expect(await store().snapshots.remove('nowhere')).to.equal(false);
    });

    it('removes a repository', async () => {
      const name = unique('repo');
      await store().snapshots.save(repository(name), 'g', [Buffer.from('x')]);
      expect(await store().snapshots.remove(name)).to.equal(true);
      expect(await store().snapshots.get(name)).to.equal(null);
      expect(await all(store().snapshots.read(name))).to.deep.equal([]);
    });
  });

  it('runs work of one name one after the other, and of different names side by side', async () => {
    const log: string[] = [];
    const other = Promise.withResolvers<void>();
    const work = (label: string) => async () => {
      log.push(`${label} begins`);
      // Where names had to wait for one another, this would never come.
      await other.promise;
      await sleep(20);
      log.push(`${label} ends`);
      return label;
    };
    const name = unique('work');
    const ended = await Promise.all([
      store().exclusively(name, work('a')),
      store().exclusively(name, work('b')),
      store().exclusively(unique('work'), async () => other.resolve()),
    ]);
    expect(ended).to.deep.equal(['a', 'b', undefined]);
    expect(log[1]).to.equal(log[0]?.replace('begins', 'ends'));
  });

  it('lets the next one in when work fails', async () => {
    const name = unique('work');
    const failed = store().exclusively(name, () => Promise.reject(new Error('no luck')));
    expect(await failure(failed)).to.have.property('message', 'no luck');
    expect(await store().exclusively(name, () => Promise.resolve('next'))).to.equal('next');
  });

  it('has everything again after it was closed and opened', async () => {
    const { organization, member: owner } = await member();
    const { digest } = await key(owner);
    const name = unique('repo');
    await store().snapshots.save(repository(name), 'g', [Buffer.from('bytes')]);
    await reopen();
    expect(await store().accounts.principalByDigest([digest])).to.deep.include({ organization, member: owner });
    expect(Buffer.concat(await all(store().snapshots.read(name))).toString()).to.equal('bytes');
  });

  it('keeps every answer to its own question, also after a refused one', async () => {
    const { organization, member: owner } = await member();
    const { digest } = await key(owner);
    for (let round = 0; round < 30; round += 1) {
      const refused = failure(addKey(store(), owner, { digest }));
      const asked = [store().accounts.principalByDigest([digest]), store().accounts.principalByDigest([digest])];
      expect(await refused)
        .to.be.an('error')
        .with.property('code', '23505');
      for (const answer of await Promise.all(asked)) expect(answer?.organization).to.deep.equal(organization);
    }
  });

  it('answers a ping', () => store().ping());
}

/** A repository as a loader would describe it. */
export function repository(name: string): RepositoryInfo {
  return {
    name,
    source: `/src/${name}`,
    commit: 'c0ffee'.repeat(6) + 'c0ff',
    branch: 'main',
    committed_at: '2026-11-20T10:00:00.000Z',
    fingerprint: 'f',
    analyzer_version: '1',
    publishes: [{ ecosystem: 'npm', name }],
    requires: [],
    skipped: [{ path: 'a"b.js', reason: 'minified' }],
    completeness: {
      files: 1,
      files_parsed: 1,
      files_skipped: 0,
      files_with_syntax_errors: 0,
      calls: 2,
      calls_resolved: 1,
      calls_external: 1,
      calls_unresolved: 0,
    },
    warnings: ['shallow clone'],
  };
}

/** A name that no other test uses, on an engine that outlives the run too. */
export const unique = (prefix: string): string => `${prefix}-${randomBytes(8).toString('hex')}`;

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** What a promise was rejected with; fails when it was not. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    () => ({ fulfilled: true }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error;
  throw new Error('It was expected to fail.');
}
