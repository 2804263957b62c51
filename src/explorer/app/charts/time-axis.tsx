/** The first and the last of the times above it, and how much the highest bar is. */
export function TimeAxis({ from, to, most }: { from: string; to: string; most?: string }) {
  return (
    <div class="time-axis" aria-hidden="true">
      <span>{from}</span>
      {most !== undefined && <span>{most}</span>}
      <span>{to}</span>
    </div>
  );
}
