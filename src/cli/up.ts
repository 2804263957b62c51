import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Config } from '../config.ts';
import { coverageOption, readCoverage } from './coverage-option.ts';
import type { Io } from './io.ts';

export function upCommand(config: Config, io: Io): Command {
  return new Command('up')
    .description('load repositories, then serve them; what did not change since last time is not analysed again')
    .argument('[source...]', 'folder, URL or snapshot file (default: the repository you stand in)')
    .addOption(coverageOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ repo-intel up\n  $ repo-intel up ~/src/api ~/src/web\n  $ PORT=9000 DATA_DIR=/srv/repo-intel repo-intel up ~/src/api',
    )
    .action(async (sources: string[], options: { coverage?: readonly string[] }, command: Command) => {
      if (options.coverage && sources.length > 1)
        command.error('error: --coverage goes with one source', { exitCode: 2 });
      process.chdir(config.startedIn);
      const coverage = await readCoverage(options.coverage);
      const { startService } = await import('./start-service.ts');
      const { findRepository } = await import('../../loaders/snapshot/find-repository.ts');
      const service = await startService(config, io, {
        sources: sources.length > 0 ? sources : [(await findRepository(resolve('.'))) ?? '.'],
        coverage,
      });
      await service.closed;
      // A load under way ends here, at the old snapshot.
      process.exit();
    });
}
