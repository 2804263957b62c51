import { Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';
import { withSession } from './with-session.ts';

export function auditCommand(config: Config, io: Io): Command {
  return new Command('audit')
    .description('write the audit log of an organization: who changed what, when and from where')
    .requiredOption('--organization <slug>', 'whose')
    .addOption(
      new Option('--format <format>', 'CSV for spreadsheets, or a JSON line an entry')
        .choices(['csv', 'jsonl'])
        .default('csv'),
    )
    .option('--action <action>', 'only changes of this kind: member.removed, api_key.created …')
    .option('--member <member>', 'only what this member did: their name, or an id, also of one who was removed')
    .option('--from <time>', 'not before', time)
    .option('--to <time>', 'before', time)
    .addHelpText(
      'after',
      `
The newest come first. Entries are added and never changed, in the database too. What was done by this command line of
whoever runs the service has "cli" in via and no member.

Examples:
  $ repo-intel audit --organization acme > audit.csv
  $ repo-intel audit --organization acme --format jsonl --from 2026-11-01 | jq 'select(.via == "cli")'`,
    )
    .action(({ organization, format, action, member, from, to }: Record<string, string | undefined>) =>
      withSession(config, io, async (session) => {
        const written = await session.run('audit', { organization, format, action, member, from, to });
        io.say(`${String(written)} entries of ${organization}.`);
      }),
    );
}

function time(text: string): string {
  const at = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError('a day or a time in UTC: 2026-11-01, 2026-11-01T08:00:00Z');
  return new Date(at).toISOString();
}
