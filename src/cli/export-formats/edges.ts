import { batchSize, type ExportFormat } from './format.ts';

/** A JSON line an edge. */
export const edges: ExportFormat = async function* (graph, wanted) {
  let count = 0;
  let lines: string[] = [];
  for await (const edge of graph.edges(wanted)) {
    count++;
    lines.push(`${JSON.stringify(edge)}\n`);
    if (lines.length >= batchSize) yield lines.splice(0).join('');
  }
  yield lines.join('');
  return count;
};
