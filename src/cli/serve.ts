import { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';

export function serveCommand(config: Config, io: Io): Command {
  return new Command('serve')
    .description('serve what is loaded, at HOST and PORT (default: http://127.0.0.1:8080)')
    .addHelpText('after', '\nExample:\n  $ PORT=9000 repo-intel serve')
    .action(async () => {
      const { startService } = await import('./start-service.ts');
      const service = await startService(config, io);
      await service.closed;
    });
}
