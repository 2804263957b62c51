import { useMemo, useState } from 'preact/hooks';
import { Empty } from '../components/empty.tsx';
import { Grade } from '../components/grade.tsx';
import { Table } from '../components/table.tsx';
import type { Column, Sort } from '../components/table.tsx';
import { format } from '../format.ts';
import type { CodeGraph, GraphNode } from './code-graph.ts';
import { NodeButton } from './node-button.tsx';

interface Row {
  node: GraphNode;
  edges: number;
}

const shownAtOnce = 200;

const figures: Record<string, (row: Row) => string | number> = {
  name: ({ node }) => node.name.toLowerCase(),
  type: ({ node }) => node.kind ?? node.type,
  language: ({ node }) => node.language ?? '',
  grade: ({ node }) => node.score ?? -1,
  loc: ({ node }) => node.loc ?? -1,
  edges: ({ edges }) => edges,
};

/** The same as the drawing shows, as a table: for who does not see it, uses keys alone, or has no WebGL. */
export function NodeTable({
  graph,
  version,
  onSelect,
}: {
  graph: CodeGraph;
  version: number;
  onSelect: (node: GraphNode) => void;
}) {
  const [sort, setSort] = useState<Sort>({ column: 'edges', order: 'desc' });
  const [count, setCount] = useState(shownAtOnce);
  const rows = useMemo(() => {
    const figure = figures[sort.column] ?? (() => 0);
    const sign = sort.order === 'asc' ? 1 : -1;
    return graph
      .mapNodes((id, { node }) => ({ node, edges: graph.degree(id) }))
      .sort((a, b) => {
        const [one, other] = [figure(a), figure(b)];
        return sign * (one < other ? -1 : one > other ? 1 : 0) || (a.node.id < b.node.id ? -1 : 1);
      });
  }, [graph, version, sort]);
  const columns: Column<Row>[] = [
    {
      id: 'name',
      title: 'Name',
      isHead: true,
      sortable: true,
      cell: ({ node }) => <NodeButton node={node} from={null} onSelect={onSelect} />,
    },
    { id: 'type', title: 'What', sortable: true, cell: ({ node }) => node.kind ?? node.type },
    { id: 'language', title: 'Language', sortable: true, cell: ({ node }) => node.language },
    {
      id: 'grade',
      title: 'Grade',
      sortable: true,
      align: 'end',
      cell: ({ node }) => node.type === 'Repository' && <Grade grade={node.grade ?? null} />,
    },
    {
      id: 'loc',
      title: 'Lines',
      sortable: true,
      align: 'end',
      cell: ({ node }) => node.type === 'Repository' && format.whole(node.loc),
    },
    { id: 'edges', title: 'Edges', sortable: true, align: 'end', cell: ({ edges }) => format.whole(edges) },
  ];
  if (rows.length === 0)
    return (
      <Empty title="Nothing is loaded yet">
        <p>
          <code>repo-intel load PATH</code> loads a repository.
        </p>
      </Empty>
    );
  return (
    <>
      <Table
        caption="Nodes of the graph"
        columns={columns}
        rows={rows.slice(0, count)}
        keyOf={({ node }) => node.id}
        sort={sort}
        onSort={setSort}
      />
      {rows.length > count && (
        <p class="row">
          <span class="quiet">
            {format.whole(count)} of {format.whole(rows.length)}
          </span>
          <button type="button" onClick={() => setCount(count + shownAtOnce)}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}
