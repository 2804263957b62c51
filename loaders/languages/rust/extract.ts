import type { Expr, FileFacts } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { lastOf, partsOf, type Place, skipped, SourceFile } from '../reading/source-file.ts';
import { block, letDeclaration, readers as expressionReaders } from './expressions.ts';
import { isPublic, moduleAt, readers as itemReaders } from './items.ts';
import { modulesAround, rooted } from './types.ts';

/** Reads one Rust file. */
export function extract(root: Node, source: string, path: string): FileFacts {
  const uses: { names: string[]; local: string; node: Node; place: Place }[] = [];
  const file = new SourceFile('rust', root, source, path, {
    ...expressionReaders,
    ...itemReaders,
    block,
    let_declaration: (file, node, place) => {
      letDeclaration(file, node, place);
      return { kind: 'unknown' };
    },
    attribute_item: skipped,
    inner_attribute_item: skipped,
    use_declaration: (file, node, place) => {
      useTree(file, node.childForFieldName('argument'), [], (names, local) => uses.push({ names, local, node, place }));
      return { kind: 'unknown' };
    },
  });
  lastOf(file, root, file.top);
  // Only now is it known which modules the file has itself.
  for (const { names, local, node, place } of uses) use(file, names, local, node, place);
  return file.facts;
}

/** Every name that `use a::{self, b::C, d as e, f::*}` brings; `*` for all of a path. */
function useTree(
  file: SourceFile,
  node: Node | null | undefined,
  before: readonly string[],
  found: (names: string[], local: string) => void,
): void {
  if (!node) return;
  const names = (path: Node | null | undefined): string[] =>
    path ? [...before, ...file.text(path).replace(/\s/g, '').replace(/^::/, '').split('::')] : [...before];
  switch (node.type) {
    case 'use_list':
      for (const part of partsOf(node)) useTree(file, part, before, found);
      break;
    case 'scoped_use_list':
      useTree(file, node.childForFieldName('list'), names(node.childForFieldName('path')), found);
      break;
    case 'use_as_clause':
      found(names(node.childForFieldName('path')), file.text(node.childForFieldName('alias')));
      break;
    case 'use_wildcard':
      found([...names(node.namedChildren[0]), '**'], '');
      break;
    case 'self':
      if (before.length > 0) found([...before, 'self'], before.at(-1) ?? '');
      else found(['self'], '');
      break;
    default:
      found(names(node), file.text(node).split('::').at(-1)?.trim() ?? '');
  }
}

function use(file: SourceFile, path: readonly string[], local: string, node: Node, place: Place): void {
  const names = path.at(-1) === 'self' && path.length > 1 ? path.slice(0, -1) : path;
  const [first = '', ...rest] = rooted(file, names, place);
  const isAll = rest.at(-1) === '**';
  const top = file.facts.scopes[0]?.bindings ?? [];
  const root = top.find(({ name, import: index }) => name === first && file.facts.imports[index]?.name === '*');
  const inner =
    first.startsWith('self#') || (!root && top.some(({ name, definition }) => name === first && definition >= 0));
  // Others see in a module inside the file what that hands on.
  const handing = isPublic(file, node) ? moduleAt(file, place) : -1;
  if (isAll && handing >= 0) (file.definition(handing).handsOn ??= []).push(valueAt(first, rest.slice(0, -1), place));
  if (inner) {
    // Of a module or an enum in this very file.
    if (!isAll) {
      const value = valueAt(first, rest, place);
      file.bind(place, local, node, { value });
      file.member(handing, local, { value });
      return;
    }
    file.addImport({ module: 'self', name: names.filter((name) => name !== 'self').join('.') }, file.line(node));
    return;
  }
  // Everything of the file around is seen inside anyway.
  if (isAll && first === 'self' && rest.length === 1 && modulesAround(file, place).length > 0) return;
  const module = root ? (file.facts.imports[root.import]?.module ?? first) : first;
  const name = rest.join('.');
  if (isAll) {
    file.addImport({ module, name }, file.line(node));
    return;
  }
  file.importAs(place, { module, name: name || '*', local }, node);
  file.member(handing, local, { value: { kind: 'import', import: file.facts.imports.length - 1 } });
}

/** What a path leads to that begins at the top of the file or, where it names no such place, where it is written. */
function valueAt(first: string, rest: readonly string[], place: Place): Expr {
  const isAtTop = /^(?:self#\d+|self|crate|super(?:::super)*)$/.test(first);
  const start: Expr = { kind: 'name', name: first, scope: isAtTop ? 0 : place.scope };
  return rest.reduce<Expr>((object, name) => ({ kind: 'member', object, name }), start);
}
