import { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';

export function restoreCommand(config: Config, io: Io): Command {
  return new Command('restore')
    .description('put a backup into the data folder, which must be empty or not there')
    .argument('<file>', 'what repo-intel backup wrote')
    .option('--sha256 <digest>', 'what repo-intel backup printed: refuse any other file')
    .addHelpText(
      'after',
      '\nExample:\n  $ DATA_DIR=./restored repo-intel restore /mnt/backups/repo-intel-2026-01-31.tar.zst\n\nThe next start makes graph and search from it.',
    )
    .action(async (file: string, { sha256 }: { sha256?: string }) => {
      const { databaseUrl, dataDir } = config;
      if (databaseUrl)
        throw new Error(
          'The relational data is on a PostgreSQL server (DATABASE_URL): pg_restore puts its backup back.',
        );
      const [{ restoreBackup }, { openPglite }] = await Promise.all([
        import('../backup/restore-backup.ts'),
        import('../stores/relational/pglite.ts'),
      ]);
      const openDatabase = (folder: string) => openPglite({ folder });
      const { manifest, ...restored } = await restoreBackup({ file, dataDir, sha256, openDatabase });
      const { repositories, api_keys: keys } = restored;
      io.say(
        `${dataDir} is as it was at ${manifest.made_at}: ${repositories} ${repositories === 1 ? 'repository' : 'repositories'}, ${keys} API ${keys === 1 ? 'key' : 'keys'}. The next start makes graph and search from it.`,
      );
      if (!manifest.pepper.is_included)
        io.say('Its API keys are good under the API_KEY_PEPPER that was set when the backup was made.');
    });
}
