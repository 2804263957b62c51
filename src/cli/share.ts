import { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';
import { organizationOption } from './organization-option.ts';
import type { OrganizationFlag } from './organization-option.ts';
import { withSession } from './with-session.ts';

export function shareCommand(config: Config, io: Io): Command {
  return sharing(config, io, { name: 'share', shared: true, outcome: 'every organization may read it' })
    .description('let every organization read repositories')
    .addHelpText('after', '\nExample:\n  $ repo-intel share payments-api --organization acme');
}

export function unshareCommand(config: Config, io: Io): Command {
  return sharing(config, io, { name: 'unshare', shared: false, outcome: 'its owner alone may read it' })
    .description('let nobody but their owner read repositories')
    .addHelpText('after', '\nExample:\n  $ repo-intel unshare payments-api --organization acme');
}

function sharing(
  config: Config,
  io: Io,
  { name, shared, outcome }: { name: string; shared: boolean; outcome: string },
): Command {
  return new Command(name)
    .argument('<name...>', 'as `repo-intel list` shows them')
    .addOption(organizationOption(config))
    .action((names: string[], { organization }: OrganizationFlag) =>
      withSession(config, io, async (session) => {
        for (const repository of names) {
          const found = await session.run('share', { organization, repository, shared });
          io.say(found ? `${repository}: ${outcome}.` : `${repository}: not loaded; see repo-intel list.`);
          if (!found) process.exitCode = 1;
        }
      }),
    );
}
