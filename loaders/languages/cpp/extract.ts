import type { Node } from '../../facts/syntax-tree.ts';
import type { FileFacts } from '../../facts/fact.ts';
import { SourceFile, partsOf, unknown } from '../reading/source-file.ts';
import { ownScope, readers as declarations } from './declarations.ts';
import { readers as expressions } from './expressions.ts';
import { noteSides } from './sides.ts';

/** Reads one file of C or C++; what is not `static` is seen by all others. */
export function extract(language: 'c' | 'cpp', root: Node, source: string, path: string): FileFacts {
  const file = new SourceFile(language, root, source, path, {
    ...expressions,
    ...declarations,
    preproc_include(file, node) {
      const text = file.text(node.childForFieldName('path'));
      if (/^["<].*[">]$/.test(text)) file.addImport({ module: text.slice(1, -1), name: '*' }, file.line(node));
      return unknown;
    },
  });
  noteSides(file, source);
  // The file's own names hide those of other files.
  const own = file.block(file.top);
  if (own.scope !== ownScope) throw new RangeError(`The file's own names are expected in scope ${ownScope}.`);
  for (const part of partsOf(root)) file.read(part, own);
  file.facts.packageName = '';
  return file.facts;
}
