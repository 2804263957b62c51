import type { Assessment } from './assess.ts';
import { html } from './html.ts';
import type { Content, Html } from './html.ts';
import type { Remediation } from './remediation.ts';
import { hoursWords, hourWords, numberWords, percentWords, titleOf } from './report-words.ts';
import type { Grade } from './scoring-model.ts';

/** A grade as a letter on its colour. */
export const gradeMark = (grade: Grade | null) =>
  grade === null
    ? html`<b class="grade none" title="not graded">–</b>`
    : html`<b class="grade ${grade.toLowerCase()}">${grade}</b>`;

/** A bar a dimension, with the target of published standards marked. */
export const dimensionBars = (dimensions: Assessment['dimensions']): Html =>
  html`<div class="chart">
    ${dimensions.map(({ id, score, grade, confidence, weight, capped_by }) => {
      const says = score === null ? 'not measured' : `${numberWords(score)} of 100`;
      const note = `weight ${weight}, ${percentWords(confidence)} measured${capped_by === null ? '' : `, capped by ${capped_by}`}`;
      return row(
        html`${titleOf(id)} <small>${note}</small>`,
        `${titleOf(id)}: ${says}`,
        html`<rect class="${grade?.toLowerCase() ?? 'none'}" width="${score ?? 0}" height="10" /><line
            x1="75"
            x2="75"
            y2="10"
          />`,
        html`${gradeMark(grade)} ${score === null ? '' : numberWords(score)}`,
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

const row = (label: Content, says: string, shapes: Html, value: Content) =>
  html`<div class="row">
    <span>${label}</span
    ><svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${says}">
      <rect class="track" width="100" height="10" />
      ${shapes}</svg
    ><span>${value}</span>
  </div> `;
