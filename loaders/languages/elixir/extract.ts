import type { Node } from '../../facts/syntax-tree.ts';
import type { FileFacts } from '../../facts/fact.ts';
import { SourceFile } from '../reading/source-file.ts';
import { Reading } from './reading.ts';

/** Reads one Elixir file; its modules are everybody's. */
export function extract(root: Node, source: string, path: string): FileFacts {
  const reading = new Reading();
  const file = new SourceFile('elixir', root, source, path, reading.readers);
  file.readAll(root, file.block(file.top));
  file.facts.packageName = '';
  return file.facts;
}
