/** Holds the place of what is on its way; `lines` as high as that will be. */
export function Skeleton({ lines = 12 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
