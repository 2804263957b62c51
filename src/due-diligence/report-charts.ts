import type { Assessment } from './assess.ts';
import { factorCatalog } from './factors/index.ts';
import { html } from './html.ts';
import type { Content, Html } from './html.ts';
import type { Remediation } from './remediation.ts';
import { hoursWords, hourWords, numberWords, percentWords, titleOf } from './report-words.ts';
import { overallGrades } from './scoring-model.ts';
import type { Grade } from './scoring-model.ts';
import type { ChartPoint } from './trend.ts';

/** A grade as a letter on its colour. */
export const gradeMark = (grade: Grade | null) =>
  grade === null
    ? html`<b class="grade none" title="not graded">–</b>`
    : html`<b class="grade ${grade.toLowerCase()}">${grade}</b>`;

const factorWords = (id: string) => (factorCatalog.find((each) => each.id === id)?.title ?? id).toLowerCase();

/** A bar a dimension, with the target of published standards marked, and how it stands in the population. */
export const dimensionBars = ({ dimensions, ranks }: Pick<Assessment, 'dimensions' | 'ranks'>): Html =>
  html`<div class="chart">
    ${dimensions.map(({ id, score, grade, confidence, weight, capped_by }) => {
      const says = scoreWords(score);
      const tooLittle = grade === null && score !== null ? ', too little for a grade' : '';
      const cap = capped_by === null ? '' : `, held down by ${factorWords(capped_by)}`;
      const rank = ranks?.dimensions.get(id);
      const note = `weight ${weight}, ${percentWords(confidence)} measured${tooLittle}${cap}`;
      return row(
        html`${titleOf(id)} <small>${note}</small>`,
        `${titleOf(id)}: ${says}`,
        html`<rect class="${grade?.toLowerCase() ?? 'none'}" width="${score ?? 0}" height="10" /><line
            x1="75"
            x2="75"
            y2="10"
          />`,
        html`${gradeMark(grade)}
        ${score === null ? '' : numberWords(score)}${rank ? html` <small>better than ${percentWords(Math.min(rank.percentile, 99) / 100)}</small>` : ''}`,
      );
    })}
  </div>`;

/** From the low to the high hours of each dimension, with the likely ones marked. */
export function rangeBars(ranges: Remediation['by_dimension']): Html {
  const most = Math.max(1, ...ranges.map(({ hours }) => hours.high));
  const share = (hours: number) => Math.round((1000 * hours) / most) / 10;
  return html`<div class="chart">
    ${ranges.map(({ id, hours }) =>
      row(
        titleOf(id),
        `${titleOf(id)}: ${hoursWords({ hours })}`,
        html`<rect class="range" x="${share(hours.low)}" width="${share(hours.high - hours.low)}" height="10" /><line
            x1="${share(hours.likely)}"
            x2="${share(hours.likely)}"
            y2="10"
          />`,
        `${hourWords(hours.low)} to ${hourWords(hours.high)} h`,
      ),
    )}
  </div>`;
}

/** Left of it stand the grades, and the ends of its dates below. */
const plot = { left: 24, right: 590, top: 6, bottom: 134 };

/** The score over the time, the last point as it is now, with where the grades begin; below it each dimension by itself. */
export function trendChart(trend: readonly ChartPoint[]): Html {
  const [first, last] = [trend[0], trend.at(-1)];
  if (!first || !last) return html``;
  const xs = xsOf(trend, plot.left, plot.right);
  const y = (score: number) => rounded(plot.bottom - (score / 100) * (plot.bottom - plot.top));
  const known = trend.flatMap(({ score }, index) => (score === null ? [] : [{ x: xs[index] ?? 0, y: y(score) }]));
  const says = `Score from ${first.as_of} to ${last.as_of}: ${scoreWords(first.score)}, now ${scoreWords(last.score)}`;
  return html`<figure class="trend">
    <svg viewBox="0 0 600 154" role="img" aria-label="${says}">
      ${overallGrades.map(
        ({ grade, least }) =>
          html`<line class="least" x1="${plot.left}" x2="${plot.right}" y1="${y(least)}" y2="${y(least)}" />
            <text x="0" y="${y(least) - 2}">${grade}</text>`,
      )}
      <polyline points="${known.map((point) => `${point.x},${point.y}`).join(' ')}" />
      ${trend.map(({ score, grade, as_of }, index) =>
        score === null
          ? ''
          : html`<circle class="${grade?.toLowerCase() ?? 'none'}" cx="${xs[index] ?? 0}" cy="${y(score)}" r="4">
              <title>${as_of}: ${scoreWords(score)}${grade === null ? '' : `, ${grade}`}</title>
            </circle>`,
      )}
      <text x="${plot.left}" y="150">${first.as_of}</text>
      <text x="${plot.right}" y="150" text-anchor="end">${last.as_of}</text>
    </svg>
    <div class="sparks">${last.dimensions.map(({ id, score, grade }) => spark(trend, id, score, grade))}</div>
  </figure>`;
}

/** One dimension, small. */
function spark(trend: readonly ChartPoint[], id: string, now: number | null, grade: Grade | null): Html {
  const xs = xsOf(trend, 2, 118);
  const points = trend.flatMap(({ dimensions }, index) => {
    const score = dimensions.find((dimension) => dimension.id === id)?.score ?? null;
    return score === null ? [] : [`${xs[index] ?? 0},${rounded(28 - score / 4)}`];
  });
  return html`<div>
    <span>${titleOf(id)}</span> <span>${gradeMark(grade)} ${now === null ? '' : numberWords(now)}</span>
    <svg viewBox="0 0 120 30" preserveAspectRatio="none" role="img" aria-label="${titleOf(id)}: now ${scoreWords(now)}">
      <polyline points="${points.join(' ')}" />
    </svg>
  </div>`;
}

/** By their days, between two ends. */
function xsOf(trend: readonly ChartPoint[], left: number, right: number): number[] {
  const days = trend.map(({ as_of }) => Date.parse(as_of));
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  return days.map((day) => rounded(last === first ? right : left + ((day - first) / (last - first)) * (right - left)));
}

const rounded = (value: number) => Math.round(10 * value) / 10;
const scoreWords = (score: number | null) => (score === null ? 'not measured' : `${numberWords(score)} of 100`);

const row = (label: Content, says: string, shapes: Html, value: Content) =>
  html`<div class="row">
    <span>${label}</span
    ><svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${says}">
      <rect class="track" width="100" height="10" />
      ${shapes}</svg
    ><span>${value}</span>
  </div> `;
