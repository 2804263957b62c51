import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { exportFormats } from '../../src/cli/export-formats/index.ts';
import type { ExportFormat, Exported } from '../../src/cli/export-formats/format.ts';
import { openSqliteGraph } from '../../src/stores/graph/sqlite.ts';
import type { GraphStore } from '../../src/stores/graph/port.ts';
import { edge, repository } from '../contract/graph-store.ts';
import { putLinks } from '../support/put-links.ts';
import { temporaryFolder } from '../support/git-repository.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Clears the screen, sets the title of the window, turns what follows around. */
const steering = '\u001b[2J\u001b]0;owned\u0007\u202egpj.exe\u009b1m';

const unseen = /[^\P{Cc}\r\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

describe('export formats', () => {
  const folder = temporaryFolder();
  let graph: GraphStore;
  before(async () => {
    graph = await openSqliteGraph({ file: join(folder, 'graph.db') });
    const naughty = ['<a href="&amp;">', '=cmd()', 'line\nbreak\u0000\u0001', 'comma, "quoted"', '𝔘\ud800', steering];
    await graph.replaceRepository(repository('a', { symbols: naughty, contributors: ['ann'] }));
    await graph.replaceRepository(repository('b'));
    await putLinks(graph, [edge('DEPENDS_ON', 'a', 'b')]);
  });
  after(async () => {
    await graph.close();
    await rm(folder, { recursive: true });
  });

  async function written(format: ExportFormat, wanted: Exported = {}) {
    let text = '';
    const parts = format(graph, wanted);
    let part = await parts.next();
    for (; !part.done; part = await parts.next()) text += part.value;
    return { text, count: part.value };
  }

  interface Element {
    id: string;
    source: string;
    target: string;
    data: { key: string; '#text': string }[];
  }

  function graphmlOf(text: string): { node: Element[]; edge: Element[] } {
    expect(XMLValidator.validate(text)).equals(true);
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '',
      parseTagValue: false,
      trimValues: false,
      isArray: (name) => ['node', 'edge', 'data'].includes(name),
    });
    const document = parser.parse(text) as { graphml: { graph: { node: Element[]; edge: Element[] } } };
    return document.graphml.graph;
  }

  it('graphml: every node and edge once, well-formed whatever the names hold', async () => {
    const { text, count } = await written(exportFormats.graphml);
    const { node, edge: edges } = graphmlOf(text);
    const [nodes, all] = [await Array.fromAsync(graph.nodes()), await Array.fromAsync(graph.edges())];
    expect([node.length, edges.length, count]).deep.equals([nodes.length, all.length, all.length]);
    const ids = new Set(node.map(({ id }) => id));
    for (const { source, target } of edges) expect([ids.has(source), ids.has(target)]).deep.equals([true, true]);
    const names = node.map(({ data }) => data.find(({ key }) => key === 'node_name')?.['#text']);
    expect(names).includes.members(['<a href="&amp;">', '=cmd()', 'comma, "quoted"', 'a', 'b']);
    expect(text).includes('<data key="edge_confidence">0.75</data>');
  });

  it('graphml of one repository has no edge that leads out of it', async () => {
    const { edge: edges, node } = graphmlOf((await written(exportFormats.graphml, { repository: 'a' })).text);
    expect(edges.map(({ target }) => target)).not.includes('b');
    expect(node.map(({ id }) => id)).not.includes('b');
  });

  it('csv: a header and a line for each edge or node, nothing a spreadsheet would run', async () => {
    const edges = parse((await written(exportFormats.csv, { types: ['DEPENDS_ON'] })).text, { columns: true });
    expect(edges).deep.equals([
      { type: 'DEPENDS_ON', from: 'a', to: 'b', weight: '1', confidence: '1', strategy: 'import', path: '', line: '' },
    ]);
    const { text, count } = await written(exportFormats['nodes-csv']);
    const nodes = parse(text, { columns: true }) as unknown as Record<string, string>[];
    expect(nodes.length).equals(count);
    expect(nodes.map(({ name }) => name)).includes.members(["'=cmd()", 'comma, "quoted"', 'ann']);
    expect(JSON.parse(nodes[0]?.['properties'] ?? '')).deep.includes({ commits: 3 });
    expect(text).not.match(unseen);
    expect(nodes.map(({ name }) => name)).includes('\\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{202e}gpj.exe\\u{9b}1m');
  });

  it('edges: a JSON line an edge', async () => {
    const { text, count } = await written(exportFormats.edges);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).deep.equals(await Array.fromAsync(graph.edges()));
    expect(count).equals(lines.length);
  });
});
