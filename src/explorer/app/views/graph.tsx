import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ImpactAnswer } from '../../../graph/impact.ts';
import type { PathAnswer } from '../../../graph/path.ts';
import type { EdgeType } from '../../../model/graph.ts';
import { Failure } from '../components/failure.tsx';
import { format } from '../format.ts';
import { colorings } from '../graph-view/appearance.ts';
import { Canvas, hasWebGl } from '../graph-view/canvas.tsx';
import type { Pilot, Sight } from '../graph-view/canvas.tsx';
import { affectedBy, neighborhood, onPath } from '../graph-view/emphasis.ts';
import type { Emphasis } from '../graph-view/emphasis.ts';
import { Finder } from '../graph-view/finder.tsx';
import { ImpactSection } from '../graph-view/impact-section.tsx';
import { Legend } from '../graph-view/legend.tsx';
import { NodeTable } from '../graph-view/node-table.tsx';
import { Panel, panelHead } from '../graph-view/panel.tsx';
import { PathSection } from '../graph-view/path-section.tsx';
import { Toolbar } from '../graph-view/toolbar.tsx';
import { useCodeGraph } from '../graph-view/use-code-graph.ts';
import type { Query } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import type { ViewProps } from './index.ts';
import './graph.css';

const listOf = (text: string | null) => (text === null || text === '' ? [] : text.split(','));
const isDrawable = hasWebGl();

