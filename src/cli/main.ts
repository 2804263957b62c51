import './webassembly.js';
import { Command, CommanderError } from 'commander';
import { ConfigError, readConfig } from '../config.ts';
import type { Config } from '../config.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { terminalIo } from './io.ts';
import type { Io } from './io.ts';

type MakeCommand = (config: Config, io: Io) => Command;

/** By the name of each, in the order in which they are listed. */
const commands = new Map<string, () => Promise<MakeCommand>>(
  Object.entries({
    up: async () => (await import('./up.ts')).upCommand,
    serve: async () => (await import('./serve.ts')).serveCommand,
    load: async () => (await import('./load.ts')).loadCommand,
    add: async () => (await import('./add.ts')).addCommand,
    sources: async () => (await import('./sources.ts')).sourcesCommand,
    analyze: async () => (await import('./analyze.ts')).analyzeCommand,
    report: async () => (await import('./report.ts')).reportCommand,
    population: async () => (await import('./population.ts')).populationCommand,
    benchmark: async () => (await import('./benchmark.ts')).benchmarkCommand,
    list: async () => (await import('./list.ts')).listCommand,
    remove: async () => (await import('./remove.ts')).removeCommand,
    share: async () => (await import('./share.ts')).shareCommand,
    unshare: async () => (await import('./share.ts')).unshareCommand,
    keys: async () => (await import('./keys.ts')).keysCommand,
    members: async () => (await import('./members.ts')).membersCommand,
    organization: async () => (await import('./organization.ts')).organizationCommand,
    audit: async () => (await import('./audit.ts')).auditCommand,
    'checkout-hosts': async () => (await import('./checkout-hosts.ts')).checkoutHostsCommand,
    export: async () => (await import('./export.ts')).exportCommand,
    explain: async () => (await import('./explain.ts')).explainCommand,
    diff: async () => (await import('./diff.ts')).diffCommand,
    rebuild: async () => (await import('./rebuild.ts')).rebuildCommand,
    backup: async () => (await import('./backup.ts')).backupCommand,
    restore: async () => (await import('./restore.ts')).restoreCommand,
    check: async () => (await import('./check.ts')).checkCommand,
    worker: async () => (await import('./worker.ts')).workerCommand,
    waitlist: async () => (await import('./waitlist.ts')).waitlistCommand,
    jobs: async () => (await import('./jobs.ts')).jobsCommand,
    login: async () => (await import('./login.ts')).loginCommand,
    whoami: async () => (await import('./whoami.ts')).whoamiCommand,
    api: async () => (await import('./api.ts')).apiCommand,
    mcp: async () => (await import('./mcp.ts')).mcpCommand,
    init: async () => (await import('./init.ts')).initCommand,
    logout: async () => (await import('./logout.ts')).logoutCommand,
    stay: async () => (await import('./stay.ts')).stayCommand,
    stop: async () => (await import('./stay.ts')).stopCommand,
    job: async () => (await import('./job.ts')).jobCommand,
  }),
);

/** Exit codes: 0 done, 1 failed, 2 used wrongly. */
const usedWrongly = 2;

const io = terminalIo();

try {
  const config = readConfig();
  const program = new Command('repo-intel')
    .description(
      'Reads git repositories, their source and history, and answers over HTTP: code graph, search, due diligence and tasks for coding agents.',
    )
    .version(packageJson.version)
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      '\nStart here:\n  $ repo-intel up ~/src/my-project\n  $ cd ~/src/my-project && repo-intel callers main\n\nSettings come from the environment: PORT, HOST, DATA_DIR and more; see docs/settings.md.',
    );
  // The one that is asked for needs none of what the others import, which takes longer to load than many a command to run.
  const asked = commands.get(process.argv[2] ?? '');
  for (const load of asked ? [asked] : commands.values()) program.addCommand((await load())(config, io));
  if (!asked) {
    const { askCommands } = await import('./ask.ts');
    const ask = async (question: unknown) => {
      const { askHolder } = await import('./ask-holder.ts');
      process.exitCode = (await askHolder(config, 'ask', question, io)) as number;
    };
    for (const command of askCommands({ ...config, folder: process.cwd() }, ask)) program.addCommand(command);
  }
  configure(program, 'repo-intel');
  await program.parseAsync();
} catch (error) {
  io.done();
  process.exitCode = exitCodeOf(error);
}

function configure(command: Command, name: string): void {
  command.exitOverride().showHelpAfterError(`(${name} --help shows what it takes)`);
  for (const each of command.commands) configure(each, `${name} ${each.name()}`);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usedWrongly;
  io.say(`repo-intel: ${error instanceof Error ? error.message : String(error)}`);
  return error instanceof ConfigError ? usedWrongly : 1;
}
