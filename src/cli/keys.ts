import { Command, InvalidArgumentError, Option } from 'commander';
import { createKeyOptions } from '../auth/create-key.ts';
import type { CreatedKey } from '../auth/create-key.ts';
import type { rotateKey } from '../auth/end-key.ts';
import type { Config } from '../config.ts';
import { roleSchema, subjectSchema } from '../model/account.ts';
import type { ApiKey, Role } from '../model/account.ts';
import { tableRow } from './io.ts';
import type { Io } from './io.ts';
import type { Session } from './session.ts';

export function keysCommand(config: Config, io: Io): Command {
  const withSession = async (run: (session: Session) => Promise<void>) => {
    const { openSession } = await import('./session.ts');
    const session = await openSession(config, io);
    try {
      await run(session);
    } finally {
      await session.close();
    }
  };
  const keys = new Command('keys').description('make, list, rotate and revoke API keys');
  keys
    .command('create')
    .description('make an API key and show it once')
    .requiredOption('--organization <slug>', 'made when it is new', organizationSlug)
    .addOption(new Option('--role <role>', 'what the key may do').choices(roleSchema.options).default('member'))
    .option('--member <name>', 'whose key it is (default: the role)')
    .option('--expires-in-days <days>', 'default: it does not expire', positiveInteger)
    .option('--subject <sub>', 'who the member is at the identity provider, for pairing command lines', subject)
    .option('--json', 'as JSON on stdout')
    .addHelpText('after', '\nExample:\n  $ repo-intel keys create --organization acme --role owner')
    .action((options: CreateOptions) =>
      withSession(async (session) => {
        const { organization, role, member = role, expiresInDays, json, subject } = options;
        const days = expiresInDays;
        const expires_at = days === undefined ? null : new Date(Date.now() + days * 86_400_000).toISOString();
        const created = (await session.run('keys.create', {
          organization,
          role,
          member,
          expires_at,
          subject,
        })) as CreatedKey;
        if (json) await io.out(`${JSON.stringify(created, null, 2)}\n`);
        else await io.out(`${created.api_key}\n`);
        io.say(`This is the only time that the key is shown. It is ${role} of ${organization}.`);
      }),
    );
  keys
    .command('list')
    .description('list the keys; never the keys themselves')
    .option('--json', 'as JSON on stdout')
    .addHelpText('after', '\nExample:\n  $ repo-intel keys list')
    .action(({ json }: { json?: boolean }) =>
      withSession(async (session) => {
        const rows = (await session.run('keys.list', {})) as (ApiKey & {
          organization_slug: string;
          member_name: string;
          role: Role;
        })[];
        if (json) await io.out(`${JSON.stringify(rows, null, 2)}\n`);
        for (const row of json ? [] : rows) {
          const state = row.revoked_at ? `revoked ${row.revoked_at}` : 'in use';
          await io.out(tableRow(row.id, `${row.prefix}…`, row.organization_slug, row.member_name, row.role, state));
        }
        if (rows.length === 0) io.say('No key yet: repo-intel keys create --organization acme --role owner');
      }),
    );
  keys
    .command('rotate')
    .description('put a new key of the same member in place of one, and show it once')
    .argument('<id>', 'as `keys list` shows it: key_…')
    .option('--overlap-seconds <seconds>', 'for how long the old key is taken as well, up to a day', overlap, 0)
    .option('--json', 'as JSON on stdout')
    .addHelpText(
      'after',
      '\nExample:\n  $ repo-intel keys rotate key_01JD7Z3M2QK8V6T4R9W5X1Y0AD --overlap-seconds 3600',
    )
    .action((id: string, { overlapSeconds, json }: { overlapSeconds: number; json?: boolean }) =>
      withSession(async (session) => {
        const options = { id, overlap_seconds: overlapSeconds };
        const rotated = (await session.run('keys.rotate', options)) as Awaited<ReturnType<typeof rotateKey>>;
        if (!rotated) {
          io.say(noSuchKey(id));
          process.exitCode = 1;
          return;
        }
        const { key, replaced } = rotated;
        if (json) await io.out(`${JSON.stringify({ ...key, replaces: replaced }, null, 2)}\n`);
        else await io.out(`${key.api_key}\n`);
        io.say(`This is the only time that the key is shown. ${id} ends at ${replaced.expires_at}.`);
      }),
    );
  keys
    .command('revoke')
    .description('revoke a key; it is refused within 5 seconds')
    .argument('<id>', 'as `keys list` shows it: key_…')
    .addHelpText('after', '\nExample:\n  $ repo-intel keys revoke key_01JD7Z3M2QK8V6T4R9W5X1Y0AD')
    .action((id: string) =>
      withSession(async (session) => {
        const revoked = await session.run('keys.revoke', { id });
        io.say(revoked ? `${id}: revoked.` : noSuchKey(id));
        if (!revoked) process.exitCode = 1;
      }),
    );
  return keys;
}

const noSuchKey = (id: string) => `${id}: there is no such key in use; see repo-intel keys list.`;

function overlap(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 86_400)
    throw new InvalidArgumentError('a whole number of seconds, up to 86400');
  return Number(text);
}

interface CreateOptions {
  organization: string;
  role: Role;
  member?: string;
  expiresInDays?: number;
  subject?: string;
  json?: boolean;
}

function subject(text: string): string {
  const result = subjectSchema.safeParse(text);
  if (!result.success) throw new InvalidArgumentError(result.error.issues[0]?.message ?? '');
  return result.data;
}

function organizationSlug(text: string): string {
  const result = createKeyOptions.shape.organization.safeParse(text);
  if (!result.success) throw new InvalidArgumentError(result.error.issues[0]?.message ?? '');
  return result.data;
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('a whole number of days, from 1');
  return Number(text);
}
