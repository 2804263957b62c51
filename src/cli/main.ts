import './webassembly.js';
import { Command, CommanderError } from 'commander';
import { ConfigError, readConfig } from '../config.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { addCommand } from './add.ts';
import { analyzeCommand } from './analyze.ts';
import { apiCommand } from './api.ts';
import { askHolder } from './ask-holder.ts';
import { askCommands } from './ask.ts';
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup.ts';
import { benchmarkCommand } from './benchmark.ts';
import { checkCommand } from './check.ts';
import { checkoutHostsCommand } from './checkout-hosts.ts';
import { diffCommand } from './diff.ts';
import { explainCommand } from './explain.ts';
import { exportCommand } from './export.ts';
import { initCommand } from './init.ts';
import { terminalIo } from './io.ts';
import { jobCommand } from './job.ts';
import { jobsCommand } from './jobs.ts';
import { keysCommand } from './keys.ts';
import { listCommand } from './list.ts';
import { loadCommand } from './load.ts';
import { mcpCommand } from './mcp.ts';
import { membersCommand } from './members.ts';
import { organizationCommand } from './organization.ts';
import { loginCommand } from './login.ts';
import { logoutCommand } from './logout.ts';
import { populationCommand } from './population.ts';
import { rebuildCommand } from './rebuild.ts';
import { removeCommand } from './remove.ts';
import { reportCommand } from './report.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { shareCommand, unshareCommand } from './share.ts';
import { sourcesCommand } from './sources.ts';
import { stayCommand, stopCommand } from './stay.ts';
import { upCommand } from './up.ts';
import { whoamiCommand } from './whoami.ts';
import { waitlistCommand } from './waitlist.ts';
import { workerCommand } from './worker.ts';

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
  for (const command of [
    upCommand,
    serveCommand,
    loadCommand,
    addCommand,
    sourcesCommand,
    analyzeCommand,
    reportCommand,
    populationCommand,
    benchmarkCommand,
    listCommand,
    removeCommand,
    shareCommand,
    unshareCommand,
    keysCommand,
    membersCommand,
    organizationCommand,
    auditCommand,
    checkoutHostsCommand,
    exportCommand,
    explainCommand,
    diffCommand,
    rebuildCommand,
    backupCommand,
    restoreCommand,
    checkCommand,
    workerCommand,
    waitlistCommand,
    jobsCommand,
    loginCommand,
    whoamiCommand,
    apiCommand,
    mcpCommand,
    initCommand,
    logoutCommand,
    stayCommand,
    stopCommand,
    jobCommand,
  ]) {
    program.addCommand(command(config, io));
  }
  const ask = async (question: unknown) => {
    process.exitCode = (await askHolder(config, 'ask', question, io)) as number;
  };
  for (const command of askCommands({ ...config, folder: process.cwd() }, ask)) program.addCommand(command);
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
