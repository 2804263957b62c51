import { Node } from '../facts/syntax-tree.ts';
import type { FileFacts } from '../facts/fact.ts';

/** Of all trees that an extractor keeps, and their sources. */
const maxBytes = 22_000_000;
const bytesOfNode = 22;

/**
 * Trees of files that were measured: of most repositories the graph is asked for next, of the same files, and to parse takes longer than
 * to go through a tree. Beyond the bound the oldest are let go.
 */
export function openKeptTrees(most = maxBytes) {
  const kept = new Map<string, { source: string; bytes: number; facts: () => FileFacts }>();
  let bytes = 0;
  const keyOf = (language: string, path: string) => `${language} ${path}`;
  const drop = (key: string) => {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    add(language: string, path: string, source: string, { tree }: Node, factsOf: (root: Node) => FileFacts): void {
      const key = keyOf(language, path);
      drop(key);
      const size = bytesOfNode * tree.type.length + source.length;
      // Another root than the one that was walked over, which holds its nodes.
      kept.set(key, { source, bytes: size, facts: () => factsOf(new Node(tree, 0)) });
      bytes += size;
      for (const oldest of kept.keys()) {
        if (bytes <= most) break;
        drop(oldest);
      }
    },
    /** Gives it away, as it is asked for once; undefined where it is not known, or of another source. */
    take(language: string, path: string, source: string): (() => FileFacts) | undefined {
      const key = keyOf(language, path);
      const found = kept.get(key);
      drop(key);
      return found?.source === source ? found.facts : undefined;
    },
  };
}
