import { useEffect, useMemo, useState } from 'preact/hooks';
import type { GraphAnswer } from '../../../graph/repository-graph.ts';
import type { Api, ApiError } from '../api.ts';
import { asApiError, useAnswer } from '../use-answer.ts';
import { addTo, emptyGraph } from './code-graph.ts';
import type { CodeGraph } from './code-graph.ts';
import { dress } from './appearance.ts';
import type { Coloring } from './appearance.ts';
import { around, layOut, place } from './layout.ts';

/** Of a repository's symbols, at most so many are drawn. */
const mostSymbols = 10_000;
const pageSize = 1_000;

export interface Shown {
  graph: CodeGraph;
  /** Changes with everything that the drawing must follow. */
  version: number;
  error: ApiError | null;
  isLoading: boolean;
  /** What is not shown, and why. */
  notice: string | null;
  again: () => void;
}

interface Grades {
  repositories: { repo: string; score: number | null; grade: string | null; loc_code: number | null }[];
}

/** The graph of all repositories, with those that are opened shown from the inside. */
export function useCodeGraph(api: Api, expanded: readonly string[], coloring: Coloring): Shown {
  const whole = useAnswer<GraphAnswer>(api, '/api/graph');
  // Without due diligence there is a graph all the same.
  const grades = useAnswer<Grades>(api, '/api/dd/executive');
  const isReady = whole.answer !== null && !grades.isLoading;
  const [version, setVersion] = useState(0);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const [isLaying, setLaying] = useState(true);
  const changed = () => setVersion((count) => count + 1);

  const base = useMemo(() => {
    const graph = emptyGraph();
    if (whole.answer === null || !isReady) return graph;
    const graded = new Map(grades.answer?.repositories.map((each) => [each.repo, each]));
    const nodes = whole.answer.nodes.map((node) => {
      const { grade = null, score = null, loc_code: loc = null } = graded.get(node.id) ?? {};
      return { ...node, grade, score, loc };
    });
    addTo(graph, nodes, whole.answer.edges);
    dress(graph, coloring);
    return graph;
  }, [isReady, whole.answer, grades.answer]);

  const [isPlaced, setPlaced] = useState(false);
  useEffect(() => {
    if (base.order === 0) return;
    const controller = new AbortController();
    const show = (positions: Parameters<typeof place>[1]) => {
      place(base, positions);
      changed();
    };
    setLaying(true);
    layOut(base, base.nodes(), { signal: controller.signal, ...(isStill() ? {} : { onPositions: show }) }).then(
      (positions) => {
        show(positions);
        setPlaced(true);
        setLaying(false);
      },
      (error: unknown) => setProblem(asApiError(error)),
    );
    return () => controller.abort();
  }, [base]);

  const wanted = expanded.join();
  useEffect(() => {
    if (!isPlaced || wanted === '') return;
    const controller = new AbortController();
    setLaying(true);
    expandAll(api, base, wanted.split(','), { signal: controller.signal, onChange: isStill() ? () => {} : changed })
      .then((left) => {
        dress(base, coloring);
        setNotice(left);
        setProblem(null);
        changed();
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setProblem(asApiError(error));
      })
      .finally(() => {
        if (!controller.signal.aborted) setLaying(false);
      });
    return () => controller.abort();
  }, [api, base, isPlaced, wanted]);

  // What is not wanted any more is taken out at once.
  useMemo(() => {
    const open = new Set(expanded);
    const closed = base.filterNodes((_, { node }) => isInside(node) && !open.has(node.repository ?? ''));
    for (const node of closed) base.dropNode(node);
    if (closed.length > 0) setNotice(null);
  }, [base, wanted]);

  useEffect(() => {
    const paint = () => {
      dress(base, coloring);
      changed();
    };
    paint();
    addEventListener('themechange', paint);
    return () => removeEventListener('themechange', paint);
  }, [base, coloring]);

  return {
    graph: base,
    version,
    error: whole.error ?? problem,
    isLoading: !isReady || isLaying,
    notice,
    again: whole.again,
  };
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

const isInside = ({ id, type, repository }: { id: string; type: string; repository: string | null }) =>
  type !== 'Repository' && type !== 'Contributor' && repository !== id;

/** Says what was left out. */
async function expandAll(
  api: Api,
  graph: CodeGraph,
  repositories: readonly string[],
  { signal, onChange }: { signal: AbortSignal; onChange: () => void },
): Promise<string | null> {
  let left: string | null = null;
  for (const repository of repositories) {
    if (!graph.hasNode(repository) || graph.someNode((_, { node }) => isInside(node) && node.repository === repository))
      continue;
    const pages: GraphAnswer[] = [];
    for (let page = 1, pageCount = 1; page <= Math.min(pageCount, mostSymbols / pageSize); page++) {
      const query = { level: 'symbol', repo: repository, page, page_size: pageSize };
      const answer = await api.get<GraphAnswer>('/api/graph', query, signal);
      pageCount = answer.total_pages;
      pages.push(answer);
    }
    const nodes = pages.flatMap((page) => page.nodes);
    const total = pages[0]?.total_nodes ?? 0;
    if (nodes.length < total) left = `Of ${repository}, ${nodes.length} of ${total} parts are shown.`;
    addTo(
      graph,
      nodes,
      pages.flatMap((page) => page.edges),
    );
    const inside = nodes.filter(isInside).map(({ id }) => id);
    const { x, y } = graph.getNodeAttributes(repository);
    place(graph, new Map(inside.map((node) => [node, { x, y }])));
    const show = (positions: Parameters<typeof place>[1]) => {
      place(graph, around(graph, repository, positions));
      onChange();
    };
    show(await layOut(graph, inside, { signal, onPositions: show }));
  }
  return left;
}
