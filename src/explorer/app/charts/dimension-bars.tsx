import type { FactorCatalog } from '../../../due-diligence/factor-routes.ts';
import { Grade } from '../components/grade.tsx';
import { format } from '../format.ts';
import { rankWords, titleOf } from '../words.ts';
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
  rank?: { percentile: number; among: string; repositories: number } | null;
}

/** A bar a dimension, of 100, with the mark of published standards, and where it stands in the population. */
export function DimensionBars({
  dimensions,
  factors = [],
  before = null,
}: {
  dimensions: readonly Dimension[];
  /** To name what holds a dimension down. */
  factors?: FactorCatalog['factors'];
  /** What they came to before, to say how they moved since. */
  before?: { on: string; dimensions: readonly Pick<Dimension, 'id' | 'score'>[] } | null;
}) {
  const titles = new Map(factors.map(({ factor_id: id, title }) => [id, title]));
  return (
    <ul class="bar-rows">
      {dimensions.map((dimension) => (
        <li key={dimension.id}>
          <span>
            {titleOf(dimension.id)} {dimension.weight !== undefined && <small>{noteOf(dimension, titles)}</small>}
          </span>
          <ScoreBar score={dimension.score} grade={dimension.grade} />
          <span class="value">
            <Grade grade={dimension.grade} /> {format.tenth(dimension.score)}
            {before !== null && (
              <Moved
                by={difference(dimension.score, before.dimensions.find(({ id }) => id === dimension.id)?.score ?? null)}
                since={before.on}
              />
            )}
            {dimension.rank && (
              <small title={rankWords(dimension.rank) ?? undefined}>
                better than {format.whole(Math.min(dimension.rank.percentile, 99))}%
              </small>
            )}
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

const difference = (now: number | null, then: number | null) =>
  now === null || then === null ? null : Math.round(10 * (now - then)) / 10;

/** How many points it rose or fell. */
function Moved({ by, since }: { by: number | null; since: string }) {
  if (by === null) return null;
  const words = by === 0 ? 'as' : by > 0 ? 'more than' : 'less than';
  return (
    <span class="moved" title={`${by === 0 ? '' : `${format.tenth(Math.abs(by))} `}${words} on ${format.day(since)}`}>
      {by === 0 ? '=' : `${by > 0 ? '▲' : '▼'} ${format.tenth(Math.abs(by))}`}
    </span>
  );
}

function noteOf(
  { weight, confidence, grade, score, capped_by: cap = null }: Dimension,
  titles: ReadonlyMap<string, string>,
): string {
  const tooLittle = grade === null && score !== null ? ', too little for a grade' : '';
  const measured = confidence === undefined ? '' : `, ${format.share(confidence)} measured${tooLittle}`;
  const held = cap === null ? '' : `, held down by ${(titles.get(cap) ?? cap).toLowerCase()}`;
  return `weight ${weight}${measured}${held}`;
}
