import { fileURLToPath } from 'node:url';
import { Language as Grammar, Parser, type Node } from 'web-tree-sitter';
import { detect } from '../detectors/detect.ts';
import { languages } from '../languages/index.ts';
import type { Language } from '../languages/language.ts';
import { measureFile } from '../metrics/file-measures.ts';
import type { FileMeasures } from '../metrics/file-measures.ts';
import type { FileFacts } from './fact.ts';
import type { FileRead } from './pool.ts';

/** Reads one file after another; holds the parser, so one a thread. */
export interface Extractor {
  /** Throws `ParseTimeout` for a file that takes too long; any other error says that the parser broke on this file. */
  extract(language: Language, content: Uint8Array, path: string): FileFacts;
  /** With its measures, from the same tree, and what it declares. */
  read(
    language: Language,
    content: Uint8Array,
    path: string,
    linguist: string | null,
  ): FileRead & { facts: FileFacts; measures: FileMeasures };
  close(): void;
}

/** A file that the parser did not finish in time. */
export class ParseTimeout extends Error {
  override name = 'ParseTimeout';
}

/** Opens an extractor with the grammars of all languages, or of those named. */
export async function createExtractor(
  options: { languages?: readonly string[]; timeoutMs?: number } = {},
): Promise<Extractor> {
  const { timeoutMs = 10_000 } = options;
  await Parser.init();
  const grammars = new Map<string, Grammar>();
  for (const { id, grammar } of languages) {
    if (options.languages && !options.languages.includes(id)) continue;
    grammars.set(id, await Grammar.load(fileURLToPath(import.meta.resolve(grammar))));
  }
  const decoder = new TextDecoder();
  let parser = new Parser();

  const inTree = <T>(
    language: Language,
    content: Uint8Array,
    path: string,
    use: (root: Node, source: string) => T,
  ): T => {
    const grammar = grammars.get(language.id);
    if (!grammar) throw new Error(`The grammar of ${language.id} was not loaded.`);
    const source = decoder.decode(content);
    const deadline = performance.now() + timeoutMs;
    try {
      const tree = parser
        .setLanguage(grammar)
        .parse(language.legible?.(source) ?? source, null, { progressCallback: () => performance.now() > deadline });
      if (!tree) {
        parser.reset();
        throw new ParseTimeout(`${path} was not parsed within ${timeoutMs} ms.`);
      }
      try {
        return use(tree.rootNode, source);
      } finally {
        tree.delete();
      }
    } catch (error) {
      // After a fault inside the grammar the parser's memory can't be trusted.
      if (error instanceof Error && error.name === 'RuntimeError') parser = new Parser();
      throw error;
    }
  };
  const factsOf = (language: Language, root: Node, source: string, path: string): FileFacts => ({
    ...language.extract(root, source, path),
    syntaxErrors: root.hasError ? countErrors(root) : 0,
  });

  return {
    extract: (language, content, path) =>
      inTree(language, content, path, (root, source) => factsOf(language, root, source, path)),
    read: (language, content, path, linguist) =>
      inTree(language, content, path, (tree, source) => {
        const facts = factsOf(language, tree, source, path);
        const detections = detect({ source, path, linguist, facts });
        const measures = measureFile({ source, path, linguist, tree });
        return { facts, measures, ...(detections.length > 0 ? { detections } : {}) };
      }),
    close() {
      parser.delete();
    },
  };
}

function countErrors(node: Node): number {
  if (node.isError || node.isMissing) return 1;
  return node.children.reduce((sum, child) => sum + (child.hasError ? countErrors(child) : 0), 0);
}
