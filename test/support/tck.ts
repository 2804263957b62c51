import { readFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin';
import { IdGenerator } from '@cucumber/messages';
import { EdgeValue, NodeValue, PathValue } from '../../src/model/property-graph.ts';
import type { Value } from '../../src/model/property-graph.ts';
import { shown } from './memory-graph.ts';

/** One scenario of the openCypher TCK, examples filled in. */
export interface Scenario {
  /** `Match1: [3] Matching …` */
  name: string;
  /** What makes the graph: queries, or the name of one that is in a file. */
  setup: string[];
  parameters: [string, string][];
  /** It declares procedures. */
  isProcedure: boolean;
  query: string;
  expected:
    | { kind: 'rows'; columns: string[]; rows: string[][]; inOrder: boolean; sortLists: boolean }
    | { kind: 'failure'; failure: string; reason: string };
}

const noRows: Scenario['expected'] = { kind: 'rows', columns: [], rows: [], inOrder: false, sortLists: false };

/** All scenarios below a folder that holds the features and graphs of the TCK. */
export function scenariosIn(folder: string): Scenario[] {
  const newId = IdGenerator.incrementing();
  return globSync('features/**/*.feature', { cwd: folder })
    .sort()
    .flatMap((path) => {
      const parser = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher());
      const document = parser.parse(readFileSync(join(folder, path), 'utf8'));
      return compile(document, path, newId).map((pickle) => {
        const scenario: Scenario = {
          name: `${document.feature?.name.split(' ')[0]}: ${pickle.name}`,
          setup: [],
          parameters: [],
          isProcedure: false,
          query: '',
          expected: noRows,
        };
        for (const { text, argument } of pickle.steps) {
          const table = argument?.dataTable?.rows.map(({ cells }) => cells.map(({ value }) => value)) ?? [];
          read(scenario, text, argument?.docString?.content ?? '', table, folder);
        }
        return scenario;
      });
    });
}

function read(scenario: Scenario, text: string, query: string, table: string[][], folder: string): void {
  const [, graph] = /^the (\S+) graph$/.exec(text) ?? [];
  const [, failure, reason] = /^an? (\w+) should be raised at [\w ]+: (\S+)$/.exec(text) ?? [];
  if (graph !== undefined) scenario.setup.push(readFileSync(join(folder, 'graphs', graph, `${graph}.cypher`), 'utf8'));
  else if (text === 'having executed:') scenario.setup.push(query);
  else if (text === 'parameters are:') scenario.parameters = table.map(([name = '', value = '']) => [name, value]);
  else if (text === 'executing query:' && scenario.query === '') scenario.query = query;
  else if (text.startsWith('there exists a procedure')) scenario.isProcedure = true;
  else if (failure !== undefined && reason !== undefined) scenario.expected = { kind: 'failure', failure, reason };
  else if (text === 'the result should be empty') scenario.expected = noRows;
  else if (text.startsWith('the result should be')) {
    const [columns = [], ...rows] = table;
    scenario.expected = {
      kind: 'rows',
      columns,
      rows,
      inOrder: text.includes('in order'),
      sortLists: text.includes('ignoring element order'),
    };
  }
}

/** A value as the TCK writes it, read and written again, so that spaces and the order of properties do not matter. */
export function normalized(text: string, sortLists: boolean): string {
  return shown(new ValueReader(text).read(), sortLists);
}

export const valueIn = (text: string): Value => new ValueReader(text).read();

/** Reads values as the TCK writes them. */
class ValueReader {
  private at = 0;
  private readonly text: string;
  private keys = 0;
  constructor(text: string) {
    this.text = text;
  }

  read(): Value {
    this.spaces();
    const first = this.text.charAt(this.at);
    if (first === "'") return this.string();
    if (first === '[')
      return this.text.charAt(this.at + 1) === ':'
        ? this.edge(new NodeValue('a', []), new NodeValue('b', []), true)
        : this.list();
    if (first === '{') return this.map();
    if (first === '(') return this.node();
    if (first === '<') return this.path();
    const [word = ''] = /^[^,\]}\s)>|]+/.exec(this.text.slice(this.at)) ?? [];
    this.at += word.length;
    if (word === 'null') return null;
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === 'NaN') return Number.NaN;
    return /^-?\d+$/.test(word) ? BigInt(word) : Number(word);
  }

  private spaces(): void {
    while (this.text.charAt(this.at) === ' ') this.at++;
  }

  private take(symbol: string): boolean {
    this.spaces();
    if (!this.text.startsWith(symbol, this.at)) return false;
    this.at += symbol.length;
    return true;
  }

  private string(): string {
    let value = '';
    for (this.at += 1; this.text.charAt(this.at) !== "'"; this.at++) {
      if (this.text.charAt(this.at) === '\\') this.at++;
      value += this.text.charAt(this.at);
    }
    this.at++;
    return value;
  }

  private list(): Value[] {
    const items: Value[] = [];
    this.take('[');
    while (!this.take(']')) {
      items.push(this.read());
      this.take(',');
    }
    return items;
  }

  private map(): Map<string, Value> {
    const entries = new Map<string, Value>();
    this.spaces();
    if (!this.take('{')) return entries;
    while (!this.take('}')) {
      this.spaces();
      const [name = ''] = /^[^:\s]+/.exec(this.text.slice(this.at)) ?? [];
      this.at += name.length;
      this.take(':');
      entries.set(name, this.read());
      this.take(',');
    }
    return entries;
  }

  private names(): string[] {
    const names: string[] = [];
    while (this.take(':')) {
      const [name = ''] = /^\w+/.exec(this.text.slice(this.at)) ?? [];
      this.at += name.length;
      names.push(name);
    }
    return names;
  }

  private node(): NodeValue {
    this.take('(');
    const node = new NodeValue(this.keys++, this.names());
    node.properties = this.map();
    this.take(')');
    return node;
  }

  private edge(left: NodeValue, right: NodeValue, isOut: boolean): EdgeValue {
    this.take('[');
    const [type = ''] = this.names();
    const edge = isOut ? new EdgeValue(this.keys++, type, left, right) : new EdgeValue(this.keys++, type, right, left);
    edge.properties = this.map();
    this.take(']');
    return edge;
  }

  private path(): PathValue {
    this.take('<');
    const nodes = [this.node()];
    const edges: EdgeValue[] = [];
    while (!this.take('>')) {
      const isOut = !this.take('<');
      this.take('-');
      const left = nodes.at(-1) ?? new NodeValue('', []);
      const right = new NodeValue('', []);
      const edge = this.edge(left, right, isOut);
      this.take('-');
      this.take('>');
      const node = this.node();
      nodes.push(node);
      edges.push(
        isOut ? new EdgeValue(edge.key, edge.type, left, node) : new EdgeValue(edge.key, edge.type, node, left),
      );
      const last = edges.at(-1);
      if (last) last.properties = edge.properties;
    }
    return new PathValue(nodes, edges);
  }
}
