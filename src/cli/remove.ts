import { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';
import { organizationOption } from './organization-option.ts';
import type { OrganizationFlag } from './organization-option.ts';

export function removeCommand(config: Config, io: Io): Command {
  return new Command('remove')
    .description('take repositories out of the service and keep them fresh no longer; they themselves are not touched')
    .argument('<name...>', 'as `repo-intel list` shows them')
    .addOption(organizationOption(config))
    .addHelpText('after', '\nExample:\n  $ repo-intel remove payments-api')
    .action(async (names: string[], { organization }: OrganizationFlag) => {
      const { openSession } = await import('./session.ts');
      const session = await openSession(config, io);
      try {
        for (const repository of names) {
          const removed = await session.run('remove', { organization, repository });
          io.say(removed ? `${repository}: removed.` : `${repository}: not loaded; see repo-intel list.`);
          if (!removed) process.exitCode = 1;
        }
      } finally {
        await session.close();
      }
    });
}
