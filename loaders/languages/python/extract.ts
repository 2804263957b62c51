import type { FileFacts } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { settlePuts } from './containers.ts';
import { block, readAhead } from './statements.ts';
import { Walk } from './walk.ts';

/** Facts of one Python file. */
export function extract(root: Node, source: string, _path: string): FileFacts {
  const walk = new Walk(root, source);
  readAhead(walk, root);
  block(walk, root);
  settlePuts(walk);
  return walk.facts;
}
