import { Command } from 'commander';
import type { Config } from '../config.ts';
import { coverageOption, readCoverage } from './coverage-option.ts';
import type { Io } from './io.ts';
import { organizationOption } from './organization-option.ts';
import type { OrganizationFlag } from './organization-option.ts';
import { readScip, scipOption } from './scip-option.ts';
import { trendOption } from './trend-option.ts';

interface LoadFlags extends OrganizationFlag {
  name?: string;
  ref?: string;
  json?: boolean;
  enqueue?: boolean;
  coverage?: readonly string[];
  scip?: readonly string[];
  source?: boolean;
  trend?: number | false;
}

export function loadCommand(config: Config, io: Io): Command {
  return new Command('load')
    .description('load repositories or snapshot files; beside a running service it hands the result over to it')
    .argument('<source...>', 'folder, URL, or snapshot file (.jsonl, .jsonl.gz, .jsonl.zst)')
    .option('--name <name>', 'name of the repository in the graph (only with one source)')
    .option('--ref <ref>', 'branch, tag or commit to read (default: HEAD)')
    .addOption(coverageOption())
    .addOption(scipOption())
    .option(
      '--source',
      'keep the text of the files, so that it can be searched and read (default: as at the last load)',
    )
    .option('--no-source', 'keep facts only, not the text of the files')
    .addOption(trendOption())
    .option('--no-trend', 'measure no commit but the one that is loaded (default: as at the last load)')
    .addOption(organizationOption(config))
    .option('--json', 'one JSON line a repository on stdout')
    .option('--enqueue', 'leave the work to the running service, or to the workers on its server (repo-intel worker)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ repo-intel load ~/src/api ~/src/web\n  $ repo-intel load https://example.org/acme/api.git --ref v2.1.0\n  $ repo-intel load payments.jsonl.zst\n  $ repo-intel load ~/src/web --scip ~/src/web/index.scip\n  $ repo-intel load --enqueue https://example.org/acme/api.git',
    )
    .action(async (sources: string[], options: LoadFlags, command: Command) => {
      if (options.name && sources.length > 1) command.error('error: --name goes with one source', { exitCode: 2 });
      for (const option of ['coverage', 'scip'] as const)
        if (options[option] && (sources.length > 1 || options.enqueue))
          command.error(`error: --${option} goes with one source, and not with --enqueue`, { exitCode: 2 });
      if (options.enqueue) {
        const { enqueue } = await import('./enqueue.ts');
        const { name, ref, organization, source: keepSource, trend } = options;
        const named = {
          ...(name === undefined ? {} : { name }),
          ...(ref === undefined ? {} : { ref }),
          ...(organization === undefined ? {} : { organization }),
          ...(keepSource === undefined ? {} : { keep_source: keepSource }),
          ...(trend === undefined ? {} : { trend: trend || 0 }),
        };
        await enqueue(
          config,
          io,
          sources.map((source) => ({ kind: 'load', source, ...named })),
          options,
        );
        return;
      }
      const coverage = await readCoverage(options.coverage);
      const scip = await readScip(options.scip);
      const { openSession } = await import('./session.ts');
      const { loadSources } = await import('./load-sources.ts');
      const session = await openSession(config, io);
      try {
        const outcomes = await loadSources(config, io, session, sources, {
          ...options,
          coverage,
          scip,
          trend: options.trend === false ? 0 : options.trend,
        });
        if (options.json) for (const outcome of outcomes) await io.out(`${JSON.stringify(outcome)}\n`);
        if (outcomes.some((outcome) => outcome.status === 'failed')) process.exitCode = 1;
      } finally {
        await session.close();
      }
    });
}
