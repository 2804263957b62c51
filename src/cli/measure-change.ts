import { join } from 'node:path';
import { changeOf } from '../../loaders/change/change-of.ts';
import type { ChangeOptions, ComparedCommits } from '../../loaders/change/change-of.ts';
import { openVulnerabilityDatabase } from '../../loaders/vulnerabilities/vulnerability-database.ts';
import type { Config } from '../config.ts';
import { compareReports } from '../due-diligence/compare-reports.ts';
import { openPopulation } from '../due-diligence/population/population.ts';
import { reportOf } from '../due-diligence/report.ts';
import { dayOf } from '../due-diligence/standing.ts';

/** A change with what due diligence says of both commits. Ages are counted to the day of the later one, so that the same two always give the same. */
export async function measureChange(
  config: Config,
  folder: string,
  range: string,
  options: Pick<ChangeOptions, 'name' | 'onProgress' | 'workingTree'>,
): Promise<ComparedCommits & { reports: { before: ReturnType<typeof reportOf>; after: ReturnType<typeof reportOf> } }> {
  const { remediationRate: rate, referencePopulation } = config;
  const compared = await changeOf(folder, range, {
    ...options,
    cacheFile: join(config.dataDir, 'cache', 'facts.sqlite'),
    vulnerabilities: await openVulnerabilityDatabase(config.vulnerabilityDb),
  });
  const { change, before, after } = compared;
  const day = dayOf(after.info.committed_at ?? undefined);
  const population = openPopulation(referencePopulation);
  const of = ({ measured }: typeof before) => reportOf(measured, { rate, population }, day);
  const reports = { before: of(before), after: of(after) };
  const diligence = compareReports(reports.before, reports.after, change.files.items);
  return { ...compared, change: { ...change, diligence }, reports };
}
