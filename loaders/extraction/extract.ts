import { fileURLToPath } from 'node:url';
import { Language as Grammar, Parser } from 'web-tree-sitter';
import { detect } from '../detectors/detect.ts';
import { findFlows, findInsecureCode, mayBeInsecure } from '../detectors/insecure-code/find.ts';
import type { FileUse } from '../facts/file-use.ts';
import type { Flow, FlowNames } from '../facts/flow.ts';
import type { InsecureCode } from '../facts/insecure-code.ts';
import { languages } from '../languages/index.ts';
import type { Extract, Language } from '../languages/language.ts';
import { declaredNames } from '../languages/reading/declared-names.ts';
import { measureFile } from '../metrics/file-measures.ts';
import type { FileMeasures } from '../metrics/file-measures.ts';
import { functionTypes } from '../metrics/functions.ts';
import type { Export, FileFacts } from '../facts/fact.ts';
import { type CodeInText, codeInTexts, mayRunText } from './code-in-texts.ts';
import { type CodeToken, codeTokens } from './code-tokens.ts';
import type { FileRead } from './pool.ts';
import { openKeptTrees } from './kept-trees.ts';
import { namesOf, readTree, startParser } from './read-tree.ts';
import { limitTime } from './time-limit.ts';
import { errorsIn, unparsedLines } from './unparsed-lines.ts';
import { type GrammarNames, prune, type Node } from '../facts/syntax-tree.ts';

/** With the code that stands in it as text, and is run. */
export type FullRead = FileRead & { facts: FileFacts; measures: FileMeasures; texts: CodeInText[] };

/** What a graph is made of. */
export type GraphRead = FileRead & { facts: FileFacts };

/** Reads one file after another; holds the parser, so one a thread. */
export interface Extractor {
  /** Throws `ParseTimeout` for a file that takes too long by its processor time; any other error says that the parser broke on this file. */
  extract(language: Language, content: Uint8Array, path: string): FileFacts;
  /** With its measures, what it declares and what is insecure in it, from the same tree. */
  read(language: Language, content: Uint8Array, path: string, linguist: string | null): FullRead;
  /** Its facts and what it declares: what a graph is made of. */
  forGraph(language: Language, content: Uint8Array, path: string, linguist: string | null): GraphRead;
  /** What is insecure in it, and nothing else: only where something may be is it parsed. */
  look(language: Language, source: string): InsecureCode[];
  /** Code that stands in it as text. */
  texts(language: Language, source: string): CodeInText[];
  /** Its code without comments; null where the parser does not finish in time. */
  tokens(language: Language, source: string): CodeToken[] | null;
  /** Its measures, what is insecure in it, and of its facts what it imports; `graph` makes what `forGraph` gives, of the same tree. Where that
   * is probably asked for next, the tree is kept. */
  measure(
    language: Language,
    content: Uint8Array,
    path: string,
    linguist: string | null,
    isGraphNext?: boolean,
  ): FullRead & { graph: () => GraphRead };
  /** Of its facts what it imports. */
  imports(language: Language, content: Uint8Array, path: string): FileFacts;
  close(): void;
}

/** A file that the parser did not finish in time. */
export class ParseTimeout extends Error {
  override name = 'ParseTimeout';
}

/** How much the parser is handed at once: a grammar that tries several ways goes back often, and each time it is copied. */
const chunkLength = 512;

