import { useEffect, useRef } from 'preact/hooks';
import { Sigma } from 'sigma';
import { colorOf } from '../theme.ts';
import type { CodeGraph, EdgeAttributes, NodeAttributes } from './code-graph.ts';
import { hoverLabel, labelFont } from './draw-labels.ts';
import { neighborhood } from './emphasis.ts';
import type { Emphasis } from './emphasis.ts';

/** Where one looks, and how near: `x,y,ratio`. */
export type Sight = readonly [x: number, y: number, ratio: number];

/** Moves what is drawn, for buttons and keys. */
export interface Pilot {
  zoom(factor: number): void;
  pan(right: number, down: number): void;
  whole(): void;
  /** Brings these into sight where they are not. */
  show(nodes: readonly string[]): void;
}

type Renderer = Sigma<NodeAttributes, EdgeAttributes>;

/** So many edges are left out while it is moved. */
const manyEdges = 100_000;
/** So few all have their names. */
const fewNodes = 60;

/** The graph as WebGL draws it. */
export function Canvas({
  graph,
  version,
  emphasis,
  sight,
  onSight,
  onSelect,
  onPilot,
}: {
  graph: CodeGraph;
  version: number;
  emphasis: Emphasis;
  /** At the beginning; null shows all. */
  sight: Sight | null;
  onSight: (sight: Sight) => void;
  onSelect: (node: string | null) => void;
  onPilot: (pilot: Pilot) => void;
}) {
  const container = useRef<HTMLDivElement>(null);
  const renderer = useRef<Renderer | null>(null);
  const pilot = useRef<Pilot | null>(null);
  const current = useRef<State & { onSight: typeof onSight; onSelect: typeof onSelect }>({
    graph,
    emphasis,
    hovered: null,
    back: '',
    text: '',
    onSight,
    onSelect,
  });
  Object.assign(current.current, { emphasis, onSight, onSelect });

  useEffect(() => {
    if (container.current === null) return;
    const state = current.current;
    const paint = () => Object.assign(state, { back: colorOf('--track'), text: colorOf('--text') });
    paint();
    const made: Renderer = new Sigma(graph, container.current, {
      ...themed(),
      allowInvalidContainer: true,
      labelFont,
      labelSize: 13,
      labelDensity: 1,
      minEdgeThickness: 0.8,
      minCameraRatio: 0.002,
      maxCameraRatio: 4,
      stagePadding: 40,
      zIndex: true,
      ...reducers(state),
    });
    renderer.current = made;
    const camera = made.getCamera();
    if (sight !== null) camera.setState({ x: sight[0], y: sight[1], ratio: sight[2] });
    const hover = (node: string | null) => {
      const before = state.hovered;
      made.getContainer().style.cursor = node === null ? '' : 'pointer';
      state.hovered = node === null ? null : neighborhood(state.graph, node, state.emphasis.hidden);
      if (!isCrowded(state.graph)) made.refresh({ skipIndexation: true });
      else
        made.refresh({
          partialGraph: { edges: [before, state.hovered].flatMap((each) => [...(each?.edges ?? [])]) },
          skipIndexation: true,
        });
    };
    made.on('enterNode', ({ node }) => hover(node));
    made.on('leaveNode', () => hover(null));
    made.on('clickNode', ({ node }) => state.onSelect(node));
    made.on('clickStage', () => state.onSelect(null));
    let resting: ReturnType<typeof setTimeout> | undefined;
    camera.on('updated', ({ x, y, ratio }) => {
      clearTimeout(resting);
      resting = setTimeout(() => state.onSight([x, y, ratio]), 300);
    });
    pilot.current = pilotOf(made);
    onPilot(pilot.current);
    const repaint = () => {
      paint();
      made.setSettings(themed());
      made.refresh();
    };
    addEventListener('themechange', repaint);
    const resized = new ResizeObserver(() => {
      made.resize();
      made.refresh({ skipIndexation: true });
    });
    resized.observe(container.current);
    return () => {
      clearTimeout(resting);
      resized.disconnect();
      removeEventListener('themechange', repaint);
      renderer.current = null;
      made.kill();
    };
  }, []);

  useEffect(() => {
    if (current.current.graph !== graph) Object.assign(current.current, { graph, hovered: null });
    if (renderer.current?.getGraph() !== graph) renderer.current?.setGraph(graph);
    renderer.current?.setSettings({
      hideEdgesOnMove: graph.size > manyEdges,
      labelRenderedSizeThreshold: graph.order < fewNodes ? 0 : 4,
    });
    renderer.current?.refresh();
  }, [graph, version]);
  useEffect(() => void renderer.current?.refresh({ skipIndexation: true }), [emphasis]);

  return (
    <div
      class="canvas"
      ref={container}
      role="img"
      aria-label="The graph, as a drawing; the table shows the same"
      tabIndex={0}
      onKeyDown={(event) => {
        const move = moves[event.key];
        if (move === undefined || pilot.current === null) return;
        event.preventDefault();
        move(pilot.current);
      }}
    />
  );
}

