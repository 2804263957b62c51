import './charts.css';

/** A bar for each of some times; what it says of one is shown where the pointer is. */
export function BarsOverTime({
  values,
  most,
  label,
  says,
}: {
  values: readonly number[];
  /** As high as the chart is; the same for charts that are compared. */
  most: number;
  /** All of it, for who does not see it. */
  label: string;
  says: (index: number) => string;
}) {
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${Math.max(1, values.length)} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {values.map((value, index) => {
        // What is there at all is seen.
        const height = value === 0 ? 0 : Math.max(4, (100 * value) / Math.max(1, most));
        return (
          <g key={index}>
            <title>{says(index)}</title>
            <rect class="slot" x={index} width={1} height={100} />
            <rect class="column" x={index + 0.1} y={100 - height} width={0.8} height={height} />
          </g>
        );
      })}
    </svg>
  );
}