/** Opens an extractor with the grammars of all languages, or of those named. */
export async function createExtractor(
  options: {
    languages?: readonly string[];
    timeoutMs?: number;
    /** Rewrites a source by what all files say; without it by what it says itself. */
    preprocess?(language: Language, source: string): string;
  } = {},
): Promise<Extractor> {
  const { timeoutMs = 10_000, preprocess = alone } = options;
  await startParser();
  const grammars = new Map<string, { grammar: Grammar; names: GrammarNames; extract: Extract }>();
  for (const { id, grammar, extractor } of languages) {
    if (options.languages && !options.languages.includes(id)) continue;
    const loaded = await Grammar.load(fileURLToPath(import.meta.resolve(grammar)));
    grammars.set(id, { grammar: loaded, names: namesOf(loaded), extract: await extractor() });
  }
  const decoder = new TextDecoder();
  const kept = openKeptTrees();
  let parser = new Parser();

  const parse = (language: Language, content: Uint8Array, path: string, options: ParseOptions = {}): ParsedFile => {
    const { asExtracted, withInsecureCode = false } = options;
    const known = grammars.get(language.id);
    if (!known) throw new Error(`The grammar of ${language.id} was not loaded.`);
    const source = decoder.decode(content);
    const written = language.preprocessor ? preprocess(language, source) : source;
    const legible = language.legible?.(written) ?? written;
    const isOver = limitTime(timeoutMs);
    try {
      parser.setLanguage(known.grammar);
      const tree = parser.parse((index) => legible.slice(index, index + chunkLength), null, {
        progressCallback: isOver,
      });
      if (!tree) {
        parser.reset();
        throw new ParseTimeout(`${path} was not parsed within ${timeoutMs} ms of processor time.`);
      }
      try {
        const { rootNode } = tree;
        const { stepped, missing } = errorsIn(rootNode);
        const root = readTree(tree, legible, known.names, written);
        const factsOf = (extractedFrom: Node): FileFacts => {
          const extracted = known.extract(extractedFrom, written, path);
          const unparsed = unparsedLines(stepped, extracted.definitions);
          return { ...extracted, syntaxErrors: stepped.length + missing, unparsed };
        };
        const allFacts = (whole: Node): FileFacts => {
          const facts = factsOf(whole);
          if (language.declared) facts.declared = declaredNames(whole, source, language.declared, facts.definitions);
          return facts;
        };
        const facts = asExtracted ? factsOf(asExtracted(root)) : allFacts(root);
        const insecure = withInsecureCode ? findFlows(root, language.id, isOver) : nothing;
        return { source, root, facts, allFacts, ...insecure };
      } finally {
        tree.delete();
      }
    } catch (error) {
      // After a fault inside the grammar the parser's memory can't be trusted.
      if (error instanceof Error && error.name === 'RuntimeError') parser = new Parser();
      throw error;
    }
  };
  /** What is found in the tree of a source as it is written; null where the parser does not finish in time. */
  const inTree = <T>(language: Language, source: string, find: (root: Node, isOver: () => boolean) => T): T | null => {
    const known = grammars.get(language.id);
    if (!known) return null;
    const isOver = limitTime(timeoutMs);
    parser.setLanguage(known.grammar);
    const tree = parser.parse((index) => source.slice(index, index + chunkLength), null, {
      progressCallback: isOver,
    });
    if (!tree) {
      parser.reset();
      return null;
    }
    try {
      return find(readTree(tree, source, known.names), isOver);
    } finally {
      tree.delete();
    }
  };
  return {
    look: (language, source) =>
      (mayBeInsecure(language.id, source)
        ? inTree(language, source, (root, isOver) => findInsecureCode(root, language.id, isOver))
        : null) ?? [],
    texts: (language, source) =>
      (mayRunText(language.id, source) ? inTree(language, source, (root) => codeInTexts(root, language.id)) : null) ??
      [],
    tokens: (language, source) => inTree(language, source, (root) => codeTokens(root, language)),
    extract: (language, content, path) => parse(language, content, path).facts,
    forGraph(language, content, path, linguist) {
      const source = decoder.decode(content);
      const facts = kept.take(language.id, path, source)?.() ?? parse(language, content, path).facts;
      return graphRead({ source, path, linguist, facts });
    },
    read(language, content, path, linguist) {
      const { source, root, facts, insecure, flows, names, use } = parse(language, content, path, {
        withInsecureCode: true,
      });
      const detections = detect({ source, path, linguist, facts });
      const measures = measureFile({ source, path, linguist, tree: root });
      return {
        facts,
        measures,
        ...(detections.length > 0 ? { detections } : {}),
        ...(insecure.length > 0 ? { insecure } : {}),
        ...(flows.length > 0 ? { flows } : {}),
        ...(names.length > 0 ? { names } : {}),
        ...(use ? { use } : {}),
        texts: codeInTexts(root, language.id),
      };
    },
    imports: (language, content, path) =>
      withoutDefinitions(
        parse(language, content, path, { asExtracted: forImports(language, language.linguist) }).facts,
      ),
    measure(language, content, path, linguist, isGraphNext = false) {
      const { source, root, facts, allFacts, insecure, flows, names, use } = parse(language, content, path, {
        asExtracted: forImports(language, linguist),
        withInsecureCode: true,
      });
      const measures = measureFile({ source, path, linguist, tree: root });
      // What a rewritten source says depends on others, which may have changed until it is asked for.
      if (isGraphNext && !language.preprocessor) kept.add(language.id, path, source, root, allFacts);
      return {
        facts: withoutDefinitions(facts),
        measures,
        ...(insecure.length > 0 ? { insecure } : {}),
        ...(flows.length > 0 ? { flows } : {}),
        ...(names.length > 0 ? { names } : {}),
        ...(use ? { use } : {}),
        texts: codeInTexts(root, language.id),
        graph: () => graphRead({ source, path, linguist, facts: allFacts(root) }),
      };
    },
    close() {
      parser.delete();
    },
  };
}

