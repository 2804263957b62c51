import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { ReportRequest } from '../../src/model/report.ts';
import type { ClaimedReport, RelationalStore, Tenant } from '../../src/stores/relational/port.ts';
import { eventually } from '../support/eventually.ts';
import { failure, unique } from './relational-store.ts';

const request: ReportRequest & { createdBy: string } = {
  type: 'repository_deep_dive',
  name: 'November',
  format: 'json',
  parameters: { repo: 'it’s "odd"', list: [1, null] },
  createdBy: 'mem_ann',
};

/** What every relational store promises of reports; nobody else claims from it meanwhile. */
export function reportsContract(store: () => RelationalStore): void {
  const leaseMs = 60_000;
  const perOrganization = 2;
  const claim = (lease = leaseMs) => store().reports.claim({ leaseMs: lease, perOrganization });
  const organization = async () => {
    const { id } = await store().accounts.ensureOrganization({ slug: unique('org'), name: 'Acme' });
    return {
      id,
      create: () => store().tenant(id, ({ reports }) => reports.create(request)),
      of: <T>(work: (reports: Tenant['reports']) => Promise<T>) => store().tenant(id, ({ reports }) => work(reports)),
    };
  };
  const succeed = (claimed: ClaimedReport, content = 'done', retentionMs = 1_000_000) =>
    store().reports.succeed(claimed, { content: Buffer.from(content), contentType: 'text/plain', retentionMs });
  /** Nothing waits. */
  const drain = async () => {
    for (let claimed = await claim(); claimed; claimed = await claim()) await succeed(claimed);
  };
  beforeEach(drain);
  afterEach(drain);

  describe('reports', () => {
    it('keeps what was asked for; what was made of it until it expires', async () => {
      const { create, of } = await organization();
      const { id, ...created } = await create();
      expect(id).match(/^rep_[0-9A-HJKMNP-TV-Z]{26}$/);
      const { createdBy, ...asked } = request;
      expect(created).deep.includes({ ...asked, created_by: createdBy, status: 'pending', progress: 0, result: null });
      const claimed = (await claim())!;
      expect(claimed).deep.includes({ ...asked, id, attempt: 1 });
      expect(await of((reports) => reports.get(id))).deep.includes({ status: 'running' });
      expect(await of((reports) => reports.content(id))).equals(null);
      expect(await succeed(claimed, 'bytes')).equals(true);
      const sha256 = createHash('sha256').update('bytes').digest('hex');
      const result = { content_type: 'text/plain', size_bytes: 5, sha256 };
      expect(await of((reports) => reports.get(id))).deep.includes({ status: 'succeeded', progress: 1, result });
      expect(Buffer.from((await of((reports) => reports.content(id)))!).toString()).equals('bytes');
    });

    it('have expired when their time is over, before and after they are swept away', async () => {
      const { create, of } = await organization();
      const { id } = await create();
      expect(await succeed((await claim())!, 'bytes', 1)).equals(true);
      await sleep(20);
      for (const sweep of [() => Promise.resolve(), () => store().reports.expire()]) {
        await sweep();
        expect(await of((reports) => reports.get(id))).deep.includes({ status: 'expired' });
        expect(await of((reports) => reports.content(id))).equals(null);
        const expired = await of((reports) => reports.list({ status: 'expired', offset: 0, limit: 9 }));
        expect(expired.total).equals(1);
      }
    });

    it('are in the backlog until they are made, and so are events of providers and jobs', async () => {
      const { create } = await organization();
      const before = await store().backlog();
      await create();
      await create();
      await claim();
      const body = Buffer.from('{}');
      await store().webhooks.keep({ provider: 'stripe', event_id: unique('evt'), type: 'unknown', body });
      expect(await store().backlog()).deep.equals({
        ...before,
        reports_pending: before.reports_pending + 1,
        reports_running: before.reports_running + 1,
        webhooks_waiting: before.webhooks_waiting + 1,
      });
      await drain();
      while (await store().webhooks.workOff(() => null)) continue;
      const { reports_pending, webhooks_waiting } = await store().backlog();
      expect(reports_pending).equals(0);
      // What failed elsewhere waits for its next try.
      expect(webhooks_waiting).at.most(before.webhooks_waiting);
    });

    it('are claimed once each, the oldest first, two at once of an organization', async () => {
      const [one, other] = [await organization(), await organization()];
      const ids: string[] = [];
      for (const { create } of [one, one, one, other]) ids.push((await create()).id);
      const claimed = await Promise.all(Array.from({ length: 8 }, () => claim()));
      const found = claimed.filter((report) => report !== null);
      expect(found.map(({ id }) => id)).has.same.members([ids[0], ids[1], ids[3]]);
      await succeed(found.find(({ id }) => id === ids[0])!);
      const next = await claim();
      expect(next?.id).equals(ids[2]);
      for (const report of [...found, next!]) await succeed(report);
    });

    it('whose lease ran out are claimed again, and only the last claimer’s outcome counts', async () => {
      const { create, of } = await organization();
      const { id } = await create();
      const first = (await claim())!;
      expect(await store().reports.renew(first, { leaseMs, progress: 0.5 })).equals(true);
      expect((await of((reports) => reports.get(id)))?.progress).equals(0.5);
      expect(await claim()).equals(null);
      expect(await store().reports.renew(first, { leaseMs: 1, progress: 0.5 })).equals(true);
      await sleep(20);
      const second = (await claim())!;
      expect([second.id, second.attempt]).deep.equals([id, 2]);
      expect(await store().reports.renew(first, { leaseMs, progress: 0.9 })).equals(false);
      expect(await succeed(first, 'first')).equals(false);
      expect(await store().reports.fail(first, { code: 'no', message: 'No.' })).equals(false);
      await store().reports.release(first, { delayMs: 0 });
      expect(await succeed(second, 'second')).equals(true);
      expect(await succeed(second, 'twice')).equals(false);
      expect(Buffer.from((await of((reports) => reports.content(id)))!).toString()).equals('second');
    });

    it('whose makers die of them again and again rest between tries, and hold up no other', async () => {
      const { create } = await organization();
      const { id } = await create();
      for (const attempt of [1, 2, 3]) {
        const claimed = (await claim())!;
        expect([claimed.id, claimed.attempt]).deep.equals([id, attempt]);
        await store().reports.renew(claimed, { leaseMs: 1, progress: 0 });
        await sleep(20);
      }
      expect(await claim()).equals(null);
      const other = await create();
      const next = (await claim())!;
      expect(next.id).equals(other.id);
      await succeed(next);
    });

    it('that are given back wait for as long as was said', async () => {
      const { create, of } = await organization();
      const { id } = await create();
      await store().reports.release((await claim())!, { delayMs: 60_000 });
      expect(await claim()).equals(null);
      await of((reports) => reports.remove(id));
      await create();
      await store().reports.release((await claim())!, { delayMs: 500 });
      const again = await eventually(async () => (await claim()) ?? expect.fail('It still waits.'));
      expect(again.attempt).equals(2);
      expect(await store().reports.fail(again, { code: 'source_unavailable', message: 'Not there.' })).equals(true);
    });

    it('that are deleted while they are made leave nothing', async () => {
      const { create, of } = await organization();
      const { id } = await create();
      const claimed = (await claim())!;
      expect(await of((reports) => reports.remove(id))).equals(true);
      expect(await of((reports) => reports.remove(id))).equals(false);
      expect(await succeed(claimed)).equals(false);
      expect(await of((reports) => reports.get(id))).equals(null);
    });

    it('of an organization are nobody else’s', async () => {
      const [one, other] = [await organization(), await organization()];
      const { id } = await one.create();
      expect(await other.of((reports) => reports.get(id))).equals(null);
      expect(await other.of((reports) => reports.remove(id))).equals(false);
      expect(await other.of((reports) => reports.list({ offset: 0, limit: 9 }))).deep.equals({ items: [], total: 0 });
      expect((await one.of((reports) => reports.list({ offset: 0, limit: 9 }))).total).equals(1);
    });
  });

  describe('afterCommit', () => {
    it('is called when the transaction is committed and others see it, and not when it is undone', async () => {
      const { id } = await organization();
      const { promise, resolve } = Promise.withResolvers<ClaimedReport | null>();
      const report = await store().tenant(id, async () => {
        const made = await store().tenant(id, ({ reports, afterCommit }) => {
          afterCommit(() => void claim().then(resolve));
          return reports.create(request);
        });
        await sleep(20);
        return made;
      });
      expect((await promise)?.id).equals(report.id);
      let called = false;
      const undone = store().tenant(id, async ({ afterCommit }) => {
        afterCommit(() => (called = true));
        await sleep(1);
        throw new Error('undone');
      });
      expect(await failure(undone)).has.property('message', 'undone');
      expect(called).equals(false);
      await succeed((await promise)!);
    });
  });
}
