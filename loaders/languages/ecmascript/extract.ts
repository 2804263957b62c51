import type { FileFacts } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { settleAssignments } from './assignments.ts';
import { expressions } from './expressions.ts';
import { EcmascriptFile, type Place } from './file.ts';
import { statements } from './statements.ts';

/** The facts of one JavaScript or TypeScript file. */
export function extractEcmascript(language: string, root: Node, source: string): FileFacts {
  const file = new EcmascriptFile(language, root, source, { statements, expressions });
  const top: Place = { scope: 0, hoist: 0, owner: -1, self: { kind: 'module' }, method: -1 };
  file.visitAll(root, top);
  settleAssignments(file);
  return file.facts;
}
