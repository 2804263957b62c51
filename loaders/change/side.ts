import type { ChangeSymbol } from '../../src/model/change.ts';
import type { GraphNode } from '../../src/model/graph.ts';
import type { Analysis } from '../analyze.ts';
import type { CodeToken } from '../extraction/code-tokens.ts';
import { createExtractor } from '../extraction/extract.ts';
import { languageOf } from '../languages/index.ts';
import { namedCaller, nameOf } from '../resolution/callees.ts';
import type { DefinitionRef } from '../resolution/definition-ref.ts';
import type { ResolvedEdge } from '../resolution/resolution.ts';
import { symbolIds } from '../records/symbol-ids.ts';
import type { OpenSnapshot } from '../snapshot/snapshot.ts';
import { arityOf, passedBy, type Arity, type Passed } from './arity.ts';

/** A function or class of one of the two commits. */
export interface SideSymbol extends ChangeSymbol {
  type: 'Function' | 'Class';
  qualifiedName: string;
  /** Without comments; null in a file that both commits have alike. */
  code: string | null;
}

/** Who calls or inherits whom; `from` is a file's path where the call stands at its top. */
export interface SideEdge {
  type: 'CALLS' | 'INHERITS';
  from: string;
  to: string;
}

/** A call of what stands in a file that both commits have differently. */
export interface SideCall {
  /** As in edges. */
  from: string;
  to: string;
  path: string;
  line: number;
  passed: Passed;
}

/** What is compared of one commit. */
export interface Side {
  /** By id, in the order of files and lines. */
  symbols: ReadonlyMap<string, SideSymbol>;
  edges: readonly SideEdge[];
  /** By id, of functions in files that both commits have differently, where it can be told. */
  arities: ReadonlyMap<string, Arity>;
  /** Where it can be told what they pass, and that nothing else is meant. */
  calls: readonly SideCall[];
  /** Who uses something of this name that lies outside: `FROM NAME`, `FROM` as in edges. */
  outside: ReadonlySet<string>;
  /** Paths of tests. */
  tests: ReadonlySet<string>;
  /** The code of files that the commits have differently, by path; of those in a language that is read. */
  files: ReadonlyMap<string, string>;
}

/** A guess by name alone is no edge of the graph. */
const minConfidence = 0.5;

/** Reads what is compared of a commit out of its analysis, and the code of the files that the other has differently. */
export async function readSide(
  opened: OpenSnapshot,
  { snapshot, documents, resolution }: Pick<Analysis, 'snapshot' | 'documents' | 'resolution'>,
  changed: readonly string[],
): Promise<Side> {
  const repository = snapshot.repository.name;
  const tokens = await tokensOf(opened, changed);
  const nodes = [...snapshot.nodes].filter(({ type }) => type === 'Function' || type === 'Class');
  const code = codeOf(nodes, tokens);
  const symbols = new Map<string, SideSymbol>();
  for (const node of nodes) {
    const { id, type, name, kind, path, line, end_line, signature, exported, qualified_name, properties } = node;
    const own = id.slice(repository.length + 1);
    symbols.set(own, {
      id: own,
      type: type === 'Class' ? 'Class' : 'Function',
      name,
      qualifiedName: qualified_name ?? name,
      kind: kind ?? 'function',
      path: path ?? '',
      line: line ?? 1,
      end_line: end_line ?? line ?? 1,
      signature,
      exported,
      test: properties['test'] === true,
      code: code.get(id) ?? null,
    });
  }
  const { nameAt } = symbolIds(repository, documents);
  const placeOf = (from: DefinitionRef) =>
    from.definition < 0 ? (documents[from.document]?.path ?? null) : nameAt(from);
  const arities = aritiesOf(documents, new Set(changed), nameAt, symbols);
  const calls: SideCall[] = [];
  const edges: SideEdge[] = [];
  for (const edge of resolution.edges) {
    const { type, from, to, confidence } = edge;
    if (type === 'IMPORTS' || confidence < minConfidence) continue;
    const [source, target] = [placeOf(from), nameAt(to)];
    if (source !== null && target !== null && source !== target) edges.push({ type, from: source, to: target });
    if (source !== null && target !== null && arities.has(target))
      calls.push(...callsOf(edge, documents).map((call) => ({ from: source, to: target, ...call })));
  }
  return {
    symbols,
    edges,
    arities,
    calls,
    outside: new Set([...resolution.outside].map(({ from, origin }) => `${placeOf(from)} ${origin.path.at(-1) ?? ''}`)),
    tests: new Set(opened.files.flatMap(({ path, test }) => (test ? [path] : []))),
    files: new Map([...tokens].map(([path, all]) => [path, textOf(all)])),
  };
}

