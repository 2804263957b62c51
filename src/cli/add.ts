import { Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import { maxEverySeconds, minEverySeconds, usualEverySeconds } from '../model/source-address.ts';
import type { Source } from '../stores/relational/port.ts';
import type { Io } from './io.ts';
import { organizationOption } from './organization-option.ts';
import type { OrganizationFlag } from './organization-option.ts';
import { withSession } from './with-session.ts';

export function addCommand(config: Config, io: Io): Command {
  return new Command('add')
    .description('have the service load repositories and keep them fresh')
    .argument('<source...>', 'folder or URL of a git repository')
    .option('--ref <ref>', 'branch, tag or commit to read (default: HEAD)')
    .option('--every <minutes>', 'how often it is looked at', minutes, usualEverySeconds / 60)
    .addOption(organizationOption(config))
    .option('--json', 'one JSON line a source on stdout')
    .addHelpText(
      'after',
      '\nExamples:\n  $ repo-intel add https://example.org/acme/api.git\n  $ repo-intel add ~/src/web --every 5',
    )
    .action(async (sources: string[], options: OrganizationFlag & { ref?: string; every: number; json?: boolean }) => {
      const { addressOf } = await import('./enqueue.ts');
      const { organization, ref = null, every } = options;
      const addressed = sources.map((source) => addressOf(source));
      await withSession(config, io, async ({ run }) => {
        for (const address of addressed) {
          const wanted = { organization, address, ref, every_seconds: every * 60 };
          const added = (await run('sources.add', wanted)) as (Source & { secret: string }) | null;
          if (options.json) await io.out(`${JSON.stringify(added ?? { address, added: false })}\n`);
          io.say(
            added
              ? `${address}: kept fresh. To have it know of a push at once, let its forge send push events, as JSON, to /v1/sources/webhooks/github (or gitlab, gitea, bitbucket), with the secret, which is shown this once: ${added.secret}`
              : `${address}: is among the sources already, perhaps by another address; see repo-intel sources.`,
          );
        }
      });
    });
}

function minutes(text: string): number {
  const [least, most] = [minEverySeconds / 60, maxEverySeconds / 60];
  const count = Number(text);
  if (Number.isInteger(count) && count >= least && count <= most) return count;
  throw new InvalidArgumentError(`It takes a whole number of minutes from ${least} to ${most}.`);
}
