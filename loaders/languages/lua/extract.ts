import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr, FileFacts } from '../../facts/fact.ts';
import { SourceFile } from '../reading/source-file.ts';
import { readersFor } from './expressions.ts';
import { tablesIn } from './tables.ts';

/** Reads one Lua file: its top is a function, whose locals nobody else sees and whose result is the module. */
export function extract(root: Node, source: string, path: string): FileFacts {
  const file = new SourceFile('lua', root, source, path, readersFor(tablesIn(root)));
  const chunk = file.block(file.top);
  const values: Expr[] = [];
  for (const child of root.namedChildren) {
    const value = file.read(child, chunk);
    if (child.type === 'return_statement') values.push(value);
  }
  for (const value of values) file.addExport('=', file.line(root), { value });
  file.facts.packageName = '';
  return file.facts;
}