const forImports = (language: Language, linguist: string | null) => (whole: Node) =>
  language.importsByWord ? prune(whole, functionsWithoutImports(whole, linguist)) : whole;
const withoutDefinitions = (facts: FileFacts): FileFacts => ({
  ...facts,
  definitions: [],
  scopes: [],
  exports: facts.exports.filter(isRenamed),
  calls: [],
  declared: [],
});

/** What is given to others under another name than it has; whoever imports it looks for that one. */
const isRenamed = ({ name, from, imported, value }: Export) =>
  from === null
    ? value?.kind === 'import' || ((value?.kind === 'name' || value?.kind === 'member') && value.name !== name)
    : name !== '*' && imported !== null && imported !== name;

function graphRead(file: { source: string; path: string; linguist: string | null; facts: FileFacts }): GraphRead {
  const detections = detect(file);
  return { facts: file.facts, measures: null, ...(detections.length > 0 ? { detections } : {}) };
}

function alone({ preprocessor }: Language, source: string): string {
  return preprocessor?.open([]).rewrite(source) ?? source;
}

const wordOfImport = /import|require|load/;
/** In a comment before a function, for its types. */
const importOfType = /\bimport\(/;

/** Functions that need not be gone through for imports, and their bodies: most of a file. */
function functionsWithoutImports(root: Node, linguist: string | null): Node[] {
  const found: Node[] = [];
  const { text, startIndex: start } = root;
  let [end, seen] = [0, start];
  for (const node of root.descendantsOfType(functionTypes(linguist))) {
    if (node.startIndex < end) continue;
    const before = text.slice(seen - start, node.startIndex - start);
    seen = node.startIndex;
    if (wordOfImport.test(node.text) || importOfType.test(before)) continue;
    const body = node.childForFieldName('body');
    found.push(node, ...(body ? [body] : []));
    end = node.endIndex;
  }
  return found;
}

interface ParseOptions {
  /** What of the tree is extracted from; without it all. */
  asExtracted?: (root: Node) => Node;
  withInsecureCode?: boolean;
}

interface ParsedFile {
  source: string;
  root: Node;
  facts: FileFacts;
  /** Of the whole tree, made when they are asked for. */
  allFacts: (root: Node) => FileFacts;
  insecure: InsecureCode[];
  flows: readonly Flow[];
  names: FlowNames;
  use: FileUse | null;
}

const nothing = { insecure: [], flows: [], names: [], use: null };
