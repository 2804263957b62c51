import { format } from '../format.ts';
import './charts.css';

const width = 72;
const height = 20;
const margin = 3;

/** So many points at least are as high as the line can be, so that what hardly changes looks like it. */
const minSpan = 20;

/** Scores from 0 to 100 in the order of time, as a line. */
export function Sparkline({ scores, of = 'runs' }: { scores: readonly number[]; of?: 'points' | 'runs' }) {
  const step = (width - 2 * margin) / Math.max(1, scores.length - 1);
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const span = Math.max(minSpan, most - least);
  const bottom = (least + most - span) / 2;
  const points = scores.map((score, index) => ({
    x: scores.length === 1 ? width - margin : margin + index * step,
    y: height - margin - ((score - bottom) / span) * (height - 2 * margin),
  }));
  const last = points.at(-1);
  if (last === undefined) return null;
  const label =
    scores.length === 1
      ? `Measured once: ${format.tenth(scores[0])}`
      : `Score over ${scores.length} ${of}: ${scores.map((score) => format.tenth(score)).join(', ')}`;
  return (
    <svg class="sparkline" width={width} height={height} role="img" aria-label={label}>
      <title>{label}</title>
      <polyline points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
      <circle cx={last.x} cy={last.y} r={2.5} />
    </svg>
  );
}
