import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { firstOf, lastOf, partsOf, type Place, type Reader, type SourceFile, unknown } from '../reading/source-file.ts';
import { awaitedFirst, returned } from '../reading/usual-readers.ts';
import { bindPattern } from './patterns.ts';
import { macroArguments } from './macros.ts';
import { pathOf, segmentsOf, typeOf } from './types.ts';

/** Methods that give what they are called on, as another pointer to it or a copy. */
const same: ReadonlySet<string> = new Set(
  'clone to_owned as_ref as_mut borrow_mut by_ref into deref deref_mut as_deref as_deref_mut cloned copied into_inner as_mut_ref'.split(
    ' ',
  ),
);

/** What expressions stand for. */
export const readers: Readonly<Record<string, Reader>> = {
  identifier: (file, node, place) =>
    node.text === 'Self' ? pathOf(file, ['Self'], place) : { kind: 'name', name: node.text, scope: place.scope },
  self: (_, __, place) => ({ kind: 'name', name: 'self', scope: place.scope }),
  scoped_identifier: (file, node, place) => pathOf(file, segmentsOf(file, node), place),
  generic_function: (file, node, place) => file.read(node.childForFieldName('function'), place),
  parenthesized_expression: firstOf,
  reference_expression: (file, node, place) => file.read(node.childForFieldName('value'), place),
  unary_expression: (file, node, place) =>
    file.source[node.startIndex] === '*' ? firstOf(file, node, place) : nothing(file, node, place),
  try_expression: (file, node, place) => ({ kind: 'index', object: firstOf(file, node, place) }),
  await_expression: awaitedFirst,
  type_cast_expression(file, node, place) {
    file.read(node.childForFieldName('value'), place);
    return { kind: 'typed', type: typeOf(file, node.childForFieldName('type'), place) };
  },
  field_expression: (file, node, place) => ({
    kind: 'member',
    object: file.read(node.childForFieldName('value'), place),
    name: file.text(node.childForFieldName('field')),
  }),
  index_expression(file, node, place) {
    const [object = unknown] = file.readAll(node, place);
    return { kind: 'index', object };
  },
  call_expression: call,
  struct_expression(file, node, place) {
    file.read(node.childForFieldName('body'), place);
    return { kind: 'typed', type: typeOf(file, node.childForFieldName('name'), place) };
  },
  field_initializer: (file, node, place) => file.read(node.childForFieldName('value'), place),
  shorthand_field_initializer: () => unknown,
  tuple_expression: (file, node, place) => ({ kind: 'tuple', elements: file.readAll(node, place) }),
  array_expression: (file, node, place) => ({ kind: 'array', elements: file.readAll(node, place) }),
  closure_expression: closure,
  macro_invocation: macroArguments,
  macro_definition: () => unknown,
  if_expression(file, node, place) {
    const inside = conditionOf(file, node.childForFieldName('condition'), place);
    const then = file.read(node.childForFieldName('consequence'), inside);
    return { kind: 'union', options: [then, file.read(node.childForFieldName('alternative'), place)] };
  },
  else_clause: firstOf,
  while_expression(file, node, place) {
    const inside = conditionOf(file, node.childForFieldName('condition'), place);
    file.read(node.childForFieldName('body'), inside);
    return unknown;
  },
  let_condition(file, node, place) {
    const value = file.read(node.childForFieldName('value'), place);
    bindPattern(file, node.childForFieldName('pattern'), { value }, place);
    return unknown;
  },
  for_expression(file, node, place) {
    const object = file.read(node.childForFieldName('value'), place);
    const inside = file.block(place);
    bindPattern(file, node.childForFieldName('pattern'), { value: { kind: 'iterate', object } }, inside);
    file.read(node.childForFieldName('body'), inside);
    return unknown;
  },
  match_expression(file, node, place) {
    const value = file.read(node.childForFieldName('value'), place);
    const arms = partsOf(node.childForFieldName('body')).filter(({ type }) => type === 'match_arm');
    return {
      kind: 'union',
      options: arms.map((arm) => {
        const inside = file.block(place);
        const pattern = arm.childForFieldName('pattern');
        bindPattern(file, pattern, { value }, inside);
        file.read(pattern?.childForFieldName('condition'), inside);
        return file.read(arm.childForFieldName('value'), inside);
      }),
    };
  },
  return_expression: returned,
  unsafe_block: lastOf,
  async_block: lastOf,
  const_block: lastOf,
  expression_statement(file, node, place) {
    const value = firstOf(file, node, place);
    // With a semicolon it gives nothing.
    return file.source[node.endIndex - 1] === ';' ? unknown : value;
  },
};

