import type { Node } from '../../facts/syntax-tree.ts';
import { type Declared, type DeclaredRules } from '../reading/declared-names.ts';

/** Attributes that say something of what follows. */
const reserved =
  /^(?:doc|moduledoc|typedoc|spec|callback|macrocallback|impl|behaviour|deprecated|since|derive|enforce_keys|compile|dialyzer|on_load|before_compile|after_compile|after_verify|on_definition|external_resource|optional_callbacks|tag|moduletag|describetag|vsn|file)$/;

/** What declares names in Elixir: attributes of modules, types, and what a struct has. */
export const declared: DeclaredRules = {
  local: [],
  byAssignment: true,
  readers: {
    unary_operator(node) {
      const operand = node.childForFieldName('operator')?.type === '@' ? node.childForFieldName('operand') : null;
      const name = operand?.childForFieldName('target');
      const [given] = operand?.namedChildren.find(({ type }) => type === 'arguments')?.namedChildren ?? [];
      if (!name || !given) return [];
      if (/^(?:type|typep|opaque)$/.test(name.text)) return typeNamed(given);
      return reserved.test(name.text) ? [] : [{ kind: 'constant', at: name }];
    },
    call(node) {
      if (!/^def(?:struct|exception)$/.test(node.childForFieldName('target')?.text ?? '')) return [];
      return node.namedChildren.flatMap((part) => (part.type === 'arguments' ? fieldsIn(part) : []));
    },
  },
};

function typeNamed(given: Node): Declared[] {
  const left = given.childForFieldName('left');
  const at = left?.childForFieldName('target') ?? left;
  return at?.type === 'identifier' ? [{ kind: 'type_alias', at }] : [];
}

function fieldsIn(node: Node): Declared[] {
  return node.namedChildren.flatMap((part): Declared[] => {
    if (part.type === 'atom') return [{ kind: 'field', at: part, name: part.text.slice(1) }];
    const key = part.type === 'pair' ? part.childForFieldName('key') : null;
    if (key) return [{ kind: 'field', at: key, name: key.text.replace(/:\s*$/, '') }];
    return part.type === 'list' || part.type === 'keywords' ? fieldsIn(part) : [];
  });
}
