import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import { repoIntel } from '../support/cli.ts';
import { onEngine } from '../support/engines.ts';
import { ownDatabase } from '../support/own-database.ts';
import type { OwnDatabase } from '../support/own-database.ts';

onEngine('postgres', (server) => {
  describe('repo-intel members, organization, audit', () => {
    let folder = '';
    let database: OwnDatabase;
    let environment: Record<string, string>;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'members-'));
      database = await ownDatabase(server());
      environment = {
        DATA_DIR: folder,
        DATABASE_URL: database.url,
        API_KEY_PEPPER: 'a pepper that is long enough to be one',
      };
    });
    after(async () => {
      await database?.remove();
      await rm(folder, { recursive: true });
    });
    const run = (...args: string[]) => repoIntel(args, environment);
    const acme = ['--organization', 'acme'];

    it('whoever runs the service lists, invites, changes and removes members, and reads who did what', async () => {
      const made = await run(
        'keys',
        'create',
        ...acme,
        '--role',
        'owner',
        '--member',
        'olga',
        '--scope',
        'read',
        '--test',
      );
      expect(made.stdout, made.stderr).matches(/^ris_test_/);
      await run('keys', 'create', ...acme, '--role', 'viewer', '--member', 'bob');
      expect((await run('organization', 'acme', '--default-role', 'viewer')).stdout).includes('default_role\tviewer');
      const invited = await run('members', 'invite', 'ann', ...acme);
      expect(invited.stdout).matches(/^([B-Z]{4}-){2}[B-Z]{4}\n$/);
      expect(invited.stderr).includes('ann is let in as viewer');
      const last = await run('members', 'remove', 'olga', ...acme);
      expect([last.code, last.stderr]).deep.equals([1, 'repo-intel: It is the last owner\n']);
      expect((await run('members', 'role', 'bob', 'admin', ...acme)).code).equals(0);
      const listed = await run('members', 'list', ...acme);
      expect(
        listed.stdout
          .trimEnd()
          .split('\n')
          .map((row) => row.split('\t').slice(1, 3)),
      ).deep.equals([
        ['bob', 'admin'],
        ['olga', 'owner'],
      ]);
      expect((await run('members', 'remove', 'bob', ...acme)).code).equals(0);
      const unknown = await run('members', 'remove', 'bob', ...acme);
      expect([unknown.code, unknown.stderr]).deep.equals([
        1,
        'repo-intel: There is no member bob; see repo-intel members list.\n',
      ]);
      const { stdout } = await run('audit', ...acme);
      const rows = parse(stdout, { columns: true }) as Record<string, string>[];
      expect(rows.map(({ action }) => action).slice(0, 4)).deep.equals([
        'member.removed',
        'api_key.revoked',
        'member.role_changed',
        'member.invited',
      ]);
      for (const { via, member_id, user_agent } of rows) {
        expect([via, member_id]).deep.equals(['cli', '']);
        expect(user_agent).matches(/^repo-intel\//);
      }
      const lines = await run('audit', ...acme, '--format', 'jsonl', '--action', 'member.removed');
      expect(lines.stdout.trimEnd().split('\n')).lengthOf(1);
    });

    it('--help teaches', async () => {
      for (const [command, word] of [
        ['keys create', '--scope usage:write'],
        ['members', 'repo-intel login'],
        ['audit', 'jsonl'],
      ] as const)
        expect((await run(...command.split(' '), '--help')).stdout).includes(word);
    });
  });
});
