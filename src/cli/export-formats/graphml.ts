import { batchSize, type ExportFormat } from './format.ts';

const nodeKeys = {
  type: 'string',
  name: 'string',
  kind: 'string',
  repository: 'string',
  qualified_name: 'string',
  language: 'string',
  path: 'string',
  line: 'int',
  signature: 'string',
  exported: 'boolean',
  properties: 'string',
} as const;
const edgeKeys = {
  type: 'string',
  weight: 'double',
  confidence: 'double',
  strategy: 'string',
  path: 'string',
  line: 'int',
} as const;

/** GraphML, as Gephi, yEd, Cytoscape and networkx read it; `properties` is JSON. An edge whose ends are not both written is left out. */
export const graphml: ExportFormat = async function* (graph, { repository, types }) {
  const of = repository === undefined ? {} : { repository };
  yield `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
${declarations('node', nodeKeys)}${declarations('edge', edgeKeys)}<graph id="repositories" edgedefault="directed">
`;
  // Of one repository: its links lead to others, which are not written.
  const written = repository === undefined ? null : new Set<string>();
  let lines: string[] = [];
  let count = 0;
  for await (const node of graph.nodes(of)) {
    written?.add(node.id);
    lines.push(
      element('node', `id="${escaped(node.id)}"`, nodeKeys, { ...node, properties: JSON.stringify(node.properties) }),
    );
    if (lines.length >= batchSize) yield lines.splice(0).join('');
  }
  for await (const edge of graph.edges({ ...of, ...(types ? { types } : {}) })) {
    if (written && !(written.has(edge.from) && written.has(edge.to))) continue;
    count++;
    lines.push(element('edge', `source="${escaped(edge.from)}" target="${escaped(edge.to)}"`, edgeKeys, edge));
    if (lines.length >= batchSize) yield lines.splice(0).join('');
  }
  yield `${lines.join('')}</graph>\n</graphml>\n`;
  return count;
};

const declarations = (what: 'node' | 'edge', keys: Readonly<Record<string, string>>) =>
  Object.entries(keys)
    .map(([name, type]) => `<key id="${what}_${name}" for="${what}" attr.name="${name}" attr.type="${type}"/>\n`)
    .join('');

function element(
  what: 'node' | 'edge',
  attributes: string,
  keys: Readonly<Record<string, string>>,
  values: Readonly<Record<string, unknown>>,
): string {
  const data = Object.keys(keys)
    .filter((name) => values[name] !== null)
    .map((name) => `<data key="${what}_${name}">${escaped(String(values[name]))}</data>`);
  return `<${what} ${attributes}>${data.join('')}</${what}>\n`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no form at all for most control characters: they are written as U+FFFD. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- they are what is meant
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll(/[&<>"\t\n\r]/g, (char) => entities[char] ?? `&#${char.charCodeAt(0)};`)
  );
}
