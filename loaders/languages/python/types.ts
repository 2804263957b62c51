import type { Definition, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { type Annotation, readAnnotation } from './annotation.ts';
import type { Walk } from './walk.ts';

/** What an annotation says at this place, or where its names are those of another scope. */
export function annotationOf(walk: Walk, node: Node | null, scope?: number): Annotation {
  return node ? annotationText(walk, node.text, scope) : { type: null, names: [] };
}

/** The same for its text alone. */
export function annotationText(walk: Walk, text: string, scope = walk.frame.flow.current): Annotation {
  return readAnnotation(text, scope, walk.own);
}

/** What an alias of a type stands for: `Name = Union[str, "Text"]`; null for any other value. */
export function aliasedType(walk: Walk, node: Node): TypeExpr | null {
  const [form] =
    /^(?:\w+\.)?(?:Union|Optional|Callable|Type|List|Dict|Tuple|Sequence|Iterable|Mapping)(?=\[)/.exec(node.text) ?? [];
  const root = form?.split('.').at(-1);
  return node.type === 'subscript' && root !== undefined && !walk.own.has(root) ? annotationOf(walk, node).type : null;
}

/** An instance of the class that an expression names: `except Error as e`, `isinstance(x, (A, B))`. */
export function instanceOf(walk: Walk, node: Node): TypeExpr | null {
  switch (node.type) {
    case 'tuple': {
      const options = node.namedChildren.map((child) => instanceOf(walk, child)).filter((type) => type !== null);
      return options.length > 0 ? { kind: 'union', options } : null;
    }
    case 'parenthesized_expression':
      return node.namedChildren[0] ? instanceOf(walk, node.namedChildren[0]) : null;
    case 'identifier':
    case 'attribute':
    case 'binary_operator':
      return annotationOf(walk, node).type;
    default:
      return null;
  }
}

/** Bound of a `TypeVar(…)`; undefined where the expression makes none. */
export function typeVariable(walk: Walk, node: Node): TypeExpr | null | undefined {
  const callee = node.type === 'call' ? (node.childForFieldName('function')?.text ?? '') : '';
  if (!/(^|\.)(TypeVar|ParamSpec|TypeVarTuple)$/.test(callee)) return undefined;
  for (const child of node.childForFieldName('arguments')?.namedChildren ?? []) {
    if (child.type === 'keyword_argument' && child.childForFieldName('name')?.text === 'bound')
      return annotationOf(walk, child.childForFieldName('value')).type;
  }
  return null;
}

/**
 * `[T: Bound]` behind the name, and the type variables of the file that a signature mentions and that no class around it has
 * already.
 */
export function typeParameters(walk: Walk, node: Node, mentioned: Iterable<string>): Definition['typeParameters'] {
  const all: Definition['typeParameters'] = [];
  for (const child of node.childForFieldName('type_parameters')?.namedChildren ?? []) {
    const [name = '', bound] = child.text.split(':', 2);
    all.push({ name: name.trim(), bound: bound === undefined ? null : annotationText(walk, bound).type });
  }
  const taken = new Set(all.map(({ name }) => name));
  for (let at = walk.frame.outer; at; at = at.outer) {
    for (const { name } of walk.facts.definitions[at.owner]?.typeParameters ?? []) taken.add(name);
  }
  for (const name of new Set(mentioned)) {
    const bound = walk.typeVariables.get(name);
    if (bound !== undefined && !taken.has(name)) all.push({ name, bound });
  }
  return all;
}
