import { Command } from 'commander';
import type { Config } from '../config.ts';
import { benchmarkEvaluateCommand } from './benchmark-evaluate.ts';
import { benchmarkExportCommand } from './benchmark-export.ts';
import { benchmarkImportCommand } from './benchmark-import.ts';
import { benchmarkMintCommand } from './benchmark-mint.ts';
import { benchmarkRunCommand } from './benchmark-run.ts';
import { benchmarkValidateCommand } from './benchmark-validate.ts';
import type { Io } from './io.ts';

export function benchmarkCommand(config: Config, io: Io): Command {
  const benchmark = new Command('benchmark').description(
    'tasks for coding agents, made of real fixes and proven by running their tests',
  );
  for (const command of [
    benchmarkMintCommand,
    benchmarkEvaluateCommand,
    benchmarkRunCommand,
    benchmarkExportCommand,
    benchmarkImportCommand,
    benchmarkValidateCommand,
  ])
    benchmark.addCommand(command(config, io));
  return benchmark;
}
