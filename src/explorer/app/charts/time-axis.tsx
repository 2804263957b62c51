/** The first and the last of the times above it. */
export function TimeAxis({ from, to }: { from: string; to: string }) {
  return (
    <div class="time-axis" aria-hidden="true">
      <span>{from}</span>
      <span>{to}</span>
    </div>
  );
}
