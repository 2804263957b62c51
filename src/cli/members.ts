import { Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import { memberNameSchema, roleSchema, subjectSchema } from '../model/account.ts';
import type { Member } from '../model/account.ts';
import { cliRoleSchema } from '../model/cli.ts';
import type { CliPairing } from '../model/cli.ts';
import { tableRow } from './io.ts';
import type { Io } from './io.ts';
import { withSession } from './with-session.ts';

export function membersCommand(config: Config, io: Io): Command {
  const members = new Command('members')
    .description('list, invite, change and remove the members of an organization')
    .addHelpText(
      'after',
      `
A member has a role: an owner may do everything, an admin manages keys and members, a member works, a viewer reads.
Whoever is removed loses their keys and command lines at once; their seat and name are free. An organization has an owner
at any time, and one of them a key.

Examples:
  $ repo-intel members invite ann --organization acme --role admin
  $ repo-intel login WDJB-MJHT-KQRZ            # what ann types, on their machine
  $ repo-intel members role ann owner --organization acme
  $ repo-intel members remove bob --organization acme`,
    );
  const add = (name: string, description: string) =>
    members.command(name).description(description).requiredOption('--organization <slug>', 'whose members');
  const whom = 'their name, or their id as `members list` shows it: mem_…';

  add('list', 'who belongs to the organization, and since when')
    .option('--json', 'as JSON on stdout')
    .addHelpText('after', '\nExample:\n  $ repo-intel members list --organization acme')
    .action((options: Options) =>
      withSession(config, io, async (session) => {
        const rows = (await session.run('members.list', of(options))) as (Member & { created_at: string })[];
        if (options.json) await io.out(`${JSON.stringify(rows, null, 2)}\n`);
        else for (const { id, name, role, created_at } of rows) await io.out(tableRow(id, name, role, created_at));
      }),
    );
  add('invite', 'a pairing code that makes a member, good once and for ten minutes')
    .argument('<name>', 'of the new member', memberName)
    .addOption(
      new Option('--role <role>', 'what they may do (default: as the organization has it)').choices(
        cliRoleSchema.options,
      ),
    )
    .option('--json', 'as JSON on stdout')
    .addHelpText('after', '\nExample:\n  $ repo-intel members invite ann --organization acme --role admin')
    .action((name: string, options: Options & { role?: string }) =>
      withSession(config, io, async (session) => {
        const given = { ...of(options), name, role: options.role };
        const invited = (await session.run('members.invite', given)) as CliPairing & { pairing_code: string };
        await io.out(`${options.json ? JSON.stringify(invited, null, 2) : invited.pairing_code}\n`);
        io.say(`With this code, which is shown this once, ${name} is let in as ${invited.role}: repo-intel login CODE`);
      }),
    );
  add('role', 'give a member another role')
    .argument('<member>', whom)
    .addArgument(members.createArgument('<role>', 'what they may do').choices(roleSchema.options))
    .addHelpText('after', '\nExample:\n  $ repo-intel members role ann admin --organization acme')
    .action((member: string, role: string, options: Options) =>
      withSession(config, io, async (session) => {
        await session.run('members.change', { ...of(options), member, role });
        io.say(`${member} is ${role} of ${options.organization}.`);
      }),
    );
  add('rename', 'give a member another name')
    .argument('<member>', whom)
    .argument('<name>', 'the new one', memberName)
    .addHelpText('after', '\nExample:\n  $ repo-intel members rename ann anna --organization acme')
    .action((member: string, name: string, options: Options) =>
      withSession(config, io, async (session) => {
        await session.run('members.change', { ...of(options), member, name });
        io.say(`${member} is called ${name}.`);
      }),
    );
  add('subject', 'say who a member is at the identity provider, so that they can sign in')
    .argument('<member>', whom)
    .argument('<subject>', 'the `sub` of its tokens; an empty one takes it away', subjectOf)
    .addHelpText('after', '\nExample:\n  $ repo-intel members subject ann 248289761001 --organization acme')
    .action((member: string, subject: string | null, options: Options) =>
      withSession(config, io, async (session) => {
        await session.run('members.change', { ...of(options), member, subject });
        io.say(subject === null ? `${member} can no longer sign in.` : `${member} signs in as ${subject}.`);
      }),
    );
  add('remove', 'remove a member: their keys and command lines end, their seat is free')
    .argument('<member>', whom)
    .addHelpText('after', '\nExample:\n  $ repo-intel members remove bob --organization acme')
    .action((member: string, options: Options) =>
      withSession(config, io, async (session) => {
        await session.run('members.remove', { ...of(options), member });
        io.say(`${member} is no longer of ${options.organization}; their keys are refused within 5 seconds.`);
      }),
    );
  return members;
}

interface Options {
  organization: string;
  json?: boolean;
}

const of = ({ organization }: Options) => ({ organization });

function memberName(text: string): string {
  const result = memberNameSchema.safeParse(text);
  if (!result.success) throw new InvalidArgumentError('1 to 100 characters, none of them a control character');
  return result.data;
}

function subjectOf(text: string): string | null {
  if (text === '') return null;
  const result = subjectSchema.safeParse(text);
  if (!result.success) throw new InvalidArgumentError('1 to 255 characters, none of them a control character');
  return result.data;
}
