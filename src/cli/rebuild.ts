import { Argument, Command } from 'commander';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';

export function rebuildCommand(config: Config, io: Io): Command {
  return new Command('rebuild')
    .description('make the graph, the search index or the index of source anew from the kept snapshots')
    .addArgument(new Argument('<projection>', 'what to make anew').choices(['graph', 'search', 'source', 'all']))
    .addHelpText('after', '\nExample:\n  $ repo-intel rebuild search')
    .action(async (projection: 'graph' | 'search' | 'source' | 'all') => {
      const { openSession } = await import('./session.ts');
      const session = await openSession(config, io);
      try {
        const force = projection === 'all' ? ['graph', 'search', 'source'] : [projection];
        const names = (await session.run('rebuild', { force })) as string[];
        io.say(`${names.length} ${names.length === 1 ? 'repository' : 'repositories'} rebuilt.`);
      } finally {
        await session.close();
      }
    });
}
