import type { Node } from '../../facts/syntax-tree.ts';
import type { FileFacts } from '../../facts/fact.ts';
import { partsOf, type Reader, SourceFile, unknown } from '../reading/source-file.ts';

/** Reads one script: its functions, and what it reads in by `source`. */
export function extract(root: Node, source: string, path: string): FileFacts {
  const file = new SourceFile('shell', root, source, path, { function_definition: functionDefinition, command });
  file.readAll(root, file.top);
  return file.facts;
}

/** A function is everybody's once it has been defined, wherever it stands. */
const functionDefinition: Reader = (file, node, place) => {
  const nameNode = node.childForFieldName('name');
  const name = file.text(nameNode);
  const definition = file.define({ kind: 'function', name }, node, place, nameNode);
  file.bind(file.top, name, nameNode ?? node, { definition });
  file.read(node.childForFieldName('body'), file.enter(definition, place));
  return unknown;
};

const command: Reader = (file, node, place) => {
  const [nameNode, ...args] = partsOf(node).filter(({ type }) => type !== 'variable_assignment');
  const name = file.text(nameNode);
  if (name === 'source' || name === '.') {
    const module = pathIn(file, args[0]);
    if (module !== null) file.addImport({ module, name: '**' }, file.line(node));
  } else if (nameNode && /^[\w.:-]+$/.test(name)) {
    file.call(place, nameNode, { kind: 'name', name, scope: place.scope }, []);
    // What runs at the end is named as text.
    const [first] = args;
    if (name === 'trap' && first?.type === 'word') {
      file.call(place, first, { kind: 'name', name: file.text(first), scope: place.scope }, []);
    }
  }
  for (const part of partsOf(node)) file.read(part, place);
  return unknown;
};

/** The part of a path that is written down: `lib/x.sh` of `"$(dirname "$0")/lib/x.sh"`. */
function pathIn(file: SourceFile, node: Node | undefined): string | null {
  const text = file.text(node).replace(/^["']|["']$/g, '');
  // Bounded: what is tried behind one bracket ends at the next.
  const [, path] = /^(?:.*[)}]|\$\w+)?\/?([\w.][\w./-]*)$/s.exec(text) ?? [];
  return path ?? null;
}
