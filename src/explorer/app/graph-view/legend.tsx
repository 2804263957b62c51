import { useMemo } from 'preact/hooks';
import { legendOf } from './appearance.ts';
import type { Coloring } from './appearance.ts';
import type { CodeGraph } from './code-graph.ts';

/** What the colours of the nodes stand for. */
export function Legend({ graph, version, coloring }: { graph: CodeGraph; version: number; coloring: Coloring }) {
  const entries = useMemo(() => legendOf(graph, coloring), [graph, version, coloring]);
  return (
    <ul class="legend" aria-label={`Colours by ${coloring}`}>
      {entries.map(({ value, color }) => (
        <li key={value}>
          <span class="dot" style={{ background: `var(${color})` }} />
          {value}
        </li>
      ))}
    </ul>
  );
}
