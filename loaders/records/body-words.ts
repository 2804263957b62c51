import type { GraphNode } from '../../src/model/graph.ts';
import type { Rows, SourceRow } from '../../src/model/snapshot.ts';
import { parts } from '../../src/stores/search/port.ts';
import { textOf } from '../../src/stores/source/port.ts';
import { contentIn } from './source.ts';

/** A file's text. */
export interface FileText {
  path: string;
  text: string;
}

/** The texts that are kept, as often as one likes. */
export function* textsIn(source: Rows<SourceRow>): Generator<FileText> {
  for (const row of source) {
    const files = row.files.filter(({ left_out }) => left_out === undefined);
    if (files.length === 0) continue;
    const text = textOf(contentIn(row));
    for (const { path } of files) yield { path, text };
  }
}

/** So many words of a function or class are kept, those that tell it apart best. */
const maxWords = 60;
const IDENTIFIERS = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

interface Symbol {
  id: string;
  from: number;
  to: number;
  /** What it is found by without these. */
  known: string;
}

/**
 * The words of functions' and classes' bodies (identifiers, comments, literals; of lines within another symbol only the inner one's)
 * that are often in them and in few others of the repository, without what is in their names and their documentation. By id.
 */
export function bodyWords(nodes: Rows<GraphNode>, texts: () => Iterable<FileText>): (id: string) => string[] {
  const symbols = symbolsByPath(nodes);
  const found = new Map<string, number>();
  let count = 0;
  for (const { counts } of bodies(symbols, texts())) {
    count++;
    for (const word of counts.keys()) found.set(word, (found.get(word) ?? 0) + 1);
  }
  const words = new Map<string, string[]>();
  for (const { symbol, counts } of bodies(symbols, texts())) {
    const known = new Set(wordsIn(symbol.known));
    const weights = [...counts]
      .filter(([word]) => !known.has(word))
      .map(([word, times]) => ({ word, weight: (1 + Math.log(times)) * Math.log(1 + count / (found.get(word) ?? 1)) }))
      .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
    words.set(
      symbol.id,
      weights
        .slice(0, maxWords)
        .map(({ word }) => word)
        .sort(),
    );
  }
  return (id) => words.get(id) ?? [];
}

function symbolsByPath(nodes: Rows<GraphNode>): Map<string, Symbol[]> {
  const symbols = new Map<string, Symbol[]>();
  for (const { id, type, path, line, end_line, name, qualified_name, signature, doc } of nodes) {
    if ((type !== 'Function' && type !== 'Class') || path === null || line === null || end_line === null) continue;
    const known = [name, qualified_name, path, signature, doc].join(' ');
    const before = symbols.get(path);
    const symbol = { id, from: line, to: end_line, known };
    if (before === undefined) symbols.set(path, [symbol]);
    else before.push(symbol);
  }
  return symbols;
}

function* bodies(
  symbols: ReadonlyMap<string, Symbol[]>,
  texts: Iterable<FileText>,
): Generator<{ symbol: Symbol; counts: Map<string, number> }> {
  for (const { path, text } of texts) {
    const own = symbols.get(path);
    if (own === undefined) continue;
    const lines = text.split('\n');
    const innermost: Symbol[] = [];
    for (const symbol of own.toSorted((a, b) => b.to - b.from - (a.to - a.from)))
      for (let line = symbol.from; line <= Math.min(symbol.to, lines.length); line++) innermost[line] = symbol;
    const counts = new Map(own.map((symbol) => [symbol, new Map<string, number>()]));
    for (const [line, symbol] of innermost.entries()) {
      const counted = counts.get(symbol);
      if (counted === undefined) continue;
      for (const word of wordsIn(lines[line - 1] ?? '')) counted.set(word, (counted.get(word) ?? 0) + 1);
    }
    for (const [symbol, counted] of counts) yield { symbol, counts: counted };
  }
}

/** Words of one or two letters tell nothing apart. */
function wordsIn(text: string): string[] {
  return [...text.matchAll(IDENTIFIERS)].flatMap(([identifier]) =>
    parts(identifier).filter(({ length }) => length > 2),
  );
}
