import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { UsageEvent } from '../../../src/model/account.ts';
import { openEmbeddedEphemeral } from '../../../src/stores/ephemeral/embedded.ts';
import { StoreUnavailable } from '../../../src/stores/errors.ts';
import { ephemeralStoreContract } from '../../contract/ephemeral-store.ts';
import { failure, unique } from '../../contract/relational-store.ts';
import { event, expectedTotals, totals } from '../../contract/usage.ts';
import { temporaryPglite } from '../../support/temporary-pglite.ts';

// Only what is still held counts.
setFlagsFromString('--expose_gc');
const gc = runInNewContext('gc') as () => void;

describe('ephemeral store: embedded', () => {
  const relational = temporaryPglite();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'usage-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const open = () => openEmbeddedEphemeral({ ledger: relational().usage, folder });

  ephemeralStoreContract(open, relational);

  const organizationId = unique('org');
  const events = (count: number): UsageEvent[] =>
    Array.from({ length: count }, (_, index) => event(organizationId, index));
  const away = { append: () => Promise.reject(new StoreUnavailable('relational')) };

  it('keeps what it recorded while the ledger is away, and writes it when it is back', async () => {
    const own = unique('org');
    let ledger: typeof away | ReturnType<typeof relational>['usage'] = away;
    const store = await openEmbeddedEphemeral({ ledger: { append: (batch) => ledger.append(batch) }, folder });
    const made = events(600).map((one) => ({ ...one, organization_id: own }));
    for (const one of made) await store.record(one);
    expect(await failure(store.settle())).to.be.instanceOf(StoreUnavailable);
    ledger = relational().usage;
    await store.settle();
    expect(await totals(relational(), own)).to.deep.equal(expectedTotals(made));
    await store.close();
  });

  it('loses nothing of what it recorded when it is killed, and counts nothing twice that was written before', async () => {
    const made = events(700);
    const killed = await openEmbeddedEphemeral({ ledger: relational().usage, folder });
    for (const one of made.slice(0, 300)) await killed.record(one);
    await killed.settle();
    // As if the kill came when the ledger had it, and the journal was not yet removed.
    const lost = await openEmbeddedEphemeral({ ledger: away, folder });
    for (const one of made.slice(200)) await lost.record(one);
    const next = await open();
    await next.settle();
    expect(await totals(relational(), organizationId)).to.deep.equal(expectedTotals(made));
    await Promise.all([killed.close(), lost.close(), next.close()]);
  });

  it('holds 10000 events in memory at most while the ledger is away, the others in one file, and writes all when it is back', async () => {
    const own = unique('org');
    let ledger: typeof away | ReturnType<typeof relational>['usage'] = away;
    const store = await openEmbeddedEphemeral({ ledger: { append: (batch) => ledger.append(batch) }, folder });
    const made = events(25_000).map((one) => ({ ...one, organization_id: own }));
    gc();
    const before = process.memoryUsage().heapUsed;
    for (const one of made) await store.record(one);
    await failure(store.settle());
    gc();
    expect((process.memoryUsage().heapUsed - before) / 1e6).to.be.below(60);
    expect((await readdir(folder)).length).to.be.at.most(2);
    ledger = relational().usage;
    await store.settle();
    expect(await totals(relational(), own)).to.deep.equal(expectedTotals(made));
    await store.settle();
    expect(await readdir(folder)).to.deep.equal([]);
    await store.close();
  });

  it('loses nothing of a living process whose journal another one has taken over', async () => {
    const own = unique('org');
    let ledger: typeof away | ReturnType<typeof relational>['usage'] = away;
    const store = await openEmbeddedEphemeral({ ledger: { append: (batch) => ledger.append(batch) }, folder });
    const made = events(11_000).map((one) => ({ ...one, organization_id: own }));
    for (const one of made.slice(0, 10_500)) await store.record(one);
    const other = await open();
    await other.settle();
    for (const one of made.slice(10_500)) await store.record(one);
    ledger = relational().usage;
    await Promise.all([store.settle(), other.settle()]);
    expect(await totals(relational(), own)).to.deep.equal(expectedTotals(made));
    await Promise.all([store.close(), other.close()]);
  });

  it('reads a journal whose last line is half, and closes while the ledger is away', async () => {
    const own = unique('org');
    const made = events(3).map((one) => ({ ...one, organization_id: own }));
    await writeFile(join(folder, 'left.jsonl'), made.map((one) => `${JSON.stringify(one)}\n`).join(''));
    await appendFile(join(folder, 'left.jsonl'), JSON.stringify(made[0]).slice(0, 40));
    const without = await openEmbeddedEphemeral({ ledger: away, folder });
    await without.close();
    const store = await open();
    await store.settle();
    expect(await totals(relational(), own)).to.deep.equal(expectedTotals(made));
    await store.close();
  });

  it('goes on in memory where no file can be written, says so at once and once, and at the end what is lost', async () => {
    const own = unique('org');
    const file = join(folder, 'file');
    await writeFile(file, '');
    const [one] = events(1).map((made) => ({ ...made, organization_id: own }));
    const store = await openEmbeddedEphemeral({ ledger: relational().usage, folder: file });
    const heard: unknown[] = [];
    store.onUnkept((error) => heard.push(error));
    for (let times = 0; times < 3; times += 1) await store.record(one as UsageEvent);
    expect(heard).to.have.lengthOf(1);
    expect(heard[0]).to.have.property('code', 'EEXIST');
    await store.close();
    expect(await totals(relational(), own)).to.deep.equal(expectedTotals([one as UsageEvent]));
    const without = await openEmbeddedEphemeral({ ledger: away, folder: file });
    await without.record(one as UsageEvent);
    expect(await failure(without.close())).to.be.instanceOf(StoreUnavailable);
  });
});
