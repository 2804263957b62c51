import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { cwd } from 'node:process';
import { Command, InvalidArgumentError } from 'commander';
import type { ComparedCommits } from '../../loaders/change/change-of.ts';
import { changeMarkdown } from '../changes/change-markdown.ts';
import { changeText } from '../changes/change-text.ts';
import { changeGates, missedGates, type ChangeGate } from '../changes/gates.ts';
import type { Config } from '../config.ts';
import { onlyNew } from '../due-diligence/compare-reports.ts';
import { sarifOf } from '../due-diligence/sarif.ts';
import { relationalFolder } from '../stores/open.ts';
import { askElsewhere } from './change-elsewhere.ts';
import { paint } from './io.ts';
import type { Io } from './io.ts';
import { mustBeWritable } from './must-be-writable.ts';
import { CommentRefused, pullRequestOf } from './pull-request.ts';
import type { PullRequest } from './pull-request.ts';
import { withSession } from './with-session.ts';

interface Options {
  repo?: string;
  workingTree?: boolean;
  json?: boolean;
  markdown?: boolean;
  comment?: boolean;
  sarif?: string;
  failOn?: readonly ChangeGate[];
}

export function diffCommand(config: Config, io: Io): Command {
  return new Command('diff')
    .description('what a change does: who it reaches and breaks, what tests it, what it does to the figures')
    .argument(
      '[range]',
      'BASE..HEAD: branches, tags or commits; BASE alone means BASE..HEAD; with --comment by default those of the pull request',
    )
    .option('--repo <path>', 'the repository (default: the one you stand in)')
    .option('--working-tree', 'from BASE (default: HEAD) to what lies here, with what is not committed yet')
    .option('--json', 'all of it as one JSON object')
    .option('--markdown', 'as a comment for a pull request, of less than 6,000 characters')
    .option('--comment', 'in CI: write that comment on the pull request of this job, in place of its last one')
    .option('--sarif <file>', 'write the findings that are new, SARIF 2.1.0: for code scanning and editors')
    .option(
      '--fail-on <gate>',
      `exit with a code of its own where the change does it; may be repeated: ${Object.entries(changeGates)
        .map(([gate, code]) => `${gate} (${code})`)
        .join(', ')}`,
      addGate,
    )
    .addHelpText('after', examples)
    .action(async (given: string | undefined, options: Options, command: Command) => {
      const request = options.comment ? await pullRequestOf(config.pullRequestJob) : null;
      const { workingTree = false } = options;
      if (workingTree && (given?.includes('..') || request))
        return command.error('error: with --working-tree BASE alone is named, and nothing is compared in CI');
      const range = given ?? (workingTree ? 'HEAD' : request && `${request.base}..${request.head}`);
      if (range === null) return command.error("error: missing required argument 'range'");
      if (options.sarif !== undefined) await mustBeWritable(options.sarif);
      const { startThreads } = await import('../../loaders/extraction/pool.ts');
      startThreads();
      const { measureChange } = await import('./measure-change.ts');
      const { change, reports, ...compared } = await measureChange(config, options.repo ?? cwd(), range, {
        workingTree,
        onProgress: (progress) => io.progress(progress),
      });
      io.done();
      await addElsewhere(config, io, { ...compared, change });
      if (options.sarif !== undefined) {
        await writeFile(options.sarif, asJson(sarifOf(onlyNew(reports.after, reports.before, change.files.items))));
        io.say(`Written: ${options.sarif}`);
      }
      await io.out(
        options.json ? asJson(change) : options.markdown ? changeMarkdown(change) : changeText(change, paint),
      );
      if (request) await writeComment(io, request, changeMarkdown(change));
      const missed = missedGates(change, options.failOn ?? []);
      for (const { sentence } of missed) io.say(`Refused by --fail-on ${sentence}.`);
      if (missed[0]) process.exitCode = changeGates[missed[0].gate];
    });
}

/** What is wrong with the comment is said, and keeps no gate from being looked at. */
async function writeComment(io: Io, request: PullRequest, markdown: string): Promise<void> {
  try {
    await request.comment(markdown);
    io.say('Written: the comment on the pull request.');
  } catch (error) {
    if (!(error instanceof CommentRefused)) throw error;
    io.say(`The comment is not written: ${error.message}`);
    if (!error.isUsual) process.exitCode = 1;
  }
}

/** What others use of what changed; null, and said, where nothing is loaded. */
async function addElsewhere(config: Config, io: Io, compared: ComparedCommits): Promise<void> {
  const { change } = compared;
  if (!config.databaseUrl && !existsSync(relationalFolder(config))) {
    change.notes.push('No repository is loaded, so nothing is said of who uses this one elsewhere.');
    return;
  }
  await withSession(config, io, async (session) => {
    change.elsewhere = await askElsewhere(session, config.organization, compared);
  });
}

function addGate(text: string, gates: readonly ChangeGate[] = []): ChangeGate[] {
  if (!Object.hasOwn(changeGates, text))
    throw new InvalidArgumentError(`It is one of ${Object.keys(changeGates).join(', ')}.`);
  return [...gates, text as ChangeGate];
}

const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const examples = `
It compares two commits, or with --working-tree one of them with what lies in the folder. Where BASE has commits that
HEAD has not, both are compared from where they parted, as forges show a pull request. No
login and no service are needed; each distinct file is parsed once, and remembered.

Exits with 0 (done), 1 (failed), 2 (used wrongly), or with the code of the first gate that
--fail-on names and the change does not pass.

Examples:
  $ repo-intel diff main..my-branch
  $ repo-intel diff v1.2.0..v1.3.0 --json | jq '.affected.items[].id'
  $ repo-intel diff --working-tree                        # before you commit
  $ repo-intel diff origin/main --markdown > comment.md
  $ repo-intel diff --comment --fail-on broken-caller     # in a job of GitHub Actions or GitLab CI
  $ repo-intel diff origin/main --fail-on broken-caller --fail-on new-finding --sarif new.sarif`;