/** Reads a condition; gives the place where it holds. What is right of a `let` is of the names before it. */
function conditionOf(file: SourceFile, node: Node | null, place: Place): Place {
  if (node?.type === 'let_chain') return partsOf(node).reduce((inside, part) => conditionOf(file, part, inside), place);
  if (node?.type !== 'let_condition') {
    file.read(node, place);
    return place;
  }
  const value = file.read(node.childForFieldName('value'), place);
  const inside = file.block(place);
  bindPattern(file, node.childForFieldName('pattern'), { value }, inside);
  return inside;
}

const nothing: Reader = (file, node, place) => {
  file.readAll(node, place);
  return unknown;
};

/** A name that is declared again is another one from there on. */
export const block: Reader = (file, node, place) => {
  let inside = file.block(place);
  let last: Expr = unknown;
  for (const part of node.namedChildren) {
    if (part.type === 'let_declaration') inside = letDeclaration(file, part, inside);
    else last = file.read(part, inside);
  }
  return last;
};

/** Gives the place behind it, where its names hold. */
export function letDeclaration(file: SourceFile, node: Node, place: Place): Place {
  const typeNode = node.childForFieldName('type');
  const type = typeNode ? typeOf(file, typeNode, place) : null;
  const value = file.read(node.childForFieldName('value'), place);
  file.read(node.childForFieldName('alternative'), place);
  const pattern = node.childForFieldName('pattern');
  const known = new Set(file.facts.scopes[place.scope]?.bindings.map(({ name }) => name));
  const name = pattern?.type === 'identifier' ? file.text(pattern) : null;
  // What is right of the `=` is of the names before it.
  const isNew = name !== null && !known.has(name) && !file.text(node.childForFieldName('value')).includes(name);
  const inside = isNew ? place : file.block(place);
  bindPattern(file, pattern, { value: type ? { kind: 'typed', type } : value, type }, inside);
  return inside;
}

function call(file: SourceFile, node: Node, place: Place): Expr {
  const callee = node.childForFieldName('function');
  const field = callee?.type === 'generic_function' ? callee.childForFieldName('function') : callee;
  const value = file.read(callee, place);
  const args = partsOf(node.childForFieldName('arguments'));
  const typeArguments = callee?.childForFieldName('type_arguments');
  const types =
    callee?.type === 'generic_function' ? partsOf(typeArguments).map((part) => typeOf(file, part, place)) : [];
  const name = field?.type === 'field_expression' ? field.childForFieldName('field') : null;
  const result = file.call(place, node, value, args, {
    line: file.line(name ?? field ?? node),
    ...(types.length > 0 ? { types } : {}),
  });
  if (value.kind === 'member' && name && same.has(value.name) && args.length === 0) return value.object;
  // What a container is made from: `Some(x)`, `Arc::new(x)`.
  const path = field ? file.text(field) : '';
  const [only = unknown] = file.facts.calls[result.kind === 'result' ? result.call : -1]?.args ?? [];
  if (/^(?:Some|Ok|Poll::Ready|(?:Mutex|RwLock|RefCell|Cell)::new)$/.test(path))
    return { kind: 'array', elements: [only] };
  if (/^(?:Box|Rc|Arc|Pin)::(?:new|clone|from|pin)$/.test(path)) return only;
  // Whoever implements `Default`, mostly by `derive`, gives itself.
  if (path.endsWith('::default') && field?.type === 'scoped_identifier') {
    const type = typeOf(file, field.childForFieldName('path'), place);
    return { kind: 'union', options: [result, { kind: 'typed', type }], first: true };
  }
  return result;
}

function closure(file: SourceFile, node: Node, place: Place): Expr {
  const definition = file.define({ kind: 'function', name: '' }, node, place);
  const inside = file.enter(definition, place);
  const own = file.definition(definition);
  for (const [index, part] of partsOf(node.childForFieldName('parameters')).entries()) {
    const pattern = part.type === 'parameter' ? part.childForFieldName('pattern') : part;
    const typeNode = part.type === 'parameter' ? part.childForFieldName('type') : null;
    const type = typeNode ? typeOf(file, typeNode, inside) : null;
    own.parameters.push({ name: file.text(pattern), type, default: null, rest: false, optional: false });
    const value: Expr = place.expected ? { kind: 'parameter', function: place.expected, index } : unknown;
    bindPattern(file, pattern, type ? { value: { kind: 'typed', type }, type } : { value }, inside);
  }
  const result = node.childForFieldName('return_type');
  own.returnType = result ? typeOf(file, result, inside) : null;
  file.returns(inside, file.read(node.childForFieldName('body'), inside));
  return { kind: 'definition', definition };
}
