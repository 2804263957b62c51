import { metricCatalog } from '../model/due-diligence.ts';
import { factorCatalog } from './factors/index.ts';
import { Html, html } from './html.ts';
import { portfolioGaps } from './portfolio-report.ts';
import type { PortfolioPart, PortfolioReport } from './portfolio-report.ts';
import { outlierRule, sharedKinds } from './portfolio-words.ts';
import type { Range } from './range.ts';
import { gradeMark } from './report-charts.ts';
import { htmlPage } from './report-page.ts';
import { table } from './report-table.ts';
import { costWords, hourWords, hoursWords, numberWords, percentWords, scenarioWords, titleOf } from './report-words.ts';
import { gradeOf } from './score.ts';
import { dimensions } from './scoring-model.ts';
import { coverageOf } from './wire.ts';

/** What fits on the two pages; the annex has all. */
const onPages = { rows: 22, outliers: 6, shared: 6, costs: 6, gaps: 5 };

/** A page for the browser and the printer: two sheets of A4 for who decides, then the annex. */
export function portfolioHtml(report: PortfolioReport): string {
  const { assessment, repositories } = report;
  const all = html`${repositories.length} repositories`;
  return htmlPage(
    `Due diligence: portfolio of ${repositories.length} repositories`,
    html`<header>
        <p>Due diligence</p>
        <h1>Portfolio</h1>
        <p>
          ${all}, ${assessment.as_of === null ? '' : `as of ${assessment.as_of}, `}model ${assessment.model_version}
        </p>
      </header>
      <main>
        <div class="page">${verdictSection(report)} ${riskSection(report)} ${heatSection(report, onPages.rows)}</div>
        <div class="page">
          ${outlierSection(report, onPages.outliers)} ${sharedSection(report, onPages.shared)} ${costSection(report)}
          ${gapSection(report, onPages.gaps)}
        </div>
        <p class="annex">Annex</p>
        ${repositorySection(report)}
        ${repositories.length > onPages.rows ? heatSection(report, repositories.length) : ''}
        ${report.insights.outliers.length > onPages.outliers ? outlierSection(report, Infinity) : ''}
        ${report.insights.shared_risks.length > 0 ? sharedSection(report, Infinity) : ''}
        ${gapSection(report, Infinity)} ${methodSection(report)}
      </main>`,
  );
}

function verdictSection({ assessment: { grade, score, confidence }, summary }: PortfolioReport): Html {
  return html`<section class="overall">
    ${gradeMark(grade)}
    <div>
      ${summary.verdict.map((sentence) => html`<p>${sentence}</p>`)}
      <p>
        <small
          >${score === null ? 'Nothing could be measured' : html`Score ${numberWords(score)} of 100`},
          ${percentWords(confidence)} of the weight measured</small
        >
      </p>
    </div>
  </section>`;
}

function riskSection({ summary: { key_risks: risks } }: PortfolioReport): Html {
  return html`<section class="risks">
    <h2>Key risks of the whole</h2>
    ${
      risks.length === 0
        ? html`<p>None of what was measured.</p>`
        : html`<ol>
            ${risks.map(
              ({ grade, title, score, sentence, hours }) =>
                html`<li>
                  ${gradeMark(grade)} <strong>${title}</strong>, ${numberWords(score)} of 100. ${sentence}.
                  ${hours === null ? '' : `It takes ${hoursWords({ hours })}.`}
                </li>`,
            )}
          </ol>`
    }
  </section>`;
}

const worstFirst = (repositories: readonly PortfolioPart[]) =>
  repositories.toSorted((a, b) => (a.assessment.score ?? 101) - (b.assessment.score ?? 101));

