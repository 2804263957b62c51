import { metricCatalog } from '../model/due-diligence.ts';
import type { Evidence, Metric } from '../model/due-diligence.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { architectureSection } from './report-architecture.ts';
import { dimensionBars, gradeMark, rangeBars, trendChart } from './report-charts.ts';
import type { AboutPopulation, Rank } from './population/ranks.ts';
import type { Assessment } from './assess.ts';
import type { RepositoryReport } from './report.ts';
import { htmlPage } from './report-page.ts';
import { table } from './report-table.ts';
import {
  changeWords,
  costWords,
  gapsOf,
  horizonWords,
  hourWords,
  hoursWords,
  leftOutWords,
  metricName,
  nowWords,
  numberWords,
  percentWords,
  rankWords,
  reasonWords,
  scenarioWords,
  targetsOf,
  titleOf,
  valueWords,
} from './report-words.ts';
import { dimensions, grades, meanExponent, overallGrades, ranges } from './scoring-model.ts';
import { summaryOf } from './summary.ts';
import { isShownAlike, standingNow } from './trend.ts';
import { coverageOf, factorOf } from './wire.ts';

/** A page for the browser and the printer: two sheets of A4 for who decides, then the annex. */
export function reportHtml(report: RepositoryReport): string {
  const { repo, as_of_commit, committed_at, assessment } = report;
  const summary = summaryOf(assessment, report.trend);
  const hasTrend = report.trend.length > 0;
  return htmlPage(
    `Due diligence: ${repo}`,
    html`<header>
        <p>Due diligence</p>
        <h1><bdi>${repo}</bdi></h1>
        <p>
          ${as_of_commit === null ? 'A folder without history' : html`Commit <code>${as_of_commit.slice(0, 12)}</code>`}${committed_at === null ? '' : ` of ${committed_at.slice(0, 10)}`},
          ${assessment.as_of === null ? '' : `as of ${assessment.as_of}, `}model ${assessment.model_version}
        </p>
      </header>
      <main>
        <div class="page">
          ${verdictSection(report, summary)} ${highlightSection(summary)}
          ${hasTrend ? trendSection(report) : dimensionSection(report)}
        </div>
        <div class="page">
          ${hasTrend ? dimensionSection(report) : ''} ${costSection(report)} ${scopeSection(report)}
        </div>
        <p class="annex">Annex</p>
        ${movesSection(report)} ${recommendationSection(report, summary)} ${scenarioSection(report)}
        ${factorSection(report)} ${metricSection(report)} ${architectureSection(report)} ${gapSection(report)}
        ${leftOutSection(report)} ${methodSection(report)}
      </main>`,
  );
}

type Summary = ReturnType<typeof summaryOf>;

function verdictSection({ assessment }: RepositoryReport, { verdict }: Summary): Html {
  const { grade, score, confidence } = assessment;
  return html`<section class="overall">
    ${gradeMark(grade)}
    <div>
      ${verdict.map((sentence) => html`<p>${sentence}</p>`)}
      <p>
        <small
          >${score === null ? 'Nothing could be measured' : html`Score ${numberWords(score)} of 100`},
          ${percentWords(confidence)} of the weight measured${grade === null ? ': too little for a grade' : ''}</small
        >
      </p>
    </div>
  </section>`;
}

function highlightSection({ key_risks, strengths }: Summary): Html {
  const list = (items: Summary['key_risks'], withCost: boolean) =>
    items.length === 0
      ? html`<p>None of what was measured.</p>`
      : html`<ol>
          ${items.map(
            (each) =>
              html`<li>
                ${gradeMark(each.grade)} <strong>${each.title}</strong>, ${numberWords(each.score)} of 100.
                ${each.sentence}.${withCost && each.hours ? ` ${sentenceCase(hoursWords({ hours: each.hours }))}.` : ''}
              </li>`,
          )}
        </ol>`;
  return html`<section class="summary">
    <div>
      <h2>Key risks</h2>
      ${list(key_risks, true)}
    </div>
    <div>
      <h2>Strengths</h2>
      ${list(strengths, false)}
    </div>
  </section>`;
}

function dimensionSection({ assessment }: RepositoryReport): Html {
  return html`<section>
    <h2>Dimensions</h2>
    ${dimensionBars(assessment)}
    <p>
      Of 100; the mark at 75 is what published standards ask
      for${assessment.ranks ? '; better than so many public repositories' : ''}.
    </p>
  </section>`;
}

