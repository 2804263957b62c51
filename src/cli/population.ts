import { basename } from 'node:path';
import { Command } from 'commander';
import type { MeasuredRepository } from '../model/snapshot.ts';
import type { Config } from '../config.ts';
import {
  openPopulationFile,
  withMember,
  withoutMember,
  writePopulation,
} from '../due-diligence/population/population-file.ts';
import { dayOf } from '../due-diligence/standing.ts';
import type { Io } from './io.ts';
import { readDay } from './read-day.ts';

interface Options {
  name?: string;
  asOf?: string;
}

export function populationCommand(config: Config, io: Io): Command {
  return new Command('population')
    .description('measure repositories to compare others with: their figures in a file, without source')
    .argument('<file>', 'the population, JSON; repositories are added where it is there')
    .argument('<path...>', 'folders with .git, or clones without a work tree')
    .option('--name <name>', 'name of the one repository (default: of its folder)')
    .option('--as-of <date>', 'the UTC day to which ages are counted, 2026-11-23 (default: today)', readDay)
    .addHelpText('after', examples)
    .action(async (file: string, paths: readonly string[], options: Options, command: Command) => {
      if (options.name !== undefined && paths.length > 1)
        command.error('error: --name is of one repository: name one path', { exitCode: 2 });
      let population = await openPopulationFile(file);
      const { startThreads } = await import('../../loaders/extraction/pool.ts');
      startThreads();
      for (const path of paths) {
        const name = options.name ?? basename(path.replace(/(?:\/\.git)?\/*$/, ''));
        const outcome = await measured(path, { ...options, name }, config, io);
        io.done();
        population =
          typeof outcome === 'string'
            ? withoutMember(population, name, outcome)
            : withMember(population, name, outcome, options.asOf ?? dayOf());
        if (typeof outcome === 'string') io.say(`${name} is left out: ${outcome}`);
        await writePopulation(file, population);
      }
      io.say(`${file}: ${population.repositories.length} repositories, ${population.left_out.length} left out`);
    });
}

/** Or why it does not belong into a population: only what was measured whole can be compared with. */
async function measured(
  path: string,
  options: { name: string; asOf?: string },
  config: Config,
  io: Io,
): Promise<MeasuredRepository | string> {
  const { measure } = await import('../../loaders/measure.ts');
  const { openVulnerabilityDatabase } = await import('../../loaders/vulnerabilities/vulnerability-database.ts');
  try {
    const result = await measure(path, {
      ...options,
      vulnerabilities: await openVulnerabilityDatabase(config.vulnerabilityDb),
      onProgress: (progress) => io.progress(progress),
    });
    const { metrics } = result.measurements;
    if (result.repository.commit === null) return 'it has no history';
    if (metrics.some(({ reason }) => reason === 'shallow_clone')) return 'its history is cut off';
    if (metrics.some(({ id, reason }) => id === 'loc_code' && reason === 'no_source_code'))
      return 'it has no source code';
    return result;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const examples = `
What it is for:
  Percentiles compare a repository with a population of public ones; yours can stand in its
  place: REFERENCE_POPULATION=portfolio.json. One that can't be measured, or whose
  history is cut off, is named with its reason and left out; one that is there already is
  measured anew.

Examples:
  $ repo-intel population portfolio.json ~/src/payments ~/src/ledger
  $ REFERENCE_POPULATION=portfolio.json repo-intel report ~/src/payments`;
