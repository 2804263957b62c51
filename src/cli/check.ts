import { Command } from 'commander';
import type { Finding } from '../../loaders/check.ts';
import type { Config } from '../config.ts';
import { tableRow } from './io.ts';
import type { Io } from './io.ts';

export function checkCommand(config: Config, io: Io): Command {
  return new Command('check')
    .description('read all snapshots and compare graph, search and usage with what they are made from; mends nothing')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ repo-intel check\n\nA line for each repository and thing: ok, wrong or unknown, and why. Exits 1 where anything is wrong. It takes as long as\na rebuild; a running service goes on answering. See docs/backup.md.',
    )
    .action(async ({ json = false }: { json?: boolean }) => {
      const { openSession } = await import('./session.ts');
      const session = await openSession(config, io);
      try {
        const findings = (await session.run('check', {})) as Finding[];
        const wrong = findings.filter(({ status }) => status !== 'ok');
        if (json) await io.out(`${JSON.stringify({ ok: wrong.length === 0, findings }, null, 2)}\n`);
        else
          for (const { repository, thing, status, detail } of findings)
            await io.out(tableRow(repository ?? '-', thing, status, detail));
        const waysOut = new Set(wrong.flatMap(({ way_out: wayOut }) => wayOut ?? []));
        io.say(wrong.length === 0 ? 'All is well.' : `${wrong.length} of ${findings.length} are not well. What helps:`);
        for (const wayOut of waysOut) io.say(`  ${wayOut}`);
        if (wrong.length > 0) process.exitCode = 1;
      } finally {
        await session.close();
      }
    });
}
