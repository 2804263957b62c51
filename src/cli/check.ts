import { setTimeout } from 'node:timers/promises';
import { Command } from 'commander';
import type { Finding } from '../../loaders/check.ts';
import type { Config } from '../config.ts';
import { disagreements } from './answers/agree.ts';
import { NotForThisKey } from './answers/asking.ts';
import { askService, problemIn } from './ask-service.ts';
import { tableRow } from './io.ts';
import type { Io } from './io.ts';
import { loggedIn } from './whoami.ts';

async function checkAnswers({ credentialsFile }: Config, io: Io, asJson: boolean): Promise<void> {
  const { url, api_key: key } = await loggedIn(credentialsFile);
  const { found, notAsked } = await disagreements(async (path) => {
    for (;;) {
      const answer = await askService(url, path, { key });
      const { status, json, headers } = answer;
      if (status === 200) return json;
      if (status === 403) throw new NotForThisKey(path);
      const seconds = Number(headers.get('retry-after') ?? Number.NaN);
      if ((status !== 429 && status !== 503) || !(seconds <= 120)) throw new Error(problemIn(answer, url));
      await setTimeout(seconds * 1_000);
    }
  });
  if (asJson) await io.out(`${JSON.stringify({ ok: found.length === 0, found, not_asked: notAsked }, null, 2)}\n`);
  else for (const sentence of found) await io.out(`${sentence}\n`);
  if (notAsked.length > 0) io.say(`${notAsked.length} questions are not for this key: ask with one of an owner.`);
  io.say(found.length === 0 ? 'All answers agree.' : `${found.length} do not agree.`);
  if (found.length > 0) process.exitCode = 1;
}

export function checkCommand(config: Config, io: Io): Command {
  return new Command('check')
    .description('read all snapshots and compare graph, search and usage with what they are made from; mends nothing')
    .option('--json', 'as JSON')
    .option(
      '--answers',
      'ask the service that this command line is logged in to, and compare its answers with each other',
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ repo-intel check\n\nA line for each repository and thing: ok, wrong or unknown, and why. Exits 1 where anything is wrong. It takes as long as\na rebuild; a running service goes on answering. With --answers, a line for each two answers that do not agree.\nSee docs/backup.md.',
    )
    .action(async ({ json = false, answers = false }: { json?: boolean; answers?: boolean }) => {
      if (answers) return checkAnswers(config, io, json);
      const { openSession } = await import('./session.ts');
      const session = await openSession(config, io);
      try {
        const findings = (await session.run('check', {})) as Finding[];
        const wrong = findings.filter(({ status }) => status !== 'ok');
        if (json) await io.out(`${JSON.stringify({ ok: wrong.length === 0, findings }, null, 2)}\n`);
        else
          for (const { repository, thing, status, detail } of findings)
            await io.out(tableRow(repository ?? '-', thing, status, detail));
        const waysOut = new Set(wrong.flatMap(({ way_out: wayOut }) => wayOut ?? []));
        io.say(wrong.length === 0 ? 'All is well.' : `${wrong.length} of ${findings.length} are not well. What helps:`);
        for (const wayOut of waysOut) io.say(`  ${wayOut}`);
        if (wrong.length > 0) process.exitCode = 1;
      } finally {
        await session.close();
      }
    });
}
