import type { FileFacts } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { lastOf, partsOf, type Reader, SourceFile, unknown } from '../reading/source-file.ts';
import { keepSides } from '../reading/sides.ts';
import { readers as declarations } from './declarations.ts';
import { readers as expressions } from './expressions.ts';
import { sidesIn } from './sides.ts';
import { withoutArguments } from './types.ts';

/** Reads one C# file. */
export function extract(root: Node, source: string, path: string): FileFacts {
  const file = new SourceFile('csharp', root, source, path, {
    ...expressions,
    ...declarations,
    using_directive: usingDirective,
    namespace_declaration: namespace,
    file_scoped_namespace_declaration: namespace,
  });
  keepSides(file, sidesIn(source));
  // The namespaces around are seen without asking, and before what a `using` outside of them brings.
  const first = root.namedChildren.find(({ type }) => type.endsWith('namespace_declaration'));
  const name = file.text(first?.childForFieldName('name')).replace(/\s/g, '');
  seeAround(file, name.split('.').slice(0, -1));
  lastOf(file, root, file.top);
  const own = (file.facts.packageName ??= '');
  // Of a namespace in a namespace all of the outer one's are around it.
  if (own !== name) seeAround(file, own.split('.').slice(0, -1));
  file.addImport({ module: '', name: '**' }, 0);
  return file.facts;
}

/** A namespace's names and those of the ones around it, the innermost first; the one without a name comes last of all. */
function seeAround(file: SourceFile, names: readonly string[]): void {
  for (let length = names.length; length > 0; length--) {
    file.addImport({ module: names.slice(0, length).join('.'), name: '**' }, 0);
  }
}

/** A file is taken to be of one namespace, its innermost first one. */
const namespace: Reader = (file, node, place) => {
  const name = file.text(node.childForFieldName('name')).replace(/\s/g, '');
  const outer = file.facts.packageName;
  const isInner = outer === null || ancestorIsNamespace(node);
  if (isInner) file.facts.packageName = outer === null ? name : `${outer}.${name}`;
  const body = node.childForFieldName('body');
  if (body) file.readAll(body, place);
  return unknown;
};

function ancestorIsNamespace(node: Node): boolean {
  return node.parent?.parent?.type === 'namespace_declaration';
}

/** `using A.B;`, `using static A.B.C;`, `using X = A.B.C;`, each also `global`. */
function usingDirective(file: SourceFile, node: Node) {
  const text = file.text(node).replace(/\s+/g, ' ');
  const target = partsOf(node).at(-1);
  const alias = node.childForFieldName('name');
  const names = withoutArguments(file.text(target))
    .replace(/\s|^global::/g, '')
    .split('.');
  const everywhere = text.startsWith('global ') ? { everywhere: true } : {};
  if (alias && alias.id !== target?.id) {
    const local = file.text(alias);
    file.importAs(file.top, { module: names.slice(0, -1).join('.'), name: names.at(-1) ?? '', local }, node);
  } else if (/^(?:global )?using static /.test(text)) {
    const name = `${names.at(-1) ?? ''}.**`;
    file.addImport({ module: names.slice(0, -1).join('.'), name, ...everywhere }, file.line(node));
  } else file.addImport({ module: names.join('.'), name: '**', ...everywhere }, file.line(node));
  return unknown;
}
