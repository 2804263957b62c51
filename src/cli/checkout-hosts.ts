import { Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';

export function checkoutHostsCommand(config: Config, io: Io): Command {
  return new Command('checkout-hosts')
    .description('show or set the hosts that a checkout of an organization may send its buyers back to')
    .argument('<organization>', 'its slug')
    .argument('[host...]', 'no others will be taken', hosts)
    .option('--any', 'take every host again')
    .addHelpText('after', '\nExample:\n  $ repo-intel checkout-hosts acme app.acme.example')
    .action(async (organization: string, given: string[], { any }: { any?: boolean }) => {
      const { openSession } = await import('./session.ts');
      const session = await openSession(config, io);
      try {
        const change = any ? { hosts: null } : given.length > 0 ? { hosts: given } : {};
        const found = (await session.run('checkout-hosts', { organization, ...change })) as {
          hosts: string[] | null;
        } | null;
        if (found === null) {
          io.say(`${organization}: there is no such organization.`);
          process.exitCode = 1;
          return;
        }
        if (found.hosts === null) io.say(`${organization}: any host.`);
        for (const host of found.hosts ?? []) await io.out(`${host}\n`);
      } finally {
        await session.close();
      }
    });
}

function hosts(text: string, before: string[] = []): string[] {
  if (!/^(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}$/i.test(text))
    throw new InvalidArgumentError('a host by its name, without scheme and port');
  return [...before, text.toLowerCase()];
}
