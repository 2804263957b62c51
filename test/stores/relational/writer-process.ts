import { randomBytes } from 'node:crypto';
import { openPglite } from '../../../src/stores/relational/pglite.ts';
import { repository } from '../../contract/relational-store.ts';

/** Writes to the folder named until it is killed; prints a line for each write that was acknowledged. */
const [folder = ''] = process.argv.slice(2);
const store = await openPglite({ folder });
const { id: organizationId } = await store.accounts.ensureOrganization({ slug: 'acme', name: 'Acme' });
for (let number = 0; ; number += 1) {
  const { id: memberId } = await store.accounts.ensureMember(organizationId, { name: `Ann ${number}`, role: 'owner' });
  const digest = randomBytes(32);
  await store.accounts.createApiKey({ memberId, prefix: 'ris_live_0Xcs', digest, expiresAt: null });
  process.stdout.write(`key ${digest.toString('hex')}\n`);
  const letter = String.fromCharCode(97 + (number % 26));
  await store.snapshots.save(repository('koa'), letter, [Buffer.alloc(1_000_000, letter)]);
  process.stdout.write(`snapshot ${letter}\n`);
}
