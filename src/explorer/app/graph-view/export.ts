import { colorOf } from '../theme.ts';
import type { CodeGraph } from './code-graph.ts';
import type { Emphasis } from './emphasis.ts';

const width = 1600;
const height = 1200;
const margin = 60;

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The whole graph as a drawing; labels stand at what is largest. */
export function toSvg(graph: CodeGraph, { hidden }: Pick<Emphasis, 'hidden'>): string {
  const nodes = graph
    .filterNodes((_, { node }) => node.type !== 'Contributor' || !hidden.has('CONTRIBUTED_TO'))
    .map((id) => graph.getNodeAttributes(id));
  const xs = nodes.map(({ x }) => x);
  const ys = nodes.map(({ y }) => y);
  const [left, top] = [lowest(xs), lowest(ys)];
  const spread = Math.max(
    (highest(xs) - left) / (width - 2 * margin),
    (highest(ys) - top) / (height - 2 * margin),
    1e-9,
  );
  const at = ({ x, y }: { x: number; y: number }) => ({
    x: (margin + (x - left) / spread).toFixed(1),
    // In a drawing down is more, in the graph less.
    y: (height - margin - (y - top) / spread).toFixed(1),
  });
  const lines = graph
    .filterEdges((_, { kind }) => !hidden.has(kind))
    .map((edge) => {
      const { color, size } = graph.getEdgeAttributes(edge);
      const [from, to] = graph.extremities(edge).map((end) => at(graph.getNodeAttributes(end)));
      return `<line x1="${from?.x}" y1="${from?.y}" x2="${to?.x}" y2="${to?.y}" stroke="${color}" stroke-width="${size.toFixed(1)}"/>`;
    });
  const circles = nodes.map((node) => {
    const { x, y } = at(node);
    return `<circle cx="${x}" cy="${y}" r="${node.size.toFixed(1)}" fill="${node.color}"><title>${escape(node.label)}</title></circle>`;
  });
  const labels = nodes
    .toSorted((a, b) => b.size - a.size)
    .slice(0, 100)
    .map((node) => {
      const { x, y } = at(node);
      return `<text x="${Number(x) + node.size + 3}" y="${Number(y) + 4}">${escape(node.label)}</text>`;
    });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">
<rect width="100%" height="100%" fill="${colorOf('--back')}"/>
<g stroke-opacity="0.6">
${lines.join('\n')}
</g>
${circles.join('\n')}
<g fill="${colorOf('--text')}">
${labels.join('\n')}
</g>
</svg>
`;
}

// Not by spreading: there may be more than a call takes.
const lowest = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Infinity);
const highest = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), -Infinity);

/** The same drawing as an image. */
export async function toPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error('The image could not be made.')) : resolve(blob))),
  );
}

const nodeFields = ['type', 'name', 'kind', 'language', 'repository', 'path', 'line', 'grade', 'score', 'loc'] as const;

/** What is shown, for Gephi, yEd and the like. */
export function toGraphMl(graph: CodeGraph): string {
  const keys = [
    ...nodeFields.map((field) => `<key id="${field}" for="node" attr.name="${field}" attr.type="string"/>`),
    '<key id="edge_type" for="edge" attr.name="type" attr.type="string"/>',
    '<key id="weight" for="edge" attr.name="weight" attr.type="double"/>',
    '<key id="confidence" for="edge" attr.name="confidence" attr.type="double"/>',
  ];
  const nodes = graph.mapNodes((id, { node }) => {
    const known = nodeFields.flatMap((field) => {
      const value = node[field];
      return value === null || value === undefined ? [] : [`<data key="${field}">${escape(String(value))}</data>`];
    });
    return `<node id="${escape(id)}">${known.join('')}</node>`;
  });
  const edges = graph.mapEdges(
    (_, { kind, weight, confidence }, from, to) =>
      `<edge source="${escape(from)}" target="${escape(to)}"><data key="edge_type">${kind}</data><data key="weight">${weight}</data><data key="confidence">${confidence}</data></edge>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
${keys.join('\n')}
<graph edgedefault="directed">
${nodes.join('\n')}
${edges.join('\n')}
</graph>
</graphml>
`;
}
