import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr, TypeExpr } from '../../facts/fact.ts';
import { partsOf, type Place, type SourceFile } from '../reading/source-file.ts';
import { typeOf } from './types.ts';

/** Declares the names of a pattern that takes this value apart. */
export function bindPattern(
  file: SourceFile,
  node: Node | null | undefined,
  { value, type = null }: { value: Expr; type?: TypeExpr | null },
  place: Place,
): void {
  switch (node?.type) {
    case 'identifier':
      // What begins with a capital is compared with, not declared.
      if (!/^\p{Lu}/u.test(file.text(node))) file.bind(place, file.text(node), node, type ? { type } : { value });
      break;
    case 'identifiers':
      for (const part of partsOf(node)) bindPattern(file, part, { value, type }, place);
      break;
    case 'typed_pattern':
      bindPattern(
        file,
        node.childForFieldName('pattern'),
        { value, type: typeOf(file, node.childForFieldName('type'), place) },
        place,
      );
      break;
    case 'capture_pattern':
      bindPattern(file, node.childForFieldName('name'), { value, type }, place);
      bindPattern(file, node.childForFieldName('pattern'), { value, type }, place);
      break;
    case 'tuple_pattern':
      for (const [at, part] of partsOf(node).entries())
        bindPattern(file, part, { value: { kind: 'index', object: value, at } }, place);
      break;
    case 'case_class_pattern': {
      const typeNode = node.childForFieldName('type');
      const name = file.text(typeNode).replace(/\s/g, '');
      const wraps = /^(?:Some|Right|Success|Left|Failure|Seq|List|Vector|Array|Set)$/.test(name);
      const [first = '', ...rest] = name.split('.');
      const made = rest.reduce<Expr>((object, part) => ({ kind: 'member', object, name: part }), {
        kind: 'name',
        name: first,
        scope: place.scope,
        ...(rest.length === 0 ? { isType: true } : {}),
      });
      for (const [index, part] of node.childrenForFieldName('pattern').entries()) {
        const field: Expr = { kind: 'parameter', function: made, index };
        const inner: Expr = wraps
          ? { kind: 'union', options: [field, { kind: 'index', object: value }], first: true }
          : field;
        bindPattern(file, part, { value: inner }, place);
      }
      break;
    }
    case 'repeat_pattern':
      bindPattern(file, node.childForFieldName('pattern'), { value }, place);
      break;
    case 'infix_pattern':
      bindPattern(file, node.childForFieldName('left'), { value: { kind: 'index', object: value } }, place);
      bindPattern(file, node.childForFieldName('right'), { value }, place);
      break;
    default:
  }
}
