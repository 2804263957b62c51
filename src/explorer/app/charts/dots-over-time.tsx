import './charts.css';

const halves = [0, 0.5, 1];

/** Shares at points in time, joined by a line: from 0 at the bottom to all at the top. */
export function DotsOverTime({
  points,
  span,
  label,
  levels = halves,
  chosen,
  onPick,
}: {
  /** The oldest first. */
  points: readonly { at: number; share: number; says: string; grade?: string | null }[];
  /** The same for charts that are compared. */
  span: { from: number; to: number };
  label: string;
  /** Where lines are drawn across. */
  levels?: readonly number[];
  /** The index of the one that is marked. */
  chosen?: number;
  /** For who has a pointer; who has none needs another way to the same. */
  onPick?: (index: number) => void;
}) {
  const x = (at: number) => (span.to === span.from ? 50 : 1 + (98 * (at - span.from)) / (span.to - span.from));
  const y = (share: number) => 95 - 90 * share;
  return (
    <div class="dots" role="img" aria-label={label}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {levels.map((share) => (
          <line key={share} x2="100" y1={y(share)} y2={y(share)} />
        ))}
        <polyline points={points.map(({ at, share }) => `${x(at)},${y(share)}`).join(' ')} />
      </svg>
      {/* Not of the picture, which is stretched. */}
      {points.map(({ at, share, says, grade }, index) => (
        <i
          key={index}
          title={says}
          data-grade={grade === undefined ? undefined : (grade ?? 'none')}
          class={index === chosen ? 'chosen' : undefined}
          onClick={onPick && (() => onPick(index))}
          style={{ left: `${x(at)}%`, top: `${y(share)}%` }}
        />
      ))}
    </div>
  );
}
