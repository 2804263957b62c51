import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { get, repoIntel, startRepoIntel } from '../support/cli.ts';
import { onEngine } from '../support/engines.ts';
import { ownDatabase } from '../support/own-database.ts';
import type { OwnDatabase } from '../support/own-database.ts';

onEngine('postgres', (server) => {
  describe('repo-intel keys', () => {
    const [old, current] = ['the pepper of last year, long enough', 'the pepper of this year, long enough'];
    let folder = '';
    let database: OwnDatabase;
    let environment: Record<string, string>;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'keys-'));
      database = await ownDatabase(server());
      environment = { DATA_DIR: folder, DATABASE_URL: database.url, API_KEY_PEPPER: old };
    });
    after(async () => {
      await database?.remove();
      await rm(folder, { recursive: true });
    });
    const keys = async (...args: string[]) => {
      const { code, stdout, stderr } = await repoIntel(['keys', ...args, '--json'], environment);
      expect(code, stderr).equals(0);
      return JSON.parse(stdout) as { id: string; api_key: string };
    };

    it('tells the audit log what an operator did, and a change of the pepper costs no key', async () => {
      const first = await keys('create', '--organization', 'acme', '--role', 'owner', '--member', 'ann');
      const second = await keys('rotate', first.id);
      const viewer = await keys('create', '--organization', 'acme', '--role', 'viewer', '--member', 'bea');
      expect((await repoIntel(['keys', 'revoke', viewer.id], environment)).code).equals(0);
      const log = await database.query(
        'SELECT action, subject, member_id, key_id FROM audit_log ORDER BY occurred_at, id',
      );
      expect(log.filter(({ action }) => String(action).startsWith('api_key.'))).deep.equals(
        [
          ['api_key.created', first.id],
          ['api_key.created', second.id],
          ['api_key.rotated', first.id],
          ['api_key.created', viewer.id],
          ['api_key.revoked', viewer.id],
        ].map(([action, subject]) => ({ action, subject, member_id: null, key_id: null })),
      );

      const peppers = { API_KEY_PEPPER: current, API_KEY_PEPPER_PREVIOUS: old };
      const { address, stop, stderr } = await startRepoIntel(['serve'], { ...environment, ...peppers });
      expect((await get(address, '/', second.api_key)).status).equals(200);
      expect((await stop()).code).equals(0);
      expect(stderr()).includes('1 API key is under API_KEY_PEPPER_PREVIOUS');
      const kept = await database.query('SELECT DISTINCT pepper_id FROM api_key WHERE id = $1 OR id = $2', [
        first.id,
        second.id,
      ]);
      expect(kept).lengthOf(2);
    });
  });
});