/** The graph of all repositories: drawn, or as a table; what is looked at is in the address. */
export function GraphView({ api, query, navigate }: ViewProps) {
  const asked = Object.fromEntries(query);
  const { node: selected = null, to = null } = asked;
  const expanded = listOf(query.get('repo'));
  const coloring = colorings.find((each) => each === asked['color']) ?? 'grade';
  const hiddenText = query.get('hide') ?? '';
  const isImpact = asked['impact'] === '1';

  const shown = useCodeGraph(api, expanded, coloring);
  const { graph, version } = shown;
  const isTable = !isDrawable || asked['as'] === 'table' || (graph.order === 0 && !shown.isLoading);
  /** Here, and not by the address that one came with. */
  const isChosen = useRef(false);
  const [pilot, setPilot] = useState<Pilot | null>(null);
  const path = useAnswer<PathAnswer>(api, selected !== null && to !== null ? '/api/graph/path' : null, {
    from: selected,
    to,
  });
  const impact = useAnswer<ImpactAnswer>(
    api,
    selected !== null && isImpact ? `/api/graph/impact/${encodeURIComponent(selected)}` : null,
    { page_size: 1_000 },
  );

  const change = (query: Query, replace = false) => navigate({ query: { ...asked, ...query }, replace });
  const select = (found: { id: string; repository: string | null } | null, more: Query = {}) => {
    const { id = null, repository = null } = found ?? {};
    const repo =
      id === null || repository === null || repository === id || expanded.includes(repository)
        ? expanded
        : [...expanded, repository];
    change({
      node: id,
      repo: repo.join(),
      to: null,
      impact: null,
      ...(repo === expanded ? {} : { at: null }),
      ...more,
    });
    isChosen.current = true;
  };

  // Of one repository alone there is nothing to see from the outside.
  const isFresh = useRef(query.size === 0);
  const only = graph.filterNodes((_, { node }) => node.type === 'Repository');
  useEffect(() => {
    if (shown.isLoading || graph.order === 0) return;
    if (isFresh.current && only.length === 1) change({ repo: only.join() }, true);
    isFresh.current = false;
  }, [shown.isLoading, graph.order]);

  const find = (found: Parameters<typeof select>[0]) => select(found, { at: null });

  const emphasis = useMemo<Emphasis>(() => {
    const hidden = new Set(listOf(hiddenText) as EdgeType[]);
    const apart =
      path.answer !== null
        ? onPath(graph, path.answer)
        : impact.answer !== null
          ? affectedBy(graph, impact.answer)
          : selected !== null && graph.hasNode(selected)
            ? neighborhood(graph, selected, hidden)
            : { nodes: null, edges: null };
    return { selected, hidden, ...apart };
  }, [graph, version, selected, hiddenText, path.answer, impact.answer]);

  const node = selected !== null && graph.hasNode(selected) ? graph.getNodeAttribute(selected, 'node') : null;
  const shownId = node?.id;
  useEffect(() => {
    if (isChosen.current) document.getElementById(shownId === undefined ? 'main' : panelHead)?.focus();
  }, [shownId]);
  useEffect(() => {
    if (shown.isLoading || pilot === null || asked['at'] !== undefined) return;
    const opened = expanded.at(-1);
    const inside = graph.filterNodes((id, { node }) => node.repository === opened && id !== opened);
    pilot.show(to !== null || isImpact || inside.length === 0 ? [...(emphasis.nodes ?? [])] : inside);
  }, [node, pilot, shown.isLoading, expanded.join(), path.answer, impact.answer]);

  if (shown.error !== null) return <Failure error={shown.error} again={shown.again} />;
  return (
    <div class="wide graph-view">
      <h1 class="unseen">Graph</h1>
      <Toolbar
        graph={graph}
        emphasis={emphasis}
        coloring={coloring}
        isTable={isTable}
        isDrawable={isDrawable}
        pilot={isTable ? null : pilot}
        onChange={change}
      >
        <Finder api={api} label="Find a node" onFound={find} />
      </Toolbar>
      <div class="caption">
        {!isTable && <Legend graph={graph} version={version} coloring={coloring} />}
        <p class="counts quiet" role="status">
          {shown.isLoading
            ? 'Drawing the graph…'
            : `${format.count(graph.order, 'node')}, ${format.count(graph.size, 'edge')}`}
          {shown.notice === null ? '' : ` ${shown.notice}`}
          {selected !== null && node === null && !shown.isLoading && ` ${selected} is not in it.`}
        </p>
      </div>
      <div class="stage">
        {shown.isLoading && (
          <progress class="drawing" aria-label="Drawing the graph" value={shown.share ?? undefined} />
        )}
        {isTable ? (
          <div class="as-table">
            {!isDrawable && (
              <p>This browser has no WebGL 2, with which the graph is drawn. The same is in this table.</p>
            )}
            {!shown.isLoading && <NodeTable graph={graph} version={version} onSelect={find} />}
          </div>
        ) : (
          <Canvas
            graph={graph}
            version={version}
            emphasis={emphasis}
            sight={sightOf(asked['at'])}
            onSight={(sight) => change({ at: sight.map((value) => Number(value.toFixed(4))).join() }, true)}
            onSelect={(id) => (id === null ? select(null) : select(graph.getNodeAttribute(id, 'node')))}
            onPilot={setPilot}
          />
        )}
        {node !== null && (
          <aside
            class="panel"
            aria-label={`About ${node.name}`}
            onKeyDown={({ key, defaultPrevented }) => key === 'Escape' && !defaultPrevented && select(null)}
          >
            <Panel
              api={api}
              graph={graph}
              node={node}
              isExpanded={expanded.includes(node.id)}
              onSelect={find}
              onExpand={(isExpanded) =>
                change({
                  repo: (isExpanded ? [...expanded, node.id] : expanded.filter((each) => each !== node.id)).join(),
                  at: null,
                })
              }
              onClose={() => select(null)}
            >
              {node.type !== 'Contributor' && (
                <div class="row">
                  <button
                    type="button"
                    aria-pressed={isImpact}
                    onClick={() => change({ impact: isImpact ? null : 1, to: null })}
                  >
                    Impact
                  </button>
                  <Finder api={api} label="Path to" onFound={({ id }) => change({ to: id, impact: null })} />
                </div>
              )}
              {to !== null && <PathSection asked={path} onSelect={find} onClose={() => change({ to: null })} />}
              {isImpact && <ImpactSection asked={impact} onSelect={find} />}
            </Panel>
          </aside>
        )}
      </div>
    </div>
  );
}

function sightOf(text: string | undefined): Sight | null {
  const [x, y, ratio] = (text ?? '').split(',').map(Number);
  return x !== undefined && y !== undefined && ratio !== undefined && [x, y, ratio].every(Number.isFinite) && ratio > 0
    ? [x, y, ratio]
    : null;
}
