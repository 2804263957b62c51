import { Command } from 'commander';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { askService, problemIn } from './ask-service.ts';
import { readCredentials } from './credentials.ts';
import type { Credentials } from './credentials.ts';
import type { Io } from './io.ts';

const rootSchema = z.object({
  organization: z.object({ slug: z.string(), name: z.string() }),
  member: z.object({ id: z.string(), role: z.string() }),
  api_key: z.object({ id: z.string(), prefix: z.string(), expires_at: z.string().nullable() }),
});

export function whoamiCommand({ credentialsFile: file }: Config, io: Io): Command {
  return new Command('whoami')
    .description('say as whom this command line is logged in, by asking the service')
    .option('--json', 'as JSON on stdout')
    .addHelpText('after', '\nExample:\n  $ repo-intel whoami')
    .action(async ({ json }: { json?: boolean }) => {
      const { url, session_id, api_key: key } = await loggedIn(file);
      const answer = await askService(url, '/', { key });
      if (answer.status === 401)
        throw new Error(`The key is no longer good at ${url}: get a new one with repo-intel login.`);
      if (answer.status !== 200) throw new Error(problemIn(answer, url));
      const { organization, member, api_key } = rootSchema.parse(answer.json);
      if (json) {
        await io.out(`${JSON.stringify({ url, session_id, organization, member, api_key }, null, 2)}\n`);
        return;
      }
      await io.out(`${member.role} of ${organization.slug} at ${url}, until ${api_key.expires_at?.slice(0, 10)}\n`);
    });
}

/** Throws one sentence when this command line is not logged in. */
export async function loggedIn(file: string): Promise<Credentials> {
  const credentials = await readCredentials(file);
  if (!credentials) throw new Error('This command line is not logged in: repo-intel login --help says how.');
  return credentials;
}