/** A row a repository, the worst first; a column a factor, under its dimension. */
function heatSection({ repositories, insights: { heat_map: map } }: PortfolioReport, most: number): Html {
  const rows = worstFirst(repositories).slice(0, most);
  const at = new Map(map.columns.map(({ id }, index) => [id, index]));
  const groups = dimensions.map(({ id }) => ({
    id,
    factors: factorCatalog.filter(({ dimension }) => dimension === id),
  }));
  const shown =
    rows.length < repositories.length
      ? `The ${rows.length} worst of ${repositories.length}; all are in the annex. `
      : '';
  return html`<section>
    <h2>Factors by repository</h2>
    <table class="heat">
      <colgroup>
        <col class="name" />
      </colgroup>
      <thead>
        <tr>
          <td></td>
          <td></td>
          ${groups.map(({ id, factors }) => html`<th scope="colgroup" colspan="${factors.length}">${titleOf(id)}</th>`)}
        </tr>
        <tr>
          <th scope="col">Repository</th>
          <th scope="col"><span>Grade</span></th>
          ${groups.flatMap(({ factors }) => factors.map(({ title }, index) => html`<th scope="col" ${begins(index)}><span>${title}</span></th>`))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(({ run, assessment }) => {
          const cells = map.rows.find(({ repo }) => repo === run.repository)?.cells ?? [];
          return html`<tr>
            <th scope="row"><bdi>${run.repository}</bdi></th>
            <td class="${assessment.grade?.toLowerCase() ?? 'unknown'}">${assessment.grade ?? '–'}</td>
            ${groups.flatMap(({ factors }) => factors.map(({ id }, index) => heatCell(cells[at.get(id) ?? -1]?.score ?? null, index)))}
          </tr>`;
        })}
      </tbody>
    </table>
    <p>
      <small>${shown}Scores of 100, coloured as their grades; a dot where it is not known or does not apply.</small>
    </p>
  </section>`;
}

const begins = (index: number) => (index === 0 ? new Html('data-begins') : '');

const heatCell = (score: number | null, index: number) =>
  score === null
    ? html`<td class="unknown" ${begins(index)}>·</td>`
    : html`<td class="${gradeOf(score).toLowerCase()}" ${begins(index)}>${Math.round(score)}</td>`;

const beyond = (all: number, most: number) =>
  all > most ? html`<p><small>The first ${most} of ${all}; all are in the annex.</small></p>` : '';

function outlierSection({ insights: { outliers } }: PortfolioReport, most: number): Html {
  return html`<section>
    <h2>Outliers</h2>
    ${
      outliers.length === 0
        ? html`<p>
            None: no repository is among the worst twentieth of the population in anything, or far below the others.
          </p>`
        : html`${table(
            ['Repository', 'Where', 'Score', 'Why'],
            outliers
              .slice(0, most)
              .map((each) => [
                html`<bdi>${each.repo}</bdi>`,
                each.title,
                html`${gradeMark(gradeOf(each.score))} ${numberWords(Math.round(each.score))}`,
                outlierRule(each),
              ]),
          )}${beyond(outliers.length, most)}`
    }
  </section>`;
}

/** On the two pages: more names take too much of them. */
const maxNames = 4;

function sharedSection({ insights: { shared_risks: shared } }: PortfolioReport, most: number): Html {
  const isShort = most < Infinity;
  const names = (all: readonly string[]) =>
    isShort && all.length > maxNames
      ? `${all.slice(0, maxNames).join(', ')} and ${all.length - maxNames} more`
      : all.join(', ');
  return html`<section>
    <h2>Risks that they share</h2>
    ${
      shared.length === 0
        ? html`<p>
            None that was looked for: a person who alone knows half of the files or more of several, the same vulnerable
            package, the same secret.
          </p>`
        : html`${table(
            ['What', 'Which', 'In', isShort ? 'Repositories' : 'Repositories and why'],
            shared
              .slice(0, most)
              .map(({ kind, name, repositories, note }) => [
                sharedKinds[kind],
                html`<bdi>${name}</bdi>`,
                repositories.length,
                isShort ? names(repositories) : html`${names(repositories)}<br /><small>${note}</small>`,
              ]),
          )}${beyond(shared.length, most)}`
    }
  </section>`;
}

