import type { Node } from '../../facts/syntax-tree.ts';
import type { FileFacts } from '../../facts/fact.ts';
import { type Reader, SourceFile, unknown } from '../reading/source-file.ts';
import { readers as declarations } from './declarations.ts';
import { readers as expressions } from './expressions.ts';

/** Reads one Swift file; all files of a module see each other. */
export function extract(root: Node, source: string, path: string): FileFacts {
  const file = new SourceFile('swift', root, source, path, { ...expressions, ...declarations, import_declaration });
  file.readAll(root, file.top);
  file.facts.packageName = '';
  return file.facts;
}

const import_declaration: Reader = (file, node) => {
  const name = node.namedChildren.find(({ type }) => type === 'identifier');
  file.addImport({ module: file.text(name), name: '**' }, file.line(node));
  return unknown;
};
