import { Grade } from '../components/grade.tsx';
import { format } from '../format.ts';
import { titleOf } from '../words.ts';
import './charts.css';

/** The score that published standards ask for. */
export const standard = 75;

interface Dimension {
  id: string;
  score: number | null;
  grade: string | null;
  weight?: number;
  confidence?: number;
  capped_by?: string | null;
}

/** A bar a dimension, of 100, with the mark of published standards. */
export function DimensionBars({ dimensions }: { dimensions: readonly Dimension[] }) {
  return (
    <ul class="bar-rows">
      {dimensions.map((dimension) => (
        <li key={dimension.id}>
          <span>
            {titleOf(dimension.id)} {dimension.weight !== undefined && <small>{noteOf(dimension)}</small>}
          </span>
          <ScoreBar score={dimension.score} grade={dimension.grade} />
          <span class="value">
            <Grade grade={dimension.grade} /> {format.tenth(dimension.score)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** One score of 100; what it is of, and the number, stand beside it. */
export function ScoreBar({ score, grade }: { score: number | null; grade: string | null }) {
  return (
    <svg class="score-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="10" />
      <rect data-grade={grade ?? 'none'} width={score ?? 0} height="10" />
      <line x1={standard} x2={standard} y2="10" />
    </svg>
  );
}

function noteOf({ weight, confidence, grade, score, capped_by }: Dimension): string {
  const tooLittle = grade === null && score !== null ? ', too little for a grade' : '';
  const measured = confidence === undefined ? '' : `, ${format.share(confidence)} measured${tooLittle}`;
  return `weight ${weight}${measured}${capped_by == null ? '' : `, held down by ${capped_by.replace(/^\w+\./, '').replaceAll('_', ' ')}`}`;
}