function trendSection({ trend, assessment }: RepositoryReport): Html {
  const last = trend.at(-1);
  const now = standingNow(assessment, trend);
  return html`<section>
    <h2>Trend</h2>
    ${trendChart(now === null ? trend : [...trend, now])}
    <p>
      The first commit of each quarter, measured as the last is.
      ${now && last && !isShownAlike(now, last) ? nowWords(now, last) : 'Each point is graded as of its own day.'}
    </p>
  </section>`;
}

function movesSection({ trend }: RepositoryReport): Html {
  if (trend.length === 0) return html``;
  return html`<section>
    <h2>What moved the score</h2>
    ${table(
      ['Day', 'Grade', 'Score', 'What moved'],
      trend
        .toReversed()
        .map(({ as_of, grade, score, changes }) => [
          html`<span class="day">${as_of}</span>`,
          gradeMark(grade),
          score === null ? '–' : numberWords(score),
          changes.map((change) => html`<p>${changeWords(change)}.</p>`),
        ]),
    )}
  </section>`;
}

function costSection({ assessment: { remediation, factors } }: RepositoryReport): Html {
  return html`<section>
    <h2>What it costs to put right</h2>
    <p>
      <strong>${hoursWords(remediation)}</strong>: ${costWords(remediation)}, at ${remediation.currency}
      ${numberWords(remediation.hourly_rate)} an hour. An estimate by rules, not an offer.
    </p>
    ${rangeBars(remediation.by_dimension)}
    <h3>What it takes</h3>
    ${table(
      ['', 'Hours', 'Cost', ''],
      remediation.scenarios.map((scenario) => {
        const { title, hours, cost, notes } = scenarioWords(scenario, remediation.currency, factorTitle(factors));
        return [title, hours, cost, notes];
      }),
    )}
  </section>`;
}

const factorTitle = (factors: Assessment['factors']) => (id: string) =>
  factors.find(({ definition }) => definition.id === id)?.definition.title ?? titleOf(id);

/** Of each scenario how its hours come about, and where they are from; and up to a grade in each dimension. */
function scenarioSection({ assessment: { remediation, factors } }: RepositoryReport): Html {
  return html`<section>
    <h2>How the costs come about</h2>
    ${remediation.scenarios.map((scenario) => {
      const { title } = scenarioWords(scenario, remediation.currency, factorTitle(factors));
      return html`<h3>${title}</h3>
        <p>${scenario.rule}</p>
        ${
          scenario.parts.length === 0
            ? ''
            : table(
                ['What', 'Hours', 'Source of the hours'],
                scenario.parts.map(({ id, hours, sources }) => [
                  factorTitle(factors)(id),
                  hoursWords({ hours }),
                  sources.join('; '),
                ]),
              )
        }`;
    })}
    <h3>Up to a grade in each dimension</h3>
    ${table(
      ['Grade', 'Hours', 'Does not suffice for'],
      targetsOf(remediation).map(({ grade, hours, isFree, outOfReach }) => [
        gradeMark(grade),
        isFree ? 'none' : hours,
        outOfReach.join(', '),
      ]),
    )}
  </section>`;
}

/** What the figures are of, and what they are not of. */
function scopeSection({
  as_of_commit,
  committed_at,
  assessment,
  details: { left_out: leftOut = [] },
}: RepositoryReport): Html {
  const { measured, not_applicable: moot, not_measured: unknown } = coverageOf(assessment.matrix);
  const lines = leftOut.reduce((sum, each) => sum + (each.lines ?? 0), 0);
  const counted = assessment.matrix.find(({ id }) => id === 'loc_code')?.value ?? null;
  const gaps = gapsOf(assessment.matrix).filter(({ reason }) => reason !== null);
  return html`<section>
    <h2>What was looked at</h2>
    <p>
      ${as_of_commit === null ? 'A folder without history' : html`Commit <code>${as_of_commit.slice(0, 12)}</code>`}${committed_at === null ? '' : ` of ${committed_at.slice(0, 10)}`}${assessment.as_of === null ? '' : `, with ages counted to ${assessment.as_of}`}${counted === null ? '' : `; ${numberWords(counted)} lines of code`}.
      ${leftOut.length === 0 ? 'No source was left out.' : `${numberWords(lines)} lines of source are in no figure about code (annex).`}
      ${measured} of ${metricCatalog.length} metrics were measured, ${moot} ${moot === 1 ? 'does' : 'do'} not apply,
      ${unknown} could not be
      measured${gaps.length === 0 ? '.' : ': '}${gaps.map(({ reason, names }) => `${names.join(', ')} (${reason})`).join('; ')}${gaps.length === 0 ? '' : '.'}
    </p>
  </section>`;
}