/** Of one that has namesakes, nobody knows which is meant. */
function aritiesOf(
  documents: Analysis['documents'],
  paths: ReadonlySet<string>,
  nameAt: ReturnType<typeof symbolIds>['nameAt'],
  symbols: ReadonlyMap<string, SideSymbol>,
): Map<string, Arity> {
  const arities = new Map<string, Arity>();
  for (const [document, { path, facts, release }] of documents.entries()) {
    const language = languageOf(path)?.id;
    if (language === undefined || !paths.has(path)) continue;
    const counts = Map.groupBy(facts.definitions, ({ qualifiedName }) => qualifiedName);
    for (const [definition, each] of facts.definitions.entries()) {
      const id = nameAt({ document, definition });
      const symbol = id === null ? undefined : symbols.get(id);
      if (symbol?.type !== 'Function' || counts.get(each.qualifiedName)?.length !== 1) continue;
      const arity = arityOf(language, each, symbol.code ?? '');
      if (arity) arities.set(symbol.id, arity);
    }
    release?.();
  }
  return arities;
}

/** A call that may be of several is less certain. */
const minAlone = 0.8;

/** The calls behind an edge; none where it can't be told which those are. */
function callsOf(edge: ResolvedEdge, documents: Analysis['documents']): Omit<SideCall, 'from' | 'to'>[] {
  const { type, from, confidence, weight, name } = edge;
  const document = documents[from.document];
  const language = document && languageOf(document.path);
  if (!language || type !== 'CALLS' || confidence < minAlone) return [];
  const { path, facts } = document;
  const calls = facts.calls.filter(
    (call) => nameOf(call.callee) === name && namedCaller(facts, call.caller, language.semantics) === from.definition,
  );
  // Others of this name lead elsewhere, or this one has another name at another place.
  if (calls.length !== weight) return [];
  return calls.flatMap((call) => {
    const passed = passedBy(language.id, call);
    return passed ? [{ path, line: call.line, passed }] : [];
  });
}

async function tokensOf(opened: OpenSnapshot, paths: readonly string[]): Promise<Map<string, CodeToken[]>> {
  const known = new Set(opened.files.map(({ path }) => path));
  const wanted = paths.filter((path) => known.has(path) && languageOf(path) !== null);
  const ids = new Set(wanted.map((path) => languageOf(path)?.id ?? ''));
  const tokens = new Map<string, CodeToken[]>();
  if (wanted.length === 0) return tokens;
  const extractor = await createExtractor({ languages: [...ids] });
  const decoder = new TextDecoder();
  try {
    for await (const { path, content } of opened.read(wanted)) {
      const language = languageOf(path);
      const found = content && language && tokensIn(extractor, language, decoder.decode(content));
      if (found) tokens.set(path, found);
    }
  } finally {
    extractor.close();
  }
  return tokens;
}

/** Null of a file that breaks the parser. */
function tokensIn(
  extractor: Awaited<ReturnType<typeof createExtractor>>,
  language: NonNullable<ReturnType<typeof languageOf>>,
  source: string,
): CodeToken[] | null {
  try {
    return extractor.tokens(language, source);
  } catch {
    return null;
  }
}

const textOf = (tokens: readonly CodeToken[]) => tokens.map(({ text }) => text).join(' ');

/** Begins what stands before a definition and is part of it: decorators, annotations, attributes. */
const attribute = /^(?:@|#\[|#$|\[$)/;

/** The code of each symbol by its node's id: of a class without its members, of a function with all that is in it. */
function codeOf(nodes: readonly GraphNode[], files: ReadonlyMap<string, readonly CodeToken[]>): Map<string, string> {
  const code = new Map<string, string>();
  for (const [path, own] of Map.groupBy(nodes, (node) => node.path ?? '')) {
    const tokens = files.get(path);
    if (!tokens) continue;
    const lines = Map.groupBy(tokens, ({ line }) => line);
    const isAttribute = (line: number) => attribute.test(lines.get(line)?.[0]?.text.trim() ?? '');
    const spans = own.map(({ id, type, line, end_line }) => {
      let first = line ?? 1;
      while (isAttribute(first - 1)) first -= 1;
      return { id, type, name: line ?? 1, first, last: end_line ?? line ?? 1 };
    });
    for (const span of spans) {
      const inner =
        span.type === 'Class'
          ? spans.filter((one) => one !== span && one.first > span.name && one.last <= span.last)
          : [];
      const held: string[] = [];
      for (let at = span.first; at <= span.last; at += 1) {
        const skipped = inner.find(({ first, last }) => first <= at && at <= last);
        if (skipped) at = skipped.last;
        else held.push(...(lines.get(at) ?? []).map(({ text }) => text));
      }
      code.set(span.id, held.join(' '));
    }
  }
  return code;
}
