import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Api, ApiError } from '../api.ts';
import { asApiError, useAnswer, useAsked } from '../use-answer.ts';
import { dress } from './appearance.ts';
import type { Coloring } from './appearance.ts';
import { addTo, emptyGraph } from './code-graph.ts';
import type { CodeGraph } from './code-graph.ts';
import { loadInside } from './load-inside.ts';
import type { Inside } from './load-inside.ts';
import { layOut, place } from './layout.ts';
import { loadPages } from './load-pages.ts';
import type { AllPages } from './load-pages.ts';

/** At most so many repositories and contributors are drawn. */
const maxNodes = 20_000;

/** The graph as it stands. */
export interface Shown {
  graph: CodeGraph;
  /** Changes with everything that the drawing must follow. */
  version: number;
  error: ApiError | null;
  isLoading: boolean;
  /** How much of what is loading has its place, from 0 to 1; null before anything has. */
  share: number | null;
  /** What is not shown, and why. */
  notice: string | null;
  again: () => void;
}

interface Grades {
  repositories: { repo: string; score: number | null; grade: string | null; loc_code: number | null }[];
}

/** The graph of all repositories, with those that are opened shown from the inside. */
export function useCodeGraph(api: Api, expanded: readonly string[], coloring: Coloring): Shown {
  const whole = useAsked(api, (signal) => loadPages(api, {}, { maxNodes, signal }), 'graph');
  // Without due diligence there is a graph all the same.
  const grades = useAnswer<Grades>(api, '/api/dd/executive');
  const isReady = whole.answer !== null && !grades.isLoading;
  const [version, setVersion] = useState(0);
  const changed = () => setVersion((count) => count + 1);
  const base = useMemo(
    () => (whole.answer === null || !isReady ? emptyGraph() : graphOf(whole.answer, grades.answer)),
    [isReady, whole.answer, grades.answer],
  );

  const [placed, setPlaced] = useState<CodeGraph | null>(null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [share, setShare] = useState<number | null>(null);
  useEffect(() => {
    if (base.order === 0) {
      if (isReady) setPlaced(base);
      return;
    }
    const controller = new AbortController();
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const show = (positions: Parameters<typeof place>[1]) => {
      place(base, positions);
      changed();
    };
    dress(base, coloring);
    layOut(base, base.nodes(), {
      signal: controller.signal,
      onShare: setShare,
      ...(isStill ? {} : { onPositions: show }),
    }).then(
      (positions) => {
        show(positions);
        setPlaced(base);
      },
      (error: unknown) => setProblem(asApiError(error)),
    );
    return () => controller.abort();
  }, [base]);

  const { opened, isOpening, notice } = useOpened(api, placed, expanded, setShare);
  const graph = opened ?? base;
  useEffect(() => {
    const paint = () => {
      dress(graph, coloring);
      changed();
    };
    paint();
    addEventListener('themechange', paint);
    return () => removeEventListener('themechange', paint);
  }, [graph, coloring]);

  return {
    graph,
    version,
    error: whole.error ?? problem,
    isLoading: placed !== base || isOpening,
    share,
    notice,
    again: whole.again,
  };
}

function graphOf({ nodes, edges }: AllPages, grades: Grades | null): CodeGraph {
  const graph = emptyGraph();
  const graded = new Map(grades?.repositories.map((each) => [each.repo, each]));
  const known = nodes.map((node) => {
    const { grade = null, score = null, loc_code: loc = null } = graded.get(node.id) ?? {};
    return { ...node, grade, score, loc };
  });
  addTo(graph, known, edges);
  return graph;
}

/**
 * A copy of the graph with what lies inside the repositories that are opened; the one before is shown until the next is there.
 * A copy, as sigma can't follow a graph that grows while it is drawn.
 */
function useOpened(
  api: Api,
  placed: CodeGraph | null,
  expanded: readonly string[],
  onShare: (share: number | null) => void,
) {
  const [state, setState] = useState<{ opened: CodeGraph | null; wanted: string; notice: string | null }>({
    opened: null,
    wanted: '',
    notice: null,
  });
  const known = useMemo(() => new Map<string, Inside>(), [placed]);
  const wanted = expanded.join();
  useEffect(() => {
    if (placed === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    const show = (notice: string | null) => {
      const parts = expanded.flatMap((repository) => known.get(repository) ?? []);
      const opened = parts.length === 0 ? null : placed.copy();
      for (const { nodes, edges, positions } of parts) {
        if (opened === null) break;
        addTo(opened, nodes, edges);
        place(opened, positions);
      }
      setState({ opened, wanted, notice });
    };
    const load = async () => {
      onShare(null);
      for (const repository of expanded)
        if (!known.has(repository) && placed.hasNode(repository))
          known.set(repository, await loadInside(api, placed, repository, { onShare, signal }));
    };
    load().then(
      () => show(expanded.flatMap((repository) => known.get(repository)?.leftOut ?? []).join(' ') || null),
      (error: unknown) => {
        if (!signal.aborted) show(`What is inside could not be shown: ${asApiError(error).message}`);
      },
    );
    return () => controller.abort();
  }, [api, placed, wanted]);
  return { opened: state.opened, notice: state.notice, isOpening: state.wanted !== wanted };
}
