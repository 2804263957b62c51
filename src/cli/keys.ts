import { Command, InvalidArgumentError, Option } from 'commander';
import type { CreatedKey } from '../auth/create-key.ts';
import type { rotateKey } from '../auth/change-key.ts';
import type { Config } from '../config.ts';
import { allProducts } from '../control-plane/all-products.ts';
import { roleSchema, scopeSchema, subjectSchema } from '../model/account.ts';
import type { ApiKey, Role, Scope } from '../model/account.ts';
import { tableRow } from './io.ts';
import type { Io } from './io.ts';
import { organizationSlug } from './organization-option.ts';
import { withSession } from './with-session.ts';

export function keysCommand(config: Config, io: Io): Command {
  const keys = new Command('keys').description('make, list, rotate and revoke API keys');
  keys
    .command('create')
    .description('make an API key and show it once')
    .requiredOption('--organization <slug>', 'made when it is new', organizationSlug)
    .addOption(new Option('--role <role>', 'what the key may do').choices(roleSchema.options).default('member'))
    .option('--member <name>', 'whose key it is (default: the role)')
    .option('--expires-in-days <days>', 'default: it does not expire', positiveInteger)
    .option('--subject <sub>', 'who the member is at the identity provider, for pairing command lines', subject)
    .option('--name <name>', 'what the key is for', printable)
    .option('--product <slug>', 'may call only this product; again for more', product)
    .option('--repository <name>', 'may see only this repository; again for more', several)
    .addOption(
      new Option('--scope <scope>', `may do only this; again for more (${scopeSchema.options.join(', ')})`).argParser(
        scope,
      ),
    )
    .option('--rate-limit <requests>', 'so many a minute, beside the quotas of the organization', requests)
    .option('--test', 'a key for trying out: its calls are counted and cost nothing, at most 60 a minute')
    .option('--json', 'as JSON on stdout')
    .addHelpText(
      'after',
      `
What a key may do is what its role allows, and of that only what --scope, --product and --repository name. What it may not
see is an unknown name to it. With --product or --repository and no --scope, it may read.

Examples:
  $ repo-intel keys create --organization acme --role owner
  $ repo-intel keys create --organization acme --member ci --name nightly --scope usage:write --expires-in-days 90
  $ repo-intel keys create --organization acme --member solver --scope solver --repository acme/shop
  $ repo-intel keys create --organization acme --member ann --test`,
    )
    .action((options: CreateOptions) =>
      withSession(config, io, async (session) => {
        const { organization, role, member = role, expiresInDays, json, subject, name = null, test = false } = options;
        const { product: products = null, repository: repositories = null, rateLimit = null } = options;
        const reading: Scope[] | null = products === null && repositories === null ? null : ['read'];
        const days = expiresInDays;
        const expires_at = days === undefined ? null : new Date(Date.now() + days * 86_400_000).toISOString();
        const created = (await session.run('keys.create', {
          organization,
          role,
          member,
          expires_at,
          subject,
          name,
          environment: test ? 'test' : 'live',
          limits: {
            products,
            repositories,
            scopes: options.scope ?? reading,
            rate_limit_per_minute: rateLimit,
          },
        })) as CreatedKey;
        if (json) await io.out(`${JSON.stringify(created, null, 2)}\n`);
        else await io.out(`${created.api_key}\n`);
        io.say(`This is the only time that the key is shown. It is ${role} of ${organization}.`);
        if ((await session.list({ organization })).length === 0)
          io.say(`It sees no repository yet: load some with repo-intel load PATH --organization ${organization}.`);
      }),
    );
  keys
    .command('list')
    .description('list the keys; never the keys themselves')
    .option('--json', 'as JSON on stdout')
    .addHelpText('after', '\nExample:\n  $ repo-intel keys list')
    .action(({ json }: { json?: boolean }) =>
      withSession(config, io, async (session) => {
        const rows = (await session.run('keys.list', {})) as (ApiKey & {
          organization_slug: string;
          member_name: string;
          role: Role;
        })[];
        if (json) await io.out(`${JSON.stringify(rows, null, 2)}\n`);
        for (const row of json ? [] : rows) {
          const place = [row.organization_slug, row.member_name, row.role];
          await io.out(tableRow(row.id, `${row.prefix}…`, ...place, stateOf(row), ...limitsOf(row)));
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
      withSession(config, io, async (session) => {
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
      withSession(config, io, async (session) => {
        const revoked = await session.run('keys.revoke', { id });
        io.say(revoked ? `${id}: revoked.` : noSuchKey(id));
        if (!revoked) process.exitCode = 1;
      }),
    );
  return keys;
}

function stateOf({ revoked_at, expires_at }: ApiKey): string {
  if (revoked_at !== null) return `revoked ${revoked_at}`;
  if (expires_at === null) return 'in use';
  return Date.parse(expires_at) <= Date.now() ? `expired ${expires_at}` : `in use until ${expires_at}`;
}

/** What the key is for and restricted to. */
function limitsOf({ name, scopes, products, repositories, rate_limit_per_minute: rate }: ApiKey): string[] {
  const lists = Object.entries({ scopes, products, repositories });
  return [
    ...(name === null ? [] : [name]),
    ...lists.flatMap(([what, of]) => (of === null ? [] : [`${what}: ${of.join(' ')}`])),
    ...(rate === null ? [] : [`${rate} a minute`]),
  ];
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
  name?: string;
  product?: string[];
  repository?: string[];
  scope?: Scope[];
  rateLimit?: number;
  test?: boolean;
  json?: boolean;
}

function product(text: string, before: string[] = []): string[] {
  const live = allProducts.filter(({ released_at }) => released_at !== null).map(({ slug }) => slug);
  if (!live.includes(text)) throw new InvalidArgumentError(`one of ${live.join(', ')}`);
  return [...before, text];
}

const several = (text: string, before: string[] = []) => [...before, printable(text)];

function printable(text: string): string {
  if (!/^[^\p{Cc}]{1,256}$/u.test(text)) throw new InvalidArgumentError('a name without control characters');
  return text;
}

function scope(text: string, before: Scope[] = []): Scope[] {
  const result = scopeSchema.safeParse(text);
  if (!result.success) throw new InvalidArgumentError(`one of ${scopeSchema.options.join(', ')}`);
  return [...before, result.data];
}

function requests(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('a whole number of requests, from 1 to 99999');
  return Number(text);
}

function subject(text: string): string {
  const result = subjectSchema.safeParse(text);
  if (!result.success) throw new InvalidArgumentError(result.error.issues[0]?.message ?? '');
  return result.data;
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('a whole number of days, from 1');
  return Number(text);
}
