import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import type { Candidate } from '../../loaders/task-instances/candidates.ts';
import type { MintOptions, MintProgress } from '../../loaders/task-instances/mint.ts';
import { isUsable } from '../model/statement-flags.ts';
import type { Config } from '../config.ts';
import type { MintRun } from '../model/mint-run.ts';
import { minRuns, tooFewRuns } from '../model/mint-run.ts';
import { rejections } from '../model/rejections.ts';
import type { Rejected } from '../model/rejections.ts';
import type { TaskInstance } from '../model/task-instance.ts';
import { openDisk } from '../stores/disk-space.ts';
import type { MintJob } from '../stores/jobs/port.ts';
import { interrupted } from './interrupted.ts';
import { tableRow } from './io.ts';
import type { Io } from './io.ts';
import { organizationOption } from './organization-option.ts';
import type { OrganizationFlag } from './organization-option.ts';
import { mustBeWritable } from './must-be-writable.ts';
import { openSuiteRunner, sandboxFlags } from './suite-runner.ts';
import type { SandboxFlags } from './suite-runner.ts';
import { append, settingsOf, suiteSettingsFlags } from './suite-settings-flags.ts';
import type { SuiteSettingsFlags } from './suite-settings-flags.ts';

interface Options extends SandboxFlags, OrganizationFlag, SuiteSettingsFlags {
  issues?: string;
  reference?: string[];
  name?: string;
  ref?: string;
  since?: string;
  until?: string;
  maxCandidates?: number;
  workers: number;
  dryRun?: boolean;
  json?: boolean;
  enqueue?: boolean;
  output?: string;
}

/** Told from a failure (1): all went well, and there is nothing. */
const nothingFound = 2;

export function benchmarkMintCommand(config: Config, io: Io): Command {
  const named = new Command('mint')
    .description(
      'make tasks of a repository’s fixes: each is proven by running its tests before and after, and tells what was wrong, and behind it what its tests ask for by name',
    )
    .argument('<repository>', 'folder or URL of a git repository');
  const command = suiteSettingsFlags(named)
    .option('--issues <file>', 'the issue tracker’s issues, a JSON line each: id, title, body, comments')
    .option('--reference <file>', 'another dataset, to flag tasks that are in it, too; may be repeated', append)
    .option('--name <owner/name>', 'name of the repository (default: by where it was cloned from)', fullName)
    .addOption(organizationOption(config))
    .option('--ref <ref>', 'branch, tag or commit whose first-parent history is searched (default: HEAD)')
    .option('--since <date>', 'only fixes after it')
    .option('--until <date>', 'only fixes before it')
    .option('--max-candidates <number>', 'stop searching with so many, from the newest', positiveInteger)
    .option('--runs <number>', 'run both sides so often, to tell flaky tests (default: 3, at least 2)', runs)
    .option('--timeout <seconds>', 'for one run of the tests (default: 600)', positiveInteger)
    .option('--workers <number>', 'candidates that are run at once', positiveInteger, defaultWorkers())
    .option('--dry-run', 'show the candidates; nothing of the repository is run')
    .option('--json', 'with --dry-run: a JSON line a candidate')
    .option('--enqueue', 'leave the work to the running service, or to the workers on its server (repo-intel worker)')
    .option('-o, --output <file>', 'write the tasks there, a JSON line each, instead of keeping them')
    .addHelpText('after', examples)
    .action(async (repository: string, options: Options, command: Command) => {
      if (options.enqueue) {
        for (const one of [
          'config',
          'issues',
          'reference',
          'dryRun',
          'output',
          'container',
          'unsafeNoSandbox',
          'allowHost',
          'memory',
          'maxProcesses',
          'unsafeHostNetwork',
        ] as const)
          if (options[one] !== undefined)
            command.error(`error: --enqueue does not go with ${flagOf(command, one)}`, { exitCode: 2 });
        const { enqueue } = await import('./enqueue.ts');
        await enqueue(config, io, [jobOf(repository, options)]);
        return;
      }
      if (options.output !== undefined) await mustBeWritable(options.output);
      const { mint, searchCandidates } = await import('../../loaders/task-instances/mint.ts');
      const search = await searchOptions(config, io, repository, options);
      if (options.dryRun) {
        const { found } = await searchCandidates(repository, search);
        io.done();
        await io.out(found.candidates.map(options.json ? asLine : shown).join(''));
        io.say(funnel(found.commits, found.rejected, counted(found.candidates.length, 'candidate')));
        if (found.candidates.length === 0) process.exitCode = nothingFound;
        return;
      }
      const runner = await openSuiteRunner(config, options, (sentence) => io.say(sentence));
      const { run, instances } = await mint(repository, { ...search, runner, workers: options.workers });
      io.done();
      if (options.output !== undefined) await writeFileAtomic(options.output, instances.map(asLine).join(''));
      else await keep(config, io, { organization: options.organization, run, instances });
      const usable = instances.filter(isUsable).length;
      io.say(funnel(run.commits, run.rejected, `${counted(run.minted, 'task')} (${usable} with a usable statement)`));
      if (options.output !== undefined) io.say(`Written: ${options.output}`);
      if (instances.length === 0) process.exitCode = nothingFound;
    });
  return sandboxFlags(command);
}

