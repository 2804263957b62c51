import type { DeclaredKind } from '../../../src/model/declared-name.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { type Declared, type DeclaredRules, fieldAs, has } from '../reading/declared-names.ts';

/** What declares names in Rust. */
export const declared: DeclaredRules = {
  local: ['function_item', 'function_signature_item', 'closure_expression', 'block', 'macro_definition'],
  readers: {
    const_item: (node) => ofImplementation(node, 'constant'),
    static_item: (node) => ofImplementation(node, has(node, 'mutable_specifier') ? 'variable' : 'constant'),
    type_item: (node) => ofImplementation(node, 'type_alias'),
    associated_type: fieldAs('type_alias'),
    field_declaration: fieldAs('field'),
    enum_variant: fieldAs('enum_member'),
    macro_definition: fieldAs('macro'),
    macro_invocation: inMacro,
  },
};

/** What an `impl` declares belongs to its type. */
function ofImplementation(node: Node, kind: DeclaredKind): Declared[] {
  const holder = node.parent?.parent;
  const around = holder?.type === 'impl_item' ? (holder.childForFieldName('type')?.text ?? '') : '';
  const name = around.replace(/<.*/s, '').replace(/^.*::/s, '');
  return fieldAs(kind)(node).map((each) => ({ ...each, around: name }));
}

/** `lazy_static! { static ref NAME: … }`, `thread_local! { static NAME: … }`, `bitflags! { … const NAME = … }`. */
function inMacro(node: Node): Declared[] {
  return node.descendantsOfType('token_tree').flatMap((tokens) => {
    const parts = tokens.children;
    return parts.flatMap((part, index) => {
      if (part.type !== 'static' && part.type !== 'const') return [];
      const next = parts[index + 1];
      const at = next?.text === 'ref' ? parts[index + 2] : next;
      const isName = at?.type === 'identifier' && /^\p{Lu}[\p{Lu}\p{N}_]*$/u.test(at.text);
      return isName ? [{ kind: 'constant' as const, at }] : [];
    });
  });
}
