import type { Node } from '../../facts/syntax-tree.ts';
import type { FileFacts } from '../../facts/fact.ts';
import { lastOf, partsOf, type Reader, skipped, SourceFile, unknown } from '../reading/source-file.ts';
import { readers as declarations } from './declarations.ts';
import { readers as expressions } from './expressions.ts';
import { method } from './names.ts';

/** Reads one PHP file. */
export function extract(root: Node, source: string, path: string): FileFacts {
  const file = new SourceFile('php', root, source, path, {
    ...expressions,
    ...declarations,
    namespace_definition: namespace,
    namespace_use_declaration: useDeclaration,
    text: skipped,
    text_interpolation: skipped,
  });
  lastOf(file, root, file.top);
  file.facts.packageName ??= '';
  // A function that the namespace does not have is the global one.
  if (file.facts.packageName !== '') file.addImport({ module: '', name: '**', line: 0 }, file.line(root));
  return file.facts;
}

const namespace: Reader = (file, node, place) => {
  file.facts.packageName ??= file.text(node.childForFieldName('name')).replace(/\s/g, '');
  const body = node.childForFieldName('body');
  if (body) lastOf(file, body, place);
  return unknown;
};

/** `use A\B as C;`, `use A\{B, C};`, `use function A\f;` */
function useDeclaration(file: SourceFile, node: Node) {
  const whole = /^use\s+function\b/.test(file.text(node))
    ? 'function'
    : /^use\s+const\b/.test(file.text(node))
      ? 'const'
      : '';
  const group = node.childForFieldName('body');
  const prefix = group ? file.text(node.namedChildren.find(({ type }) => type === 'namespace_name')) : '';
  for (const clause of partsOf(group ?? node)) {
    if (clause.type !== 'namespace_use_clause') continue;
    const written = file.text(partsOf(clause)[0]).replace(/\s/g, '');
    const name = [prefix, written.replace(/^\\/, '')].filter(Boolean).join('\\');
    const at = name.lastIndexOf('\\');
    const last = name.slice(at + 1);
    const local = file.text(clause.childForFieldName('alias')) || last;
    const isFunction = whole === 'function' || /^function\b/.test(file.text(clause));
    const as = (text: string) => (isFunction ? method(text) : text);
    file.importAs(file.top, { module: name.slice(0, Math.max(at, 0)), name: as(last), local: as(local) }, clause);
  }
  return unknown;
}
