import type { Expr, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { partsOf, type Place, type SourceFile, unknown } from '../reading/source-file.ts';
import { pathOf, segmentsOf, typeOf } from './types.ts';

/** What a pattern takes apart. */
interface Taken {
  value: Expr;
  type?: TypeExpr | null;
}

/** Declares the names of a pattern. */
export function bindPattern(
  file: SourceFile,
  node: Node | null | undefined,
  { value, type = null }: Taken,
  place: Place,
): void {
  if (!node) return;
  const each = (nodes: readonly Node[], part: (index: number) => Expr): void => {
    for (const [index, inner] of nodes.entries()) bindPattern(file, inner, { value: part(index) }, place);
  };
  switch (node.type) {
    case 'identifier': {
      const name = file.text(node);
      // `None` and constants are compared with, not declared.
      if (!/^\p{Lu}/u.test(name)) file.bind(place, name, node, { value, type });
      break;
    }
    case 'shorthand_field_identifier':
      file.bind(place, file.text(node), node, { value });
      break;
    case 'ref_pattern':
    case 'mut_pattern':
    case 'reference_pattern':
    case 'match_pattern':
    case 'parenthesized_pattern':
      bindPattern(
        file,
        partsOf(node).findLast((part) => part.type !== 'mutable_specifier'),
        { value, type },
        place,
      );
      break;
    case 'captured_pattern':
      for (const part of partsOf(node)) bindPattern(file, part, { value, type }, place);
      break;
    case 'or_pattern':
      // Every alternative declares the same names.
      bindPattern(file, node.namedChildren[0], { value, type }, place);
      break;
    case 'tuple_pattern':
      each(partsOf(node), (at) => ({ kind: 'index', object: value, at }));
      break;
    case 'slice_pattern':
      each(partsOf(node), () => ({ kind: 'index', object: value }));
      break;
    case 'tuple_struct_pattern': {
      const variant = segmentsOf(file, node.childForFieldName('type'));
      const wraps = /^(?:Some|Ok|Ready)$/.test(variant.at(-1) ?? '');
      const made = pathOf(file, variant, place);
      each(partsOf(node).slice(1), (index) =>
        wraps ? { kind: 'index', object: value } : { kind: 'parameter', function: made, index },
      );
      break;
    }
    case 'struct_pattern': {
      const type = typeOf(file, node.childForFieldName('type'), place);
      for (const part of partsOf(node).slice(1)) {
        const name = part.childForFieldName('name');
        const inner = part.childForFieldName('pattern') ?? name;
        bindPattern(
          file,
          inner,
          { value: { kind: 'member', object: { kind: 'typed', type }, name: file.text(name) } },
          place,
        );
      }
      break;
    }
    default:
      // A literal, a range, a path.
      for (const part of partsOf(node))
        if (part.type.endsWith('pattern')) bindPattern(file, part, { value: unknown }, place);
  }
}
