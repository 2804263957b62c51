import { Command } from 'commander';
import type { Config } from '../config.ts';
import { tableRow } from './io.ts';
import type { Io } from './io.ts';

export function listCommand(config: Config, io: Io): Command {
  return new Command('list')
    .description('list the repositories that are loaded')
    .option('--json', 'as JSON, with what was left out and why')
    .addHelpText('after', '\nExample:\n  $ repo-intel list')
    .action(async (options: { json?: boolean }) => {
      const { openSession } = await import('./session.ts');
      const session = await openSession(config, io);
      try {
        const held = await session.list();
        if (options.json) {
          await io.out(`${JSON.stringify(held, null, 2)}\n`);
          return;
        }
        if (held.length === 0) io.say('No repository is loaded yet: repo-intel load PATH');
        for (const { repository, info, loaded_at } of held) {
          const commit = info.commit?.slice(0, 10) ?? 'no commit';
          const { completeness, source } = info;
          await io.out(tableRow(repository, commit, `${completeness.files_parsed} files`, loaded_at, source));
        }
      } finally {
        await session.close();
      }
    });
}
