import { expect } from 'chai';
import { openEmbeddedEphemeral } from '../../../src/stores/ephemeral/embedded.ts';
import { StoreUnavailable } from '../../../src/stores/errors.ts';
import { ephemeralStoreContract } from '../../contract/ephemeral-store.ts';
import { event, expectedTotals, failure, unique } from '../../contract/relational-store.ts';
import { temporaryPglite } from '../../support/temporary-pglite.ts';

describe('ephemeral store: embedded', () => {
  const relational = temporaryPglite();

  ephemeralStoreContract(
    () => openEmbeddedEphemeral({ ledger: relational().usage }),
    () => relational().usage,
  );

  it('keeps what it recorded while the ledger is away, and writes it when it is back', async () => {
    let away = true;
    const { usage } = relational();
    const store = await openEmbeddedEphemeral({
      ledger: {
        totals: (...period) => usage.totals(...period),
        append: (events) => (away ? Promise.reject(new StoreUnavailable('relational')) : usage.append(events)),
      },
    });
    const organizationId = unique('org');
    const events = Array.from({ length: 600 }, (_, index) => event(organizationId, index));
    for (const one of events) expect(await store.record(one)).to.equal(true);
    expect(await failure(store.usage(organizationId, '2026-11'))).to.be.instanceOf(StoreUnavailable);
    away = false;
    expect((await store.usage(organizationId, '2026-11')).rows).to.deep.equal(expectedTotals(events));
    await store.close();
  });
});
