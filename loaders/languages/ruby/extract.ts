import type { Node } from '../../facts/syntax-tree.ts';
import type { FileFacts } from '../../facts/fact.ts';
import { SourceFile } from '../reading/source-file.ts';
import { readers as definitions } from './definitions.ts';
import { readers as expressions } from './expressions.ts';

/** Reads one Ruby file; its constants are everybody's. */
export function extract(root: Node, source: string, path: string): FileFacts {
  const file = new SourceFile('ruby', root, source, path, { ...expressions, ...definitions });
  file.readAll(root, file.top);
  file.facts.packageName = '';
  return file.facts;
}
