import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ImpactAnswer } from '../../../graph/impact.ts';
import type { PathAnswer } from '../../../graph/path.ts';
import type { EdgeType } from '../../../model/graph.ts';
import type { Api } from '../api.ts';
import { Failure } from '../components/failure.tsx';
import { format } from '../format.ts';
import { colorings } from '../graph-view/appearance.ts';
import { Canvas, hasWebGl } from '../graph-view/canvas.tsx';
import type { Pilot, Sight } from '../graph-view/canvas.tsx';
import type { CodeGraph, GraphNode } from '../graph-view/code-graph.ts';
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
import type { Shown } from '../graph-view/use-code-graph.ts';
import type { Query } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import type { Asked } from '../use-answer.ts';
import type { ViewProps } from './index.ts';
import './graph.css';

const listOf = (text: string | null) => (text === null || text === '' ? [] : text.split(','));
const isDrawable = hasWebGl();

/** What is looked at, as the address says. */
function lookedAt(query: URLSearchParams) {
  const asked = Object.fromEntries(query);
  const { node: selected = null, to = null } = asked;
  return {
    asked,
    selected,
    to,
    expanded: listOf(query.get('repo')),
    coloring: colorings.find((each) => each === asked['color']) ?? 'grade',
    hidden: query.get('hide') ?? '',
    isImpact: asked['impact'] === '1',
  };
}

/** The graph of all repositories: drawn, or as a table; what is looked at is in the address. */
export function GraphView({ api, query, navigate }: ViewProps) {
  const { asked, selected, to, expanded, coloring, hidden, isImpact } = lookedAt(query);
  const shown = useCodeGraph(api, expanded, coloring);
  const { graph, version } = shown;
  const isTable = !isDrawable || asked['as'] === 'table' || (graph.order === 0 && !shown.isLoading);
  /** Here, and not by the address that one came with. */
  const isChosen = useRef(false);
  const [pilot, setPilot] = useState<Pilot | null>(null);
  const path = usePath(api, selected, to);
  const impact = useImpact(api, isImpact ? selected : null);

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

  const emphasis = useMemo(
    () => emphasisOf(graph, { selected, hidden: new Set(listOf(hidden) as EdgeType[]) }, path.answer, impact.answer),
    [graph, version, selected, hidden, path.answer, impact.answer],
  );

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
        <Counts shown={shown} missing={node === null ? selected : null} />
      </div>
      <div class="stage">
        {shown.isLoading && (
          <progress class="drawing" aria-label="Drawing the graph" value={shown.share ?? undefined} />
        )}
        {isTable ? (
          <Table shown={shown} onSelect={find} />
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
              <Questions
                api={api}
                node={node}
                path={to === null ? null : path}
                impact={isImpact ? impact : null}
                onChange={change}
                onSelect={find}
              />
            </Panel>
          </aside>
        )}
      </div>
    </div>
  );
}

function usePath(api: Api, from: string | null, to: string | null) {
  return useAnswer<PathAnswer>(api, from !== null && to !== null ? '/api/graph/path' : null, { from, to });
}

/** What a change of this node reaches; of null nothing is asked. */
function useImpact(api: Api, id: string | null) {
  const path = id === null ? null : (`/api/graph/impact/${encodeURIComponent(id)}` as const);
  return useAnswer<ImpactAnswer>(api, path, { page_size: 1_000 });
}

/** What stands out: the answer that is asked for, or else what is next to the node that is chosen. */
function emphasisOf(
  graph: CodeGraph,
  { selected, hidden }: Pick<Emphasis, 'selected' | 'hidden'>,
  path: PathAnswer | null,
  impact: ImpactAnswer | null,
): Emphasis {
  const apart =
    path !== null
      ? onPath(graph, path)
      : impact !== null
        ? affectedBy(graph, impact)
        : selected !== null && graph.hasNode(selected)
          ? neighborhood(graph, selected, hidden)
          : { nodes: null, edges: null };
  return { selected, hidden, ...apart };
}

/** How much is drawn, and what of it is not. */
function Counts({
  shown: { graph, isLoading, notice },
  missing,
}: {
  shown: Shown;
  /** The node that was asked for and is not there. */
  missing: string | null;
}) {
  return (
    <p class="counts quiet" role="status">
      {isLoading ? 'Drawing the graph…' : `${format.count(graph.order, 'node')}, ${format.count(graph.size, 'edge')}`}
      {notice === null ? '' : ` ${notice}`}
      {missing !== null && !isLoading && ` ${missing} is not in it.`}
    </p>
  );
}

/** The graph as a table: by choice, and where nothing can be drawn. */
function Table({
  shown: { graph, version, isLoading },
  onSelect,
}: {
  shown: Shown;
  onSelect: (node: { id: string; repository: string | null }) => void;
}) {
  return (
    <div class="as-table">
      {!isDrawable && <p>This browser has no WebGL 2, with which the graph is drawn. The same is in this table.</p>}
      {!isLoading && <NodeTable graph={graph} version={version} onSelect={onSelect} />}
    </div>
  );
}

/** What is asked of the node that is chosen: its impact, and the way to another. */
function Questions({
  api,
  node,
  path,
  impact,
  onChange,
  onSelect,
}: {
  api: Api;
  node: GraphNode;
  /** Null where it is not asked. */
  path: Asked<PathAnswer> | null;
  /** Null where it is not asked. */
  impact: Asked<ImpactAnswer> | null;
  onChange: (query: Query) => void;
  onSelect: (node: { id: string; repository: string | null }) => void;
}) {
  return (
    <>
      {node.type !== 'Contributor' && (
        <div class="row">
          <button
            type="button"
            aria-pressed={impact !== null}
            onClick={() => onChange({ impact: impact === null ? 1 : null, to: null })}
          >
            Impact
          </button>
          <Finder api={api} label="Path to" onFound={({ id }) => onChange({ to: id, impact: null })} />
        </div>
      )}
      {path !== null && <PathSection asked={path} onSelect={onSelect} onClose={() => onChange({ to: null })} />}
      {impact !== null && <ImpactSection asked={impact} onSelect={onSelect} />}
    </>
  );
}

function sightOf(text: string | undefined): Sight | null {
  const [x, y, ratio] = (text ?? '').split(',').map(Number);
  return x !== undefined && y !== undefined && ratio !== undefined && [x, y, ratio].every(Number.isFinite) && ratio > 0
    ? [x, y, ratio]
    : null;
}
