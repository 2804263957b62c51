import type { ComponentChildren } from 'preact';
import type { NeighborsAnswer } from '../../../graph/neighbors.ts';
import type { Api } from '../api.ts';
import { Failure } from '../components/failure.tsx';
import { Grade } from '../components/grade.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { format } from '../format.ts';
import { useAnswer } from '../use-answer.ts';
import { views } from '../views/index.ts';
import { hrefOf } from '../router.ts';
import { edgeKinds } from './appearance.ts';
import type { CodeGraph, GraphNode } from './code-graph.ts';
import { neighborsIn } from './neighbors-in.ts';
import type { Neighbor } from './neighbors-in.ts';
import { NodeButton } from './node-button.tsx';

const maxNeighbors = 100;

/** Where who chose a node by keys goes on. */
export const panelHead = 'panel-head';

/** What is known of the node that is chosen: what it is, its measures, and what is next to it. */
export function Panel({
  api,
  graph,
  node,
  isExpanded,
  onSelect,
  onExpand,
  onClose,
  children,
}: {
  api: Api;
  graph: CodeGraph;
  node: GraphNode;
  isExpanded: boolean;
  onSelect: (node: { id: string; repository: string | null }) => void;
  onExpand: (isExpanded: boolean) => void;
  onClose: () => void;
  /** What else is asked of it. */
  children: ComponentChildren;
}) {
  const { id, type, name, kind, language, path, line, doc, repository } = node;
  const isRepository = type === 'Repository';
  // Who is next to a repository is in the graph already; a part may have neighbors in others.
  const asked = useAnswer<NeighborsAnswer>(
    api,
    isRepository || repository === null ? null : `/api/graph/neighbors/${encodeURIComponent(repository)}`,
    { node: id, level: 'symbol', page_size: maxNeighbors },
  );
  const isAsked = !isRepository && repository !== null;
  const { neighbors, total, shown } = isAsked ? ofAnswer(asked.answer) : ofGraph(neighborsIn(graph, id));
  const groups = Map.groupBy(neighbors, ({ edge_type, direction }) => titleOf(edge_type, direction));
  return (
    <>
      <header class="row">
        <h2 id={panelHead} tabIndex={-1}>
          {name}
        </h2>
        <button type="button" class="plain" onClick={onClose} aria-label="Close the panel">
          ✕
        </button>
      </header>
      <p class="quiet">{[kind ?? type, language].filter(Boolean).join(', ')}</p>
      {path !== null && (
        <p>
          <code>
            {repository}/{path}
            {line === null ? '' : `:${line}`}
          </code>
        </p>
      )}
      {doc !== null && <p>{doc}</p>}
      {isRepository && <Measures node={node} />}
      <div class="row">
        {isRepository && (
          <button type="button" aria-pressed={isExpanded} onClick={() => onExpand(!isExpanded)}>
            {isExpanded ? 'Close what is inside' : 'Show what is inside'}
          </button>
        )}
        {isRepository && views.some((view) => view.id === 'repository') && (
          <a href={hrefOf('repository', { repo: id })}>Due diligence</a>
        )}
      </div>
      {children}
      {asked.error !== null && <Failure error={asked.error} again={asked.again} />}
      {isAsked && asked.answer === null && asked.error === null && <Skeleton lines={6} />}
      {[...groups].map(([title, group]) => (
        <section key={title}>
          <h3>
            {title} <span class="quiet">{format.whole(group.length)}</span>
          </h3>
          <ul class="nodes">
            {group.slice(0, maxNeighbors).map((neighbor) => (
              <li key={neighbor.id}>
                <NodeButton node={neighbor} from={repository} onSelect={onSelect} />
                {neighbor.weight > 1 && <span class="quiet">{format.whole(neighbor.weight)}×</span>}
                {neighbor.confidence < 1 && (
                  <span class="quiet" title={`How certain: ${format.share(neighbor.confidence)}`}>
                    {format.share(neighbor.confidence)}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {total > shown && (
        <p class="quiet">
          The first {format.whole(shown)} of {format.whole(total)}.
        </p>
      )}
    </>
  );
}

/** Who is next to a node, with an entry for each edge: who calls and is called stands in two lists. */
interface NextTo {
  neighbors: readonly Neighbor[];
  total: number;
  /** Of them. */
  shown: number;
}

const ofGraph = (neighbors: readonly Neighbor[]): NextTo => ({
  neighbors,
  total: neighbors.length,
  shown: neighbors.length,
});

function ofAnswer(answer: NeighborsAnswer | null): NextTo {
  if (answer === null) return ofGraph([]);
  const neighbors = answer.neighbors.flatMap(({ edges, ...node }) =>
    edges.map(({ type, direction, weight, confidence }) => ({
      ...node,
      edge_type: type,
      direction,
      weight,
      confidence,
    })),
  );
  return { neighbors, total: answer.total_neighbors, shown: answer.neighbors.length };
}

function Measures({ node: { grade = null, score, loc, counts } }: { node: GraphNode }) {
  const { Function: functions, Class: classes, Endpoint: endpoints } = counts?.nodes ?? {};
  return (
    <dl class="pairs">
      <dt>Grade</dt>
      <dd>
        <Grade grade={grade} />{' '}
        {score !== null && score !== undefined && <span class="quiet">{format.tenth(score)} of 100</span>}
      </dd>
      <dt>Lines of code</dt>
      <dd>{format.whole(loc)}</dd>
      <dt>Inside</dt>
      <dd>
        {[
          format.count(functions ?? 0, 'function'),
          format.count(classes ?? 0, 'class', 'classes'),
          ...(endpoints ? [format.count(endpoints, 'endpoint')] : []),
        ].join(', ')}
      </dd>
    </dl>
  );
}

/** Who is at the other end. */
function titleOf(type: keyof typeof edgeKinds, direction: 'in' | 'out'): string {
  const inward = {
    DEPENDS_ON: 'Needed by',
    IMPORTS: 'Imported by',
    CALLS: 'Called by',
    INHERITS: 'Inherited by',
    CONTAINS: 'Contained in',
    CONTRIBUTED_TO: 'Contributors',
  };
  const { title } = edgeKinds[type];
  return direction === 'in' ? inward[type] : `${title[0]?.toUpperCase() ?? ''}${title.slice(1)}`;
}
