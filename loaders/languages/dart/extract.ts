import type { Node } from '../../facts/syntax-tree.ts';
import type { FileFacts } from '../../facts/fact.ts';
import { partsOf, type Reader, unknown } from '../reading/source-file.ts';
import { ChainedFile } from '../reading/chained-file.ts';
import { readers as declarations } from './declarations.ts';
import { links, readers as expressions } from './expressions.ts';

/** Reads one Dart file. */
export function extract(root: Node, source: string, path: string): FileFacts {
  const readers = { ...expressions, ...declarations, ...directives };
  const file = new ChainedFile('dart', root, source, path, readers, links);
  file.read(root, file.top);
  return file.facts;
}

/** `import 'a.dart' as a show B;`, `export`, and the files of one library, which see each other. */
const directive: Reader = (file, node) => {
  const [uri] = node.descendantsOfType('uri');
  const module = file.text(uri).replace(/^r?["']{1,3}|["']{1,3}$/g, '');
  const specification = node.descendantsOfType('import_specification')[0];
  const line = file.line(node);
  const prefix = partsOf(specification).find(({ type }) => type === 'identifier');
  const shown = partsOf(specification ?? node.descendantsOfType('library_export')[0])
    .filter(({ type, children }) => type === 'combinator' && children[0]?.type === 'show')
    .flatMap((part) => partsOf(part));
  if (prefix) file.importAs(file.top, { module, name: '*', local: file.text(prefix) }, node);
  else if (shown.length > 0)
    for (const name of shown) file.importAs(file.top, { module, name: file.text(name), local: file.text(name) }, name);
  else file.addImport({ module, name: '**' }, line);
  return unknown;
};

const directives: Readonly<Record<string, Reader>> = {
  import_or_export: directive,
  part_directive: directive,
  part_of_directive: directive,
};
