import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { UsageEvent } from '../../../src/model/account.ts';
import { openEmbeddedEphemeral } from '../../../src/stores/ephemeral/embedded.ts';
import { InsufficientStorage, StoreUnavailable } from '../../../src/stores/errors.ts';
import { ephemeralStoreContract } from '../../contract/ephemeral-store.ts';
import { failure, unique } from '../../contract/relational-store.ts';
import { event, expectedTotals, totals } from '../../contract/usage.ts';
import { onSmallDisk } from '../../support/small-disk.ts';
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
  const open = () => openEmbeddedEphemeral({ ledger: relational().usage, folder });

  ephemeralStoreContract(open, relational);
  // When the contract has closed its store.
  afterEach(() => rm(folder, { recursive: true, force: true }));

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
    const journal = async () => (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    expect((await journal()).length).to.be.at.most(2);
    ledger = relational().usage;
    await store.settle();
    expect(await totals(relational(), own)).to.deep.equal(expectedTotals(made));
    await store.settle();
    expect(await journal()).to.deep.equal([]);
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

  it('counts a call in the ledger before it is answered where no file can be written, says so once, and refuses it where that fails too', async () => {
    const own = unique('org');
    const file = join(folder, 'file');
    await writeFile(file, '');
    const made = events(3).map((one) => ({ ...one, organization_id: own }));
    const store = await openEmbeddedEphemeral({ ledger: relational().usage, folder: file });
    const heard: unknown[] = [];
    store.onUnkept((error) => heard.push(error));
    for (const one of made) await store.record(one);
    expect(await totals(relational(), own)).to.deep.equal(expectedTotals(made));
    expect(heard).to.have.lengthOf(1);
    expect(heard[0]).to.have.property('code', 'EEXIST');
    await store.close();
    const without = await openEmbeddedEphemeral({ ledger: away, folder: file });
    expect(await failure(without.record(event(own, 3)))).to.be.instanceOf(StoreUnavailable);
    expect(without.waiting()).to.equal(0);
    await without.close();
  });

  describe('room for the journal', () => {
    // The contract has a store in the folder itself.
    let place: string;
    beforeEach(async () => {
      place = join(folder, 'usage');
      await mkdir(place);
    });
    const openThere = () => openEmbeddedEphemeral({ ledger: relational().usage, folder: place });
    const spare = async () =>
      Promise.all(
        (await readdir(place)).filter((name) => name.endsWith('.spare')).map((name) => stat(join(place, name))),
      );
    const reserved = 8 * 1024 * 1024;

    it('is reserved when it is opened: blocks of the disk, not only a length', async () => {
      const store = await openThere();
      await store.settle();
      expect(store.reservedBytes()).to.equal(reserved);
      expect((await spare()).reduce((sum, { blocks }) => sum + blocks * 512, 0)).to.be.at.least(reserved);
      await store.close();
    });

    it('is not believed where a copy of the folder made it sparse, or a kill left it half made', async () => {
      const sparse = join(place, 'a.spare');
      await writeFile(sparse, '');
      await truncate(sparse, 512 * 1024);
      await writeFile(join(place, 'b.spare'), Buffer.alloc(4_096));
      const store = await openThere();
      expect(await readdir(place)).to.not.include.members(['a.spare', 'b.spare']);
      await store.settle();
      expect(store.reservedBytes()).to.equal(reserved);
      expect((await spare()).every(({ blocks }) => blocks * 512 >= 512 * 1024)).to.equal(true);
      await store.close();
    });

    it('is what it was after calls were brought into the ledger, and after a kill', async () => {
      const own = unique('org');
      const made = events(3_000).map((one) => ({ ...one, organization_id: own }));
      const killed = await openEmbeddedEphemeral({ ledger: away, folder: place });
      await killed.settle();
      for (const one of made) await killed.record(one);
      expect(killed.reservedBytes()).to.be.below(reserved);
      const store = await openThere();
      await store.settle();
      await store.settle();
      expect(store.reservedBytes()).to.equal(reserved);
      expect(await totals(relational(), own)).to.deep.equal(expectedTotals(made));
      expect((await readdir(place)).filter((name) => name.endsWith('.jsonl'))).to.deep.equal([]);
      for (const path of await readdir(place))
        expect((await readFile(join(place, path))).every((byte) => byte === 0)).to.equal(true);
      await store.close();
    });

    onSmallDisk(16, (disk) => {
      it('takes calls on a full disk until it is used up, refuses those after it, and loses none that it took', async () => {
        const own = unique('org');
        place = join(disk().folder, 'usage');
        const store = await openEmbeddedEphemeral({ ledger: away, folder: place });
        await store.settle();
        expect(store.reservedBytes()).to.equal(reserved);
        disk().fill();
        const taken: UsageEvent[] = [];
        let refusal: unknown;
        for (let index = 0; refusal === undefined; index += 1) {
          const one = event(own, index);
          await store.record(one).then(
            () => taken.push(one),
            (error: unknown) => (refusal = error),
          );
        }
        expect(refusal).to.be.instanceOf(InsufficientStorage);
        expect(taken.length).to.be.at.least(10_000);
        // As if it were killed now: only the files are left.
        const next = await openThere();
        await next.settle();
        expect(await totals(relational(), own)).to.deep.equal(expectedTotals(taken));
        expect(next.reservedBytes()).to.equal(reserved);
        await next.close();
      });
    });
  });
});
