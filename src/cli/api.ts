import { Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import { askService, problemIn } from './ask-service.ts';
import type { Io } from './io.ts';
import { loggedIn } from './whoami.ts';

export function apiCommand({ credentialsFile: file }: Config, io: Io): Command {
  return new Command('api')
    .description('ask the service that this command line is logged in to')
    .argument('<path>', 'with its query: what stands at GET in the documentation', apiPath)
    .addHelpText(
      'after',
      "\nExamples:\n  $ repo-intel api '/api/search?q=parse'\n  $ repo-intel api /v1/billing/usage | jq .totals",
    )
    .action(async (path: string) => {
      const { url, api_key: key } = await loggedIn(file);
      const answer = await askService(url, path, { key });
      if (answer.status !== 200) throw new Error(problemIn(answer, url));
      await io.out(answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`);
    });
}

function apiPath(text: string): string {
  if (!text.startsWith('/')) throw new InvalidArgumentError('a path that begins with a slash');
  return text;
}
