import type { styleText } from 'node:util';
import { plain } from '../model/plain.ts';
import { licencesOf } from './licences.ts';
import type { RepositoryReport } from './report.ts';
import {
  changeWords,
  costWords,
  gapsOf,
  hoursWords,
  hourWords,
  horizonWords,
  leftOutWords,
  licenceWords,
  nowWords,
  numberWords,
  percentWords,
  rankWords,
  scenarioWords,
  targetsOf,
  titleOf,
} from './report-words.ts';
import type { Grade } from './scoring-model.ts';
import { summaryOf } from './summary.ts';
import { isShownAlike, standingNow } from './trend.ts';
import { coverageOf, dimensionsOf } from './wire.ts';

type Style = Parameters<typeof styleText>[0];
/** Colours a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

const gradeStyles: Record<Grade, Style> = { A: 'green', B: 'green', C: 'yellow', D: 'red', E: 'red' };

/** The report for a terminal of 80 columns. */
export function reportText(
  {
    repo,
    as_of_commit,
    committed_at,
    assessment,
    details: { left_out: leftOut = [], supply },
    trend,
  }: RepositoryReport,
  paint: Paint,
): string {
  const { key_risks, strengths, recommendations, remediation } = summaryOf(assessment);
  const now = standingNow(assessment, trend);
  const last = trend.at(-1);
  const heading = (text: string) => ['', paint('bold', text)];
  const graded = (grade: Grade | null) => (grade === null ? paint('dim', '–') : paint(gradeStyles[grade], grade));
  // Rounded down, so that what is shown as 60 is a B.
  const score = (value: number | null) => (value === null ? '–' : numberWords(Math.floor(value)));
  const bar = (value: number | null, grade: Grade | null) => {
    const full = Math.round((value ?? 0) / 4);
    return `${paint(grade === null ? 'dim' : gradeStyles[grade], '█'.repeat(full))}${paint('dim', '░'.repeat(25 - full))}`;
  };
  const share = (confidence: number) => `${percentWords(confidence)} measured`;
  const recommended = (id: string) =>
    Object.values(recommendations)
      .flat()
      .find((each) => each.factor_id === id)?.recommendation;
  const coverage = coverageOf(assessment.matrix);

  return [
    `${paint('bold', plain(repo))}${as_of_commit === null ? '' : ` at ${as_of_commit.slice(0, 10)}`}${committed_at === null ? '' : ` of ${committed_at.slice(0, 10)}`}${assessment.as_of === null ? '' : `, as of ${assessment.as_of}`}`,
    '',
    assessment.grade === null
      ? `Not graded: too little could be measured (${share(assessment.confidence)}); score ${score(assessment.score)} of 100`
      : `Grade ${paint('bold', graded(assessment.grade))}, score ${score(assessment.score)} of 100 (${share(assessment.confidence)})`,
    ...(assessment.ranks?.overall
      ? [`${rankWords(assessment.ranks.overall)}, population ${assessment.ranks.population.name}`]
      : []),
    ...(assessment.capped_by === null ? [] : [paint('dim', `capped by ${assessment.capped_by}`)]),
    '',
    ...dimensionsOf(assessment).flatMap(({ id, score: value, grade, confidence, capped_by, rank }) => [
      `  ${titleOf(id).padEnd(16)} ${bar(value, grade)} ${score(value).padStart(3)} ${graded(grade)}  ${paint('dim', `${share(confidence)}${rank ? `, percentile ${numberWords(Math.round(rank.percentile))}` : ''}`)}`,
      ...(capped_by === null ? [] : [paint('dim', `${' '.repeat(19)}capped by ${capped_by}`)]),
    ]),
    ...heading('Key risks'),
    ...key_risks.flatMap(({ factor_id, title, sentence, score: value }, index) => [
      ...wrap(`${index + 1}. ${title}, ${numberWords(Math.round(value))} of 100. ${sentence}.`, '  ', '     '),
      ...wrap(recommended(factor_id) ?? '', '     ').map((line) => paint('dim', line)),
    ]),
    ...(key_risks.length === 0 ? ['  None of what was measured.'] : []),
    ...heading('Strengths'),
    ...strengths.flatMap(({ title, sentence, score: value }) =>
      wrap(`+ ${title}, ${numberWords(Math.round(value))} of 100. ${sentence}.`, '  ', '    '),
    ),
    ...(strengths.length === 0 ? ['  None of what was measured.'] : []),
    ...(trend.length === 0 ? [] : heading('Trend')),
    ...trend.flatMap(({ as_of, score: value, grade, changes }) => [
      `  ${as_of}  ${bar(value, grade)} ${score(value).padStart(3)} ${graded(grade)}`,
      ...changes.flatMap((change) => wrap(changeWords(change), '              ').map((line) => paint('dim', line))),
    ]),
    ...(now && last && !isShownAlike(now, last) ? wrap(nowWords(now, last), '  ') : []),
    ...(supply === undefined || supply.packages.length === 0
      ? []
      : [...heading('Packages of others'), ...wrap(licenceWords(licencesOf(supply)), '  ')]),
    ...heading('Cost of putting it right'),
    `  ${hoursWords(remediation)}`,
    `  ${costWords(remediation)} (${remediation.currency} ${numberWords(remediation.hourly_rate)} an hour)`,
    ...(Object.keys(horizonWords) as (keyof typeof horizonWords)[]).map(
      (horizon) => `  ${horizonWords[horizon].padEnd(17)} ${hourWords(remediation.by_horizon[horizon])} h`,
    ),
    ...remediation.scenarios.flatMap((scenario) => {
      const title = (id: string) =>
        assessment.factors.find(({ definition }) => definition.id === id)?.definition.title ?? titleOf(id);
      const said = scenarioWords(scenario, remediation.currency, title);
      return wrap(`${said.title}: ${said.hours}${said.notes === '' ? '' : `; ${said.notes}`}`, '  ', '    ');
    }),
    ...targetsOf(remediation).flatMap(({ grade, hours, isFree, outOfReach }) =>
      wrap(
        `${grade} in each dimension: ${isFree ? 'no more work' : hours}${outOfReach.length === 0 ? '' : `, which does not suffice for ${outOfReach.join(', ')}`}`,
        '  ',
        '    ',
      ),
    ),
    ...heading(
      `Not measured: ${coverage.not_measured + coverage.not_applicable} of ${assessment.matrix.length} metrics`,
    ),
    ...gapsOf(assessment.matrix).flatMap(({ reason, names }) =>
      wrap(`${reason === null ? 'does not apply here' : `not known, as ${reason}`}: ${names.join(', ')}`, '  ', '    '),
    ),
    ...(leftOut.length === 0 ? [] : heading('Code that no figure counts')),
    ...leftOut.flatMap((each) =>
      wrap(
        each.lines === null
          ? `${counted(each.files, each.rule)}: ${leftOutWords(each)}`
          : `${counted(each.lines, 'line')} in ${counted(each.files, 'file')}: ${leftOutWords(each)}`,
        '  ',
        '    ',
      ),
    ),
    '',
  ].join('\n');
}

const counted = (count: number, what: string) => `${numberWords(count)} ${what}${count === 1 ? '' : 's'}`;

/** Lines of at most 80 columns. */
export function wrap(text: string, first: string, rest = first): string[] {
  const lines: string[] = [];
  let line = first;
  for (const word of plain(text)
    .split(' ')
    .filter((each) => each !== '')) {
    const isNew = line === first || line === rest;
    if (!isNew && line.length + 1 + word.length > 80) {
      lines.push(line);
      line = rest + word;
    } else line += isNew ? word : ` ${word}`;
  }
  return text === '' ? [] : [...lines, line];
}