function costSection({ assessment: { remediation }, repositories }: PortfolioReport): Html {
  const dearest = repositories.toSorted(
    (a, b) => b.assessment.remediation.hours.likely - a.assessment.remediation.hours.likely,
  );
  const whole = remediation.hours.likely;
  return html`<section>
    <h2>What it costs to put right</h2>
    <p>
      <strong>${hoursWords(remediation)}</strong>: ${costWords(remediation)}, at ${remediation.currency}
      ${numberWords(remediation.hourly_rate)} an hour. An estimate by rules, not an offer.
      ${dearest
        .slice(0, onPages.costs)
        .filter(({ assessment }) => assessment.remediation.hours.likely > 0)
        .map(
          ({ run, assessment }, index) =>
            html`${index === 0 ? 'Most of it: ' : ', '}<bdi>${run.repository}</bdi>
              ${hourWords(assessment.remediation.hours.likely)} h
              (${percentWords(assessment.remediation.hours.likely / whole)})`,
        )}.
    </p>
    ${table(
      ['', 'Hours', 'Cost'],
      remediation.scenarios.map((scenario) => {
        const { title, hours, cost } = scenarioWords(scenario, remediation.currency, titleOf);
        return [title, `${hours}${scenario.reached ? '' : '; does not suffice'}`, cost];
      }),
    )}
  </section>`;
}

function gapSection({ assessment, repositories, unread }: PortfolioReport, most: number): Html {
  const { measured, not_applicable: moot, not_measured: unknown } = coverageOf(assessment.matrix);
  const gaps = portfolioGaps(repositories);
  return html`<section>
    <h2>What was not measured</h2>
    <p>
      Of ${metricCatalog.length} metrics of the whole ${measured} were measured, ${moot} ${moot === 1 ? 'does' : 'do'}
      not apply, ${unknown} could not be measured. None of these counts as 0.
      ${unread.map(({ path, why }) => html`Not read: <bdi>${path}</bdi> (${why}). `)}
    </p>
    ${
      most < Infinity
        ? html`<p>
            ${gaps
              .slice(0, most)
              .map(({ name, reason, repositories: of }) => `${name} of ${of.length} (${reason})`)
              .join(
                '; ',
              )}${gaps.length > most ? `; ${gaps.length - most} more in the annex` : ''}${gaps.length === 0 ? 'Nothing that applies is unknown' : ''}.
          </p>`
        : table(
            ['Metric', 'Why', 'Repositories'],
            gaps.map(({ name, reason, repositories: of }) => [name, reason, of.join(', ')]),
          )
    }
  </section>`;
}

function repositorySection({ repositories }: PortfolioReport): Html {
  return html`<section>
    <h2>Repositories</h2>
    ${table(
      ['Repository', 'Commit', 'Grade', 'Score', 'Percentile', 'Measured', 'Lines', 'Hours, likely', 'Cost, likely'],
      worstFirst(repositories).map(({ run, assessment }) => [
        html`<bdi>${run.repository}</bdi>`,
        run.commit === null
          ? 'no history'
          : html`<code>${run.commit.slice(0, 8)}</code
              >${run.committed_at === null ? '' : html`<br /><span class="nowrap">${run.committed_at.slice(0, 10)}</span>`}`,
        gradeMark(assessment.grade),
        assessment.score === null ? '–' : numberWords(assessment.score),
        assessment.ranks?.overall ? numberWords(assessment.ranks.overall.percentile) : '–',
        percentWords(assessment.confidence),
        numberWords(assessment.matrix.find(({ id }) => id === 'loc_code')?.value ?? 0),
        html`<span class="nowrap">${likelyWords(assessment.remediation.hours)}</span>`,
        `${assessment.remediation.currency} ${numberWords(assessment.remediation.cost.likely)}`,
      ]),
    )}
  </section>`;
}

/** `71 (35 to 148)`. */
const likelyWords = ({ low, likely, high }: Range) => `${hourWords(likely)} (${hourWords(low)} to ${hourWords(high)})`;

function methodSection({ repositories }: PortfolioReport): Html {
  const about = repositories.find(({ assessment }) => assessment.ranks)?.assessment.ranks?.population;
  return html`<section>
    <h2>How it was measured</h2>
    <p>
      Figures of the whole are sums and ratios of sums; people are counted once over all repositories; no factor, no
      dimension and not the whole is better than in the best repository. Costs are the sum of the repositories’. An
      outlier is among the worst twentieth of the population or, of five repositories or more, lies further below the
      lower quartile than 1.5 times the distance of the quartiles, and ten points at least. The same commits give the
      same report; each repository has a report of its own.
    </p>
    ${about ? html`<p>Percentiles are of the population ${about.name}: ${about.repositories} repositories measured until ${about.measured_on}.</p>` : ''}
  </section>`;
}
