import type { FileFacts } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { settlePuts } from './containers.ts';
import { block, readAhead } from './statements.ts';
import { createWalk } from './walk.ts';

/** Facts of one Python file. */
export function extract(root: Node, source: string, _path: string): FileFacts {
  const walk = createWalk(source);
  readAhead(walk, root);
  block(walk, root);
  settlePuts(walk);
  const { definitions, scopes, imports, calls } = walk;
  return {
    language: 'python',
    lines: root.endPosition.row + (root.endPosition.column > 0 ? 1 : 0),
    syntaxErrors: 0,
    packageName: null,
    definitions,
    scopes,
    imports,
    exports: [],
    calls,
  };
}
