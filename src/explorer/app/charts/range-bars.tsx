import { format } from '../format.ts';
import { hours } from '../words.ts';
import './charts.css';

interface Range {
  low: number;
  likely: number;
  high: number;
}

/** From the low to the high hours of each, the likely ones marked; on one scale. */
export function RangeBars({ rows }: { rows: readonly { id: string; title: string; hours: Range }[] }) {
  const most = Math.max(1, ...rows.map(({ hours }) => hours.high));
  const share = (value: number) => (100 * value) / most;
  return (
    <ul class="bar-rows">
      {rows.map(({ id, title, hours: range }) => (
        <li key={id}>
          <span>{title}</span>
          <svg class="score-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect class="track" width="100" height="10" />
            <rect class="range" x={share(range.low)} width={share(range.high - range.low)} height="10" />
            <line x1={share(range.likely)} x2={share(range.likely)} y2="10" />
          </svg>
          <span class="value">
            {range.high === 0 ? 'nothing' : `${hours(range.low)} – ${hours(range.high)} h`}
            {range.high > 0 && <small> likely {hours(range.likely)}</small>}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** `120 to 480 hours, likely 240`. */
export const rangeWords = ({ low, likely, high }: Range) =>
  `${hours(low)} to ${hours(high)} hours, likely ${hours(likely)}`;

/** The same in money. */
export const moneyWords = ({ low, likely, high }: Range, currency: string) =>
  `${format.money(low, currency)} to ${format.money(high, currency)}, likely ${format.money(likely, currency)}`;
