import { once } from 'node:events';
import { stderr, stdin } from 'node:process';
import { createInterface } from 'node:readline';
import { Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { askService, problemIn } from './ask-service.ts';
import { prepareCredentials, readCredentials, writeCredentials } from './credentials.ts';
import type { Credentials } from './credentials.ts';
import type { Io } from './io.ts';

const sessionSchema = z.object({
  id: z.string(),
  api_key: z.string(),
  role: z.string(),
  organization: z.object({ slug: z.string() }),
  expires_at: z.string(),
});

export function loginCommand(config: Config, io: Io): Command {
  const { credentialsFile: file } = config;
  return new Command('login')
    .description('let this command line in, with a pairing code from an owner of the organization')
    .argument('[code]', 'the pairing code; asked for when left out, or read from stdin')
    .option('--url <url>', 'where the service is', serviceUrl, config.baseUrl ?? `http://127.0.0.1:${config.port}`)
    .addHelpText(
      'after',
      `
An owner, signed in at the identity provider, gets a code, which is good once and for ten minutes:
  $ curl URL/v1/cli/pair -H 'Content-Type: application/json' -d '{"owner_jwt": "TOKEN"}'
In exchange this command line gets a key of its own for 90 days, which only you can read and which is never shown, in
  ${file}
With it repo-intel whoami and repo-intel api ask the service; repo-intel logout ends it.

Examples:
  $ repo-intel login WDJB-MJHT-KQRZ --url https://ris.example.com
  $ repo-intel login < code.txt`,
    )
    .action(async (code: string | undefined, { url }: { url: string }) => {
      if (isReadableOnTheWay(url)) io.say(`Careful: what is sent to ${url} can be read on the way. Prefer https.`);
      const before = await readCredentials(file);
      // Before a code is used up for nothing.
      await prepareCredentials(file);
      const answer = await askService(url, '/v1/cli/pair/exchange', {
        method: 'POST',
        body: {
          pairing_code: code ?? (await readCode()),
          client: { name: 'repo-intel', version: packageJson.version, platform: `${process.platform}-${process.arch}` },
        },
      });
      if (answer.status !== 201) throw new Error(problemIn(answer, url));
      const session = sessionSchema.parse(answer.json);
      const { id: session_id, api_key, role, organization, expires_at } = session;
      const credentials: Credentials = { url, session_id, api_key, organization: organization.slug, role, expires_at };
      try {
        await writeCredentials(file, credentials);
      } catch (error) {
        await endSession(credentials).catch(() => {});
        throw error;
      }
      if (before)
        await endSession(before).catch((error: Error) => io.say(`The session before goes on: ${error.message}`));
      io.say(`You are in: ${role} of ${organization.slug} at ${url}, until ${expires_at.slice(0, 10)}.`);
    });
}

/** Ends a session at its service; one that had ended is as good. */
export async function endSession({ url, session_id, api_key: key }: Credentials): Promise<void> {
  const answer = await askService(url, `/v1/cli/sessions/${session_id}`, { method: 'DELETE', key });
  if (![204, 401, 404].includes(answer.status)) throw new Error(problemIn(answer, url));
}

async function readCode(): Promise<string> {
  const lines = createInterface({ input: stdin, ...(stdin.isTTY ? { output: stderr } : {}) });
  lines.setPrompt('Pairing code: ');
  if (stdin.isTTY) lines.prompt();
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
  lines.close();
  if (line === undefined || line.trim() === '')
    throw new Error('There is no pairing code: an owner of the organization gets one; see repo-intel login --help.');
  return line.trim();
}

function isReadableOnTheWay(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function serviceUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('a URL like https://ris.example.com');
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}