function recommendationSection({ assessment: { remediation } }: RepositoryReport, { recommendations }: Summary): Html {
  const horizons = Object.keys(horizonWords) as (keyof typeof horizonWords)[];
  return html`<section>
    <h2>What to do</h2>
    <p>The hours are of all findings; what is listed scores less than the target.</p>
    ${horizons.map(
      (horizon) =>
        html`<h3>${horizonWords[horizon]}: ${hourWords(remediation.by_horizon[horizon])} hours</h3>
          ${
            recommendations[horizon].length === 0
              ? html`<p>Nothing of what was measured.</p>`
              : html`<ul>
                  ${recommendations[horizon].map(
                    ({ title, recommendation, hours }) =>
                      html`<li>
                        <strong>${title}</strong>:
                        ${recommendation}${hours === null ? '' : ` ${hoursWords({ hours })}.`}
                      </li>`,
                  )}
                </ul>`
          }`,
    )}
  </section>`;
}

function factorSection({ assessment }: RepositoryReport): Html {
  return html`<section>
    <h2>Factors</h2>
    ${table(
      ['Factor', 'Dimension', 'Risk', 'Grade', 'Score', 'Percentile', 'Made from'],
      assessment.factors.map((factor) => {
        const { title, dimension, risk, grade, score, rank, inputs, reason } = factorOf(factor, assessment);
        return [
          title,
          titleOf(dimension),
          risk,
          gradeMark(grade ?? null),
          score === null ? '–' : numberWords(score),
          percentileCell(rank),
          reason
            ? reasonWords[reason]
            : inputs.map((input) => `${metricName(input.id)}: ${valueWords(input) ?? 'not known'}`).join('; '),
        ];
      }),
    )}
  </section>`;
}

/** Of how many, and which, is said where one points at it. */
const percentileCell = (rank: Rank | null) =>
  rank === null ? '–' : html`<span title="${rankWords(rank)}">${numberWords(rank.percentile)}</span>`;

function metricSection({ assessment }: RepositoryReport): Html {
  const groups = Map.groupBy(
    assessment.matrix,
    ({ id }) => metricCatalog.find((metric) => metric.id === id)?.group ?? '',
  );
  return html`<section>
    <h2>All metrics, with their evidence</h2>
    ${Array.from(
      groups,
      ([group, metrics]) =>
        html`<h3>${titleOf(group)}</h3>
          ${metrics.map((metric) => metricBlock(metric, rankWords(assessment.ranks?.metrics.get(metric.id))))}`,
    )}
  </section>`;
}

function metricBlock(metric: Metric, rank: string | null): Html {
  const { id, reason, numerator, denominator, evidence, evidence_count, method_version } = metric;
  const value = valueWords(metric) ?? (reason ? reasonWords[reason] : '');
  const parts =
    numerator === null || denominator === null ? '' : `${numberWords(numerator)} of ${numberWords(denominator)}, `;
  const line = html`<span>${metricName(id)}</span> <strong>${value}</strong>
    <small>${rank === null ? '' : `${rank}, `}${parts}${method_version}</small>`;
  if (evidence.length === 0) return html`<p class="metric">${line}</p>`;
  return html`<details class="metric">
    <summary>${line}</summary>
    ${evidence.length < evidence_count ? html`<p>The first ${evidence.length} of ${numberWords(evidence_count)}.</p>` : ''}
    ${table(
      ['Place', 'What'],
      evidence.map((each) => [placeOf(each), (each.note ?? '') + wayWords(each)]),
    )}
  </details>`;
}

function wayWords({ steps, way }: Evidence): string {
  if (way) return `, by ${way.map(({ path, line }) => `${path}:${line}`).join(', ')}`;
  return steps ? `, by lines ${steps.join(', ')}` : '';
}

