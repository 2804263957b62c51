import type { ComponentChildren } from 'preact';

/** Says that there is nothing, and why or what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
