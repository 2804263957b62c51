import { resolve } from 'node:path';
import { Command } from 'commander';
import type { MadeBackup } from '../backup/make-backup.ts';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';

export function backupCommand(config: Config, io: Io): Command {
  return new Command('backup')
    .description('write what can not be made again of the data folder into one file, also beside a running service')
    .argument('<file>', 'where to; a tar archive, compressed with zstd, that only you may read: it holds the pepper')
    .option('--force', 'overwrite the file')
    .addHelpText(
      'after',
      '\nExample:\n  $ repo-intel backup /mnt/backups/repo-intel-$(date +%F).tar.zst\n\nPrints its SHA-256, as sha256sum does. See docs/backup.md.',
    )
    .action(async (file: string, { force = false }: { force?: boolean }) => {
      const { openSession } = await import('./session.ts');
      const session = await openSession(config, io);
      try {
        const made = (await session.run('backup', { file: resolve(file), force })) as MadeBackup;
        io.say(`${(made.size_bytes / 1e6).toFixed(1)} MB, as of ${made.made_at}; repo-intel restore puts it back.`);
        await io.out(`${made.sha256}  ${made.file}\n`);
      } finally {
        await session.close();
      }
    });
}