function placeOf({ path, line, commit }: Evidence): Html {
  const place = path === null ? (commit?.slice(0, 12) ?? '') : `${path}${line === null ? '' : `:${line}`}`;
  return place === '' ? html`` : html`<code><bdi>${place}</bdi></code>`;
}

function gapSection({ assessment }: RepositoryReport): Html {
  const { measured, not_applicable: moot, not_measured: unknown } = coverageOf(assessment.matrix);
  return html`<section>
    <h2>What is not known</h2>
    <p>
      ${measured} of ${metricCatalog.length} metrics were measured, ${moot} ${moot === 1 ? 'does' : 'do'} not apply,
      ${unknown} could not be measured. None of these counts as 0.
    </p>
    ${table(
      ['Why', 'Metrics'],
      gapsOf(assessment.matrix).map(({ reason, names }) => [
        reason === null ? 'Does not apply here' : `Not known: ${reason}`,
        names.join(', '),
      ]),
    )}
  </section>`;
}

function leftOutSection({ details: { left_out: leftOut = [] } }: RepositoryReport): Html {
  return html`<section>
    <h2>Code that no figure counts</h2>
    ${
      leftOut.length === 0
        ? html`<p>None: all source was measured.</p>`
        : html`<p>Secrets and insecure code are looked for in it all the same.</p>
            ${table(
              ['Why', 'Lines', 'Files', 'The largest'],
              leftOut.map((each) => [
                leftOutWords(each),
                each.lines === null ? 'not known' : numberWords(each.lines),
                numberWords(each.files),
                html`${each.largest.map((path) => html`<code><bdi>${path}</bdi></code> `)}`,
              ]),
            )}`
    }
  </section>`;
}

const scaleWords = (scale: typeof grades | typeof overallGrades) =>
  scale.map(({ grade, least }) => `${grade} from ${least}`).join(', ');

const populationWords = ({ name, repositories, measured_on, digest }: AboutPopulation) =>
  `Percentiles are of the population ${name}: ${repositories} repositories measured until ${measured_on} (SHA-256 ${digest.slice(0, 12)}…). 100 is best: the share that is worse, and half of those that are equal; of what is not scored, the share that is smaller.`;

function methodSection({ assessment }: RepositoryReport): Html {
  const { assumptions, not_costed, replacement_value, model_version } = assessment.remediation;
  const notCosted = assessment.factors.flatMap(({ definition, reason }) =>
    not_costed.some((gap) => gap.startsWith(`${definition.id}:`)) && reason !== null
      ? [`${definition.title} (${reasonWords[reason]})`]
      : [],
  );
  return html`<section>
    <h2>How it was measured</h2>
    <p>
      Each factor is scored from 0 to 100; 75 is what a published standard asks for. A dimension is the weighted power
      mean of its factors (exponent ${meanExponent}), so that one good property can't hide the rest; the whole is that
      of the dimensions, weighted ${dimensions.map(({ id, weight }) => `${titleOf(id)} ${weight}`).join(', ')}. Grades
      of dimensions and factors: ${scaleWords(grades)}. Of the whole, by the reference population:
      ${scaleWords(overallGrades)}. The same commit gives the same report.
    </p>
    ${assessment.ranks ? html`<p>${populationWords(assessment.ranks.population)}</p>` : ''}
    <p>
      Costs (${model_version}): minutes for each finding; from ${ranges.usual.low} to ${ranges.usual.high} times the
      likely ones, ${ranges.wide.low} to ${ranges.wide.high} times where an input is a proxy or little was
      measured.${replacement_value === null ? '' : ` As an order of magnitude only, writing all of it anew is ${numberWords(replacement_value.person_months)} person-months (Basic COCOMO).`}
    </p>
    ${notCosted.length === 0 ? '' : html`<p>Not in the costs: ${notCosted.join(', ')}.</p>`}
    <details>
      <summary>Minutes that were assumed</summary>
      ${table(
        ['Finding', 'Minutes', 'Source'],
        assumptions
          .filter(({ id }) => id.endsWith('_minutes'))
          .map(({ id, value, source }) => [titleOf(id.replace(/_minutes$/, '')), value, source]),
      )}
    </details>
  </section>`;
}

const sentenceCase = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
