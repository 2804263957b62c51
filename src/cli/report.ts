import { writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import type { Assessment } from '../due-diligence/assess.ts';
import { missedGates, readGate } from '../due-diligence/gate.ts';
import type { Gate } from '../due-diligence/gate.ts';
import { dimensions } from '../due-diligence/scoring-model.ts';
import { dayOf } from '../due-diligence/standing.ts';
import { coverageOption, readCoverage } from './coverage-option.ts';
import { paint } from './io.ts';
import type { Io } from './io.ts';
import { mustBeWritable } from './must-be-writable.ts';
import { readDay } from './read-day.ts';
import { trendOption } from './trend-option.ts';

export interface Options {
  json?: boolean;
  html?: string;
  sarif?: string;
  sbom?: string;
  redact?: boolean;
  failUnder?: readonly Gate[];
  coverage?: readonly string[];
  name?: string;
  ref?: string;
  asOf?: string;
  trend?: number;
  calls?: boolean;
  without?: readonly string[];
}

/** Like a wrong use: a pipeline that asks must not go on. */
const gateMissed = 2;

export function reportCommand(config: Config, io: Io): Command {
  return new Command('report')
    .description(
      'grade one repository or folder, or a portfolio of several, on the spot: due diligence with evidence, offline, nothing is kept',
    )
    .argument('<path...>', 'folder, with or without .git; several are a portfolio')
    .option('--json', 'all of it, as GET /api/dd/deep/{repo} answers (the architecture with --calls), without the run')
    .option('--html <file>', 'write one self-contained page, for a browser or a printer')
    .option('--sarif <file>', 'write the findings with their places, SARIF 2.1.0: for code scanning and editors')
    .option('--sbom <file>', 'write the direct dependencies, CycloneDX 1.6')
    .option('--redact', 'pseudonyms in place of the names of files and people, in everything that is written')
    .option(
      '--fail-under <grade>',
      'exit with 2 when the grade is worse or there is none: B overall, security=B of a dimension; may be repeated',
      addGate,
    )
    .addOption(coverageOption())
    .option('--name <name>', 'name of the repository (default: of the folder)')
    .option('--ref <ref>', 'branch, tag or commit to read (default: HEAD)')
    .option('--as-of <date>', 'the UTC day to which ages are counted, 2026-11-23 (default: today)', readDay)
    .addOption(trendOption())
    .option(
      '--calls',
      'resolve who calls whom for the architecture as well, and find dead code: takes about as long again',
    )
    .option(
      '--without <name...>',
      'people who are thought to leave, by name: what becomes orphaned, and the hours it takes',
    )
    .addHelpText('after', examples)
    .action(async (paths: readonly string[], options: Options, command: Command) => {
      const [path = '.', ...more] = paths;
      if (more.length > 0) {
        const wrong = ofOneOnly.find((name) => options[name] !== undefined);
        if (wrong !== undefined)
          command.error(`error: ${optionName(wrong)} is of one repository: name one path`, { exitCode: 2 });
        const { reportPortfolio } = await import('./report-portfolio.ts');
        await reportPortfolio(paths, options, config, io);
        return;
      }
      const files = [options.html, options.sarif, options.sbom].filter((file) => file !== undefined);
      for (const file of files) await mustBeWritable(file);
      const coverage = await readCoverage(options.coverage);
      const { measure } = await import('../../loaders/measure.ts');
      const measured = await measure(path, {
        ...options,
        ...(options.trend === undefined ? {} : { trendPoints: options.trend }),
        coverage,
        vulnerabilities: await vulnerabilitiesIn(config.vulnerabilityDb),
        onProgress: (progress) => io.progress(progress),
      });
      io.done();
      const { repository } = measured;
      for (const warning of repository.warnings) io.say(`${repository.name}: ${warning}`);

      const { redacted } = await import('../due-diligence/redact.ts');
      const { openPopulation } = await import('../due-diligence/population/population.ts');
      const { reportJson, reportOf } = await import('../due-diligence/report.ts');
      const { peopleNamed } = await import('../due-diligence/people-by-component.ts');
      const leaving = options.without === undefined ? null : peopleNamed(measured.measurements, options.without);
      for (const name of leaving?.unknown ?? [])
        io.say(`${repository.name}: nobody who contributed is called ${JSON.stringify(name)}.`);
      const yardstick = { rate: config.remediationRate, population: openPopulation(config.referencePopulation) };
      const report = reportOf(
        options.redact ? redacted(measured) : measured,
        yardstick,
        options.asOf ?? dayOf(),
        leaving && { ...leaving, unknown: options.redact ? [] : leaving.unknown },
      );
      const write = async (file: string | undefined, make: () => Promise<string>) => {
        if (file === undefined) return;
        await writeFile(file, await make());
        io.say(`Written: ${file}`);
      };
      await write(options.html, async () => (await import('../due-diligence/report-html.ts')).reportHtml(report));
      await write(options.sarif, async () => asJson((await import('../due-diligence/sarif.ts')).sarifOf(report)));
      await write(options.sbom, async () => (await import('../due-diligence/sbom.ts')).sbomOf(report));
      if (options.json) await io.out(asJson(reportJson(report)));
      else await io.out((await import('../due-diligence/report-text.ts')).reportText(report, paint));

      judge(report.assessment, options.failUnder, io);
    });
}

/** Null where no folder is named: then nothing is loaded for it. */
async function vulnerabilitiesIn(folder: string | undefined) {
  if (folder === undefined) return null;
  const { openVulnerabilityDatabase } = await import('../../loaders/vulnerabilities/vulnerability-database.ts');
  return openVulnerabilityDatabase(folder);
}

/** What says nothing of several repositories together. */
const ofOneOnly = ['sarif', 'sbom', 'coverage', 'name', 'ref', 'trend', 'calls', 'without'] as const;
const optionName = (name: string) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Says which gates are missed, and exits so. */
export function judge(assessment: Assessment, gates: readonly Gate[] = [], io: Pick<Io, 'say'>): void {
  const missed = missedGates(assessment, gates);
  for (const sentence of missed) io.say(`Below what is asked for: ${sentence}.`);
  if (missed.length > 0) process.exitCode = gateMissed;
}

function addGate(text: string, gates: readonly Gate[] = []): Gate[] {
  const gate = readGate(text);
  if (gate === null)
    throw new InvalidArgumentError(
      `It is a grade from A to E, alone or after a dimension (${dimensions.map(({ id }) => id).join(', ')}): security=B.`,
    );
  return [...gates, gate];
}

export const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const examples = `
What it says:
  A grade from A to E for seven dimensions and overall, each from 0 to 100: 75 is what
  published standards ask for. Where less than 60 % could be measured there is no grade:
  what is not known is never counted as 0. From the environment it takes what an
  engineer's hour costs (REMEDIATION_HOURLY_RATE, REMEDIATION_CURRENCY) and where
  osv.dev's records are (VULNERABILITY_DB). It asks no network.

Exits with 0 (done), 1 (failed), or 2 (used wrongly, or below --fail-under).

Examples:
  $ repo-intel report ~/src/payments                        # in the terminal
  $ repo-intel report . --html report.html                  # a page with all evidence
  $ repo-intel report . --html report.html --redact         # for readers outside
  $ repo-intel report . --ref v2.1.0 --json | jq .grade     # of another commit
  $ repo-intel report . --as-of 2026-01-31 --json           # the same bytes on any day
  $ repo-intel report . --trend --html report.html          # with its last 24 quarters
  $ repo-intel report . --without 'Ann Author' --html r.html  # what is lost with her
  $ repo-intel report . --fail-under C --fail-under security=B    # a gate in CI
  $ repo-intel report . --coverage coverage/lcov.info       # of a test run
  $ repo-intel report ~/src/* --html all.html               # a portfolio: heat map, shared risks
  $ repo-intel report . --sarif findings.sarif --sbom bom.json    # for other tools`;
