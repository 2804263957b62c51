import { writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { Unread } from '../due-diligence/portfolio-report.ts';
import { dayOf } from '../due-diligence/standing.ts';
import type { MeasuredRepository } from '../model/snapshot.ts';
import type { Io } from './io.ts';
import { paint } from './io.ts';
import { mustBeWritable } from './must-be-writable.ts';
import { asJson, judge } from './report.ts';
import type { Options } from './report.ts';

/** Reports several repositories as one portfolio. One that can't be read is named, and the exit code is 1; the others are reported. */
export async function reportPortfolio(
  paths: readonly string[],
  options: Options,
  config: Config,
  io: Io,
): Promise<void> {
  if (options.html !== undefined) await mustBeWritable(options.html);
  const { measured, unread } = await measureAll(paths, options, config, io);
  if (measured.length === 0) throw new Error('None of these paths could be read.');
  const { openPopulation } = await import('../due-diligence/population/population.ts');
  const { portfolioJson, portfolioReportOf, redactedPortfolio } = await import('../due-diligence/portfolio-report.ts');
  const yardstick = { rate: config.remediationRate, population: openPopulation(config.referencePopulation) };
  const report = portfolioReportOf(
    options.redact ? redactedPortfolio(measured) : measured,
    yardstick,
    options.asOf ?? dayOf(),
    options.redact ? unread.map(({ path }) => ({ path: basename(path), why: 'it could not be read' })) : unread,
  );
  if (options.html !== undefined) {
    await writeFile(options.html, (await import('../due-diligence/portfolio-report-html.ts')).portfolioHtml(report));
    io.say(`Written: ${options.html}`);
  }
  if (options.json) await io.out(asJson(portfolioJson(report)));
  else await io.out((await import('../due-diligence/portfolio-report-text.ts')).portfolioText(report, paint));
  if (unread.length > 0) process.exitCode = 1;
  judge(report.assessment, options.failUnder, io);
}

async function measureAll(paths: readonly string[], { asOf }: Options, config: Config, io: Io) {
  const { ExtractionPool, startThreads } = await import('../../loaders/extraction/pool.ts');
  const { measure } = await import('../../loaders/measure.ts');
  const { SnapshotError } = await import('../../loaders/snapshot/snapshot-error.ts');
  const { openVulnerabilityDatabase } = await import('../../loaders/vulnerabilities/vulnerability-database.ts');
  const vulnerabilities = await openVulnerabilityDatabase(config.vulnerabilityDb);
  const measured: MeasuredRepository[] = [];
  const unread: Unread[] = [];
  startThreads();
  const pool = new ExtractionPool();
  try {
    for (const [path, name] of namesOf(paths)) {
      try {
        const one = await measure(path, {
          name,
          pool,
          vulnerabilities,
          ...(asOf === undefined ? {} : { asOf }),
          onProgress: (progress) => io.progress(progress),
        });
        measured.push(one);
        for (const warning of one.repository.warnings) io.say(`${name}: ${warning}`);
      } catch (error) {
        if (!(error instanceof SnapshotError)) throw error;
        unread.push({ path, why: error.message });
        io.say(`${name} is left out: ${error.message}`);
      }
    }
  } finally {
    await pool.close();
  }
  io.done();
  return { measured, unread };
}

/** Each path once, by the name of its folder; of folders of one name, with the folder around it. */
function namesOf(paths: readonly string[]): Map<string, string> {
  const all = [...new Set(paths.map((path) => resolve(path.replace(/\/\.git\/?$/, ''))))];
  const ownOf = (path: string) => basename(path).replace(/\.git$/, '') || path;
  return new Map(
    all.map((path) => {
      const isAlone = all.filter((other) => ownOf(other) === ownOf(path)).length === 1;
      return [path, isAlone ? ownOf(path) : `${basename(dirname(path))}/${ownOf(path)}`];
    }),
  );
}
