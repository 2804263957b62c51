import { Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import type { OrganizationSettings, SettingsChange } from '../model/account.ts';
import { cliRoleSchema } from '../model/cli.ts';
import type { CliRole } from '../model/cli.ts';
import { tableRow } from './io.ts';
import type { Io } from './io.ts';
import { withSession } from './with-session.ts';

export function organizationCommand(config: Config, io: Io): Command {
  return new Command('organization')
    .description('show or change the settings of an organization')
    .argument('<slug>', 'which')
    .option('--name <name>', 'what it is called')
    .addOption(new Option('--default-role <role>', 'of whoever is invited, unless told').choices(cliRoleSchema.options))
    .option('--default-key-days <days>', 'for how long new keys live, unless told; `none`: they do not expire', days)
    .option('--json', 'as JSON on stdout')
    .addHelpText(
      'after',
      '\nHosts that a checkout may lead back to: repo-intel checkout-hosts.\n\nExample:\n  $ repo-intel organization acme --name "Acme GmbH" --default-key-days 90',
    )
    .action((organization: string, options: Options) =>
      withSession(config, io, async (session) => {
        const { name, defaultRole, defaultKeyDays } = options;
        const change: SettingsChange = {
          ...(name === undefined ? {} : { name }),
          ...(defaultRole === undefined ? {} : { default_role: defaultRole }),
          ...(defaultKeyDays === undefined ? {} : { default_key_days: defaultKeyDays }),
        };
        const settings = (await session.run('organization.change', { organization, change })) as OrganizationSettings;
        if (options.json) await io.out(`${JSON.stringify(settings, null, 2)}\n`);
        else
          for (const [what, value] of Object.entries(settings))
            await io.out(tableRow(what, Array.isArray(value) ? value.join(' ') : (value ?? 'none')));
      }),
    );
}

interface Options {
  name?: string;
  defaultRole?: CliRole;
  defaultKeyDays?: number | null;
  json?: boolean;
}

function days(text: string): number | null {
  if (text === 'none') return null;
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > 3_650)
    throw new InvalidArgumentError('a whole number of days, from 1 to 3650, or none');
  return Number(text);
}
