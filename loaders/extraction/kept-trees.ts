import { Node } from '../facts/syntax-tree.ts';
import type { FileFacts } from '../facts/fact.ts';

/** Of all trees that are kept, each of which has 22 bytes a node. */
const maxNodes = 1_000_000;

/**
 * Trees of files that were measured: of most repositories the graph is asked for next, of the same files, and to parse takes longer than
 * to go through a tree. Beyond the bound the oldest are let go.
 */
export function openKeptTrees(most = maxNodes) {
  const kept = new Map<string, { source: string; nodes: number; facts: () => FileFacts }>();
  let nodes = 0;
  const keyOf = (language: string, path: string) => `${language} ${path}`;
  const drop = (key: string) => {
    nodes -= kept.get(key)?.nodes ?? 0;
    kept.delete(key);
  };
  return {
    add(language: string, path: string, source: string, { tree }: Node, factsOf: (root: Node) => FileFacts): void {
      const key = keyOf(language, path);
      drop(key);
      const size = tree.type.length;
      // Another root than the one that was walked over, which holds its nodes.
      kept.set(key, { source, nodes: size, facts: () => factsOf(new Node(tree, 0)) });
      nodes += size;
      for (const oldest of kept.keys()) {
        if (nodes <= most) break;
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