const flagOf = (command: Command, name: string) =>
  command.options.find((option) => option.attributeName() === name)?.long ?? name;

function jobOf(source: string, options: Options): MintJob {
  const { name, ref, since, until, maxCandidates, organization } = options;
  return {
    kind: 'mint',
    source,
    ...(name === undefined ? {} : { name }),
    ...(ref === undefined ? {} : { ref }),
    ...(organization === undefined ? {} : { organization }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(maxCandidates === undefined ? {} : { max_candidates: maxCandidates }),
    settings: settingsOf(options),
  };
}

async function searchOptions(config: Config, io: Io, repository: string, options: Options): Promise<MintOptions> {
  const { readIssues } = await import('../../loaders/task-instances/issues.ts');
  const { readReferences } = await import('../../loaders/task-instances/references.ts');
  const { name, ref, since, until, maxCandidates } = options;
  return {
    ...(name === undefined ? {} : { name }),
    ...(ref === undefined ? {} : { ref }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(maxCandidates === undefined ? {} : { maxCandidates }),
    settingsFile: options.config ?? null,
    settings: settingsOf(options),
    issues: options.issues === undefined ? new Map() : await readIssues(options.issues),
    references: await readReferences(options.reference ?? []),
    cloneFolder: join(config.dataDir, 'clones'),
    folder: join(config.dataDir, 'benchmark'),
    mustHaveRoom: openDisk(config.dataDir, config.minFreeBytes).mustHaveRoom,
    onProgress: (progress) => io.progress({ repository, ...progress, detail: detailOf(progress) }),
    onMessage: (sentence) => io.say(sentence),
    // What was decided is kept, and so are the results of single runs.
    signal: interrupted(io, 'Interrupted. The same command goes on where this one was.'),
  };
}

/** In the stores, or by the repo-intel that has them. */
async function keep(
  config: Config,
  io: Io,
  minted: { organization: string | undefined; run: MintRun; instances: readonly TaskInstance[] },
): Promise<void> {
  const { openSession } = await import('./session.ts');
  const session = await openSession(config, io);
  try {
    await session.run('benchmark.save', minted);
  } finally {
    await session.close();
  }
}

const detailOf = ({ phase, minted, rejected }: MintProgress) =>
  phase === 'minting'
    ? [`${minted} minted`, ...byCount(rejected).map(([reason, count]) => `${count} ${reason}`)].slice(0, 5).join(', ')
    : '';

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const byCount = (rejected: Rejected | MintRun['rejected']) =>
  Object.entries(rejected).toSorted(([, a], [, b]) => b - a);

function funnel(commits: number, rejected: Rejected | MintRun['rejected'], left: string): string {
  const sentences: Readonly<Record<string, string>> = rejections;
  const lines = byCount(rejected).map(
    ([reason, count]) => `${String(count).padStart(8)}  ${reason.padEnd(20)} ${sentences[reason] ?? ''}`,
  );
  return [
    `${counted(commits, 'commit')}, ${left}.${lines.length > 0 ? ' What is against the others:' : ''}`,
    ...lines,
  ].join('\n');
}

const asLine = (value: unknown) => `${JSON.stringify(value)}\n`;

function shown({ instanceId, fix, difficulty, language, statement, subject }: Candidate): string {
  return tableRow(instanceId, fix.slice(0, 12), difficulty, language, `${statement.words} words`, subject);
}

function defaultWorkers(): number {
  return Math.max(1, Math.floor(availableParallelism() * 0.75));
}

function fullName(text: string): string {
  if (!/^[\w.-]+\/[\w.-]+$/.test(text)) throw new InvalidArgumentError('An owner, a slash and a name: acme/payments.');
  return text;
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('a whole number, from 1');
  return Number(text);
}

function runs(text: string): number {
  const count = positiveInteger(text);
  if (count < minRuns) throw new InvalidArgumentError(tooFewRuns);
  return count;
}

const examples = `
What it does:
  It goes through the first-parent history for commits that change both source and tests,
  and runs the tests of each in a sandbox without network: at its base, with its tests
  alone, and with the fix, the last two three times. A task is what has tests that fail
  before and pass after, each time. How tests are run is said by --test-cmd and --report,
  by a benchmark.yml, or told from the files of the repository.

  Interrupted, it goes on where it was when it is called again.

Exits with 0 (at least one task), 2 (none, or used wrongly) or 1 (failed).

Examples:
  $ repo-intel benchmark mint ~/src/payments --dry-run              # who would be a candidate, and why not
  $ repo-intel benchmark mint ~/src/payments --max-candidates 20
  $ repo-intel benchmark mint . --issues issues.jsonl -o tasks.jsonl
  $ repo-intel benchmark mint . --setup-cmd 'npm ci' --report 'tap:$OUT/report.tap' \\
      --test-cmd 'node --test --test-reporter=tap --test-reporter-destination=$OUT/report.tap {files}'`;