/** What keys do while the drawing has the focus. */
const moves: Record<string, (pilot: Pilot) => void> = {
  ArrowLeft: (pilot) => pilot.pan(-0.1, 0),
  ArrowRight: (pilot) => pilot.pan(0.1, 0),
  ArrowUp: (pilot) => pilot.pan(0, -0.1),
  ArrowDown: (pilot) => pilot.pan(0, 0.1),
  '+': (pilot) => pilot.zoom(0.6),
  '-': (pilot) => pilot.zoom(1 / 0.6),
  '0': (pilot) => pilot.whole(),
};

const themed = () => ({ labelColor: { color: colorOf('--text') }, defaultDrawNodeHover: hoverLabel() });

interface State {
  graph: CodeGraph;
  emphasis: Emphasis;
  /** What is next to what is under the pointer. */
  hovered: ReturnType<typeof neighborhood> | null;
  back: string;
  text: string;
}

/** How each node and edge is drawn now. */
function reducers(state: State) {
  /** What is under the pointer is set apart; where there is much, it is only brought out, so that the rest stays as it is drawn. */
  const setApart = () => (state.hovered !== null && !isCrowded(state.graph) ? state.hovered : state.emphasis);
  return {
    nodeReducer(node: string, data: NodeAttributes) {
      const { emphasis, back } = state;
      if (data.node.type === 'Contributor' && emphasis.hidden.has('CONTRIBUTED_TO')) return { ...data, hidden: true };
      const { nodes } = setApart();
      if (node === emphasis.selected) return { ...data, highlighted: true, forceLabel: true, zIndex: 2 };
      if (nodes === null) return data;
      if (nodes.has(node)) return { ...data, forceLabel: nodes.size < 40, zIndex: 1 };
      return { ...data, color: back, label: '', zIndex: 0 };
    },
    edgeReducer(edge: string, data: EdgeAttributes) {
      const { emphasis, hovered, text } = state;
      if (emphasis.hidden.has(data.kind)) return { ...data, hidden: true };
      if (isCrowded(state.graph) && hovered?.edges.has(edge)) return { ...data, color: text, size: data.size + 1 };
      const { edges } = setApart();
      return edges === null || edges.has(edge) ? data : { ...data, hidden: true };
    },
  };
}

const isCrowded = (graph: CodeGraph) => graph.size > 5_000;

function pilotOf(renderer: Renderer): Pilot {
  const camera = renderer.getCamera();
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  let isGone = false;
  renderer.on('kill', () => {
    isGone = true;
  });
  const go = (to: { x?: number; y?: number; ratio?: number }) =>
    isStill ? camera.setState(to) : void camera.animate(to, { duration: 300 });
  return {
    zoom: (factor) => go({ ratio: Math.min(4, Math.max(0.002, camera.ratio * factor)) }),
    pan: (right, down) => go({ x: camera.x + right * camera.ratio, y: camera.y - down * camera.ratio }),
    whole: () => go({ x: 0.5, y: 0.5, ratio: 1 }),
    show(nodes) {
      if (isGone) return;
      // Until it is drawn, what changed has no place.
      renderer.refresh();
      const places = nodes.flatMap((node) => renderer.getNodeDisplayData(node) ?? []);
      const { width, height } = renderer.getDimensions();
      const isInSight = places.every((place) => {
        const { x, y } = renderer.framedGraphToViewport(place);
        return x > 0 && y > 0 && x < width && y < height;
      });
      const [left, right, top, bottom] = boundsOf(places);
      const ratio = Math.min(1, 1.3 * Math.max(right - left, bottom - top));
      // A single one is not gone near to: around it is what it is about.
      const isNear = places.length === 1 || camera.ratio < 3 * ratio;
      if (places.length === 0 || (isInSight && isNear)) return;
      go({ x: (left + right) / 2, y: (top + bottom) / 2, ratio: places.length === 1 ? camera.ratio : ratio });
    },
  };
}

function boundsOf(places: readonly { x: number; y: number }[]): [number, number, number, number] {
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
}

/** Whether this browser draws with WebGL 2. */
export function hasWebGl(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  // There are few of them.
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}
