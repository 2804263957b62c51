import type { ComponentChildren } from 'preact';
import type { EdgeType } from '../../../model/graph.ts';
import { download } from '../download.ts';
import type { Query } from '../router.ts';
import { useMedia } from '../use-media.ts';
import { colorings, edgeKinds } from './appearance.ts';
import type { Coloring } from './appearance.ts';
import type { Pilot } from './canvas.tsx';
import type { CodeGraph } from './code-graph.ts';
import type { Emphasis } from './emphasis.ts';
import { toGraphMl, toPng, toSvg } from './export.ts';

/** What is shown and how: the edges, the colours, the way one looks, and what is taken away as a file. */
export function Toolbar({
  graph,
  emphasis,
  coloring,
  isTable,
  isDrawable,
  pilot,
  onChange,
  children,
}: {
  graph: CodeGraph;
  emphasis: Emphasis;
  coloring: Coloring;
  isTable: boolean;
  isDrawable: boolean;
  /** Null where nothing is drawn. */
  pilot: Pilot | null;
  onChange: (query: Query) => void;
  children: ComponentChildren;
}) {
  const { hidden } = emphasis;
  const isWide = useMedia('(min-width: 40rem)');
  const toggle = (kind: EdgeType) => {
    const others = new Set(hidden);
    if (!others.delete(kind)) others.add(kind);
    onChange({ hide: [...others].sort().join() });
  };
  const files: Record<string, () => Promise<Blob | string> | string> = {
    png: () => toPng(toSvg(graph, emphasis)),
    svg: () => toSvg(graph, emphasis),
    graphml: () => toGraphMl(graph),
  };
  const save = async (format: string) => {
    const content = await files[format]?.();
    if (content !== undefined) download(`code-graph.${format}`, content);
  };
  return (
    <div class="tools" role="group" aria-label="The graph">
      {children}
      <details class="options" open={isWide}>
        <summary hidden={isWide}>Edges, colours</summary>
        <fieldset>
          <legend class="unseen">Edges</legend>
          {Object.entries(edgeKinds).map(([kind, { title, color }]) => (
            <label key={kind}>
              <input
                type="checkbox"
                checked={!hidden.has(kind as EdgeType)}
                onChange={() => toggle(kind as EdgeType)}
              />
              <span class="line" style={{ background: `var(${color})` }} />
              {title}
            </label>
          ))}
        </fieldset>
        <label>
          Colours{' '}
          <select value={coloring} onChange={({ currentTarget }) => onChange({ color: currentTarget.value })}>
            {colorings.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      </details>
      {pilot !== null && (
        <span class="row tight">
          <button type="button" onClick={() => pilot.zoom(0.6)} aria-label="Nearer">
            +
          </button>
          <button type="button" onClick={() => pilot.zoom(1 / 0.6)} aria-label="Farther">
            −
          </button>
          <button type="button" onClick={() => pilot.whole()}>
            All
          </button>
        </span>
      )}
      {isDrawable && (
        <button type="button" aria-pressed={isTable} onClick={() => onChange({ as: isTable ? null : 'table' })}>
          Table
        </button>
      )}
      <label>
        <span class="unseen">Save as a file</span>
        <select
          value=""
          onChange={({ currentTarget }) => {
            void save(currentTarget.value);
            currentTarget.value = '';
          }}
        >
          <option value="">Save…</option>
          <option value="png">PNG image</option>
          <option value="svg">SVG drawing</option>
          <option value="graphml">GraphML</option>
        </select>
      </label>
    </div>
  );
}
