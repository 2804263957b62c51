import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr } from '../../facts/fact.ts';
import { type NamedParameter, readLambda } from '../reading/functions.ts';
import {
  blockOf,
  firstOf,
  lastOf,
  partsOf,
  type Place,
  type Reader,
  skipped,
  type SourceFile,
  unknown,
} from '../reading/source-file.ts';
import { awaitedFirst, nameHere, selfHere, superHere } from '../reading/usual-readers.ts';
import { annotated, isType, typeOf } from './types.ts';

/** Their value is that of the last in them. */
const sequences = ['try_expression', 'value_argument', 'directly_assignable_expression', 'consume_expression'];

/** What statements and expressions stand for. */
export const readers: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(sequences.map((type) => [type, lastOf])),
  simple_identifier: (file, node, place) => (file.text(node) === 'Self' ? ownType(place) : nameHere(file, node, place)),
  self_expression: selfHere,
  super_expression: superHere,
  await_expression: awaitedFirst,
  statements: blockOf,
  value_argument_label: skipped,
  try_operator: skipped,
  user_type: skipped,
  type_annotation: skipped,
  navigation_expression(file, node, place) {
    const object = file.read(node.childForFieldName('target'), place);
    const suffix = node.childForFieldName('suffix')?.childForFieldName('suffix');
    const name = file.text(suffix);
    const member: Expr = { kind: 'member', object, name };
    if (name === 'self') return object;
    // Properties of what holds others.
    return name === 'first' || name === 'last'
      ? { kind: 'union', options: [{ kind: 'index', object }, member], first: true }
      : member;
  },
  postfix_expression: firstOf,
  call_expression: call,
  constructor_expression(file, node, place) {
    const type = node.childForFieldName('constructed_type');
    const suffix = partsOf(node).find((part) => part.type === 'constructor_suffix');
    const name = partsOf(type)
      .filter((part) => part.type === 'type_identifier')
      .map(file.text);
    const [first = '', ...rest] = name;
    let callee: Expr = { kind: 'name', name: first, scope: place.scope };
    for (const part of rest) callee = { kind: 'member', object: callee, name: part };
    return called(file, type ?? node, callee, suffix, place);
  },
  prefix_expression(file, node, place) {
    // `.shared`: of the type that is asked for here, which is not known.
    if (node.childForFieldName('operation')?.type === '.') return unknown;
    file.readAll(node, place);
    return unknown;
  },
  as_expression(file, node, place) {
    file.read(node.childForFieldName('expr'), place);
    const written = partsOf(node).findLast(isType);
    return written ? { kind: 'typed', type: typeOf(file, written, place) } : unknown;
  },
  nil_coalescing_expression: (file, node, place) => ({ kind: 'union', options: file.readAll(node, place) }),
  ternary_expression(file, node, place) {
    file.read(node.childForFieldName('condition'), place);
    return {
      kind: 'union',
      options: [
        file.read(node.childForFieldName('if_true'), place),
        file.read(node.childForFieldName('if_false'), place),
      ],
    };
  },
  tuple_expression(file, node, place) {
    const elements = file.readAll(node, place);
    return elements.length === 1 ? (elements[0] ?? unknown) : { kind: 'tuple', elements };
  },
  array_literal: (file, node, place) => ({ kind: 'array', elements: file.readAll(node, place) }),
  assignment(file, node, place) {
    const target = node.childForFieldName('target');
    const left = file.read(target, place);
    const value = file.read(node.childForFieldName('result'), place);
    if (left.kind === 'member' && left.object.kind === 'self') assignMember(file, left.name, value, place);
    return value;
  },
  control_transfer_statement(file, node, place) {
    const result = node.childForFieldName('result');
    const value = result?.isNamed ? file.read(result, place) : unknown;
    if (node.children[0]?.type === 'return' || file.text(node).startsWith('return')) file.returns(place, value);
    return value;
  },
  if_statement(file, node, place) {
    const inside = file.block(place);
    conditions(file, node, place, inside);
    const options = partsOf(node)
      .filter(({ type }) => type === 'statements' || type === 'if_statement')
      .map((part, index) => file.read(part, index === 0 && part.type === 'statements' ? inside : place));
    return { kind: 'union', options };
  },
  guard_statement(file, node, place) {
    conditions(file, node, place, place);
    for (const part of partsOf(node)) if (part.type === 'statements') file.read(part, place);
    return unknown;
  },
  while_statement(file, node, place) {
    const inside = file.block(place);
    conditions(file, node, place, inside);
    for (const part of partsOf(node)) if (part.type === 'statements') file.read(part, inside);
    return unknown;
  },
  for_statement(file, node, place) {
    const object = file.read(node.childForFieldName('collection'), place);
    const inside = file.block(place);
    const iterated: Expr = { kind: 'iterate', object };
    bindPattern(file, node.childForFieldName('item'), iterated, inside);
    for (const part of partsOf(node)) if (/^(?:statements|where_clause)$/.test(part.type)) file.read(part, inside);
    return unknown;
  },
  switch_entry(file, node, place) {
    const inside = file.block(place);
    for (const part of partsOf(node)) {
      if (part.type === 'switch_pattern')
        for (const name of boundIn(part)) file.bind(inside, file.text(name), name, {});
      else file.read(part, inside);
    }
    return unknown;
  },
  catch_block(file, node, place) {
    const inside = file.block(place);
    const error = node.childForFieldName('error');
    const type = annotated(file, error, place);
    const [name] = error?.descendantsOfType('simple_identifier') ?? [];
    if (name) file.bind(inside, file.text(name), name, type ? { type } : {});
    for (const part of partsOf(node)) if (part.type === 'statements') file.read(part, inside);
    return unknown;
  },
  lambda_literal(file, node, place) {
    return readLambda(
      file,
      node,
      place,
      (inside) => lambdaParameters(file, node, inside),
      partsOf(node).find(({ type }) => type === 'statements'),
    );
  },
};

function ownType(place: Place): Expr {
  if (place.self?.kind === 'reference') return { kind: 'name', name: place.self.name, scope: place.scope };
  return place.type >= 0 ? { kind: 'definition', definition: place.type } : unknown;
}

/** A property that has no type is what an initializer gives it. */
function assignMember(file: SourceFile, name: string, value: Expr, place: Place): void {
  if (place.type < 0 || value.kind === 'unknown') return;
  const known = file.definition(place.type).members.find((member) => member.name === name);
  if (known && known.definition < 0 && !known.type && !known.value) known.value = value;
}

function call(file: SourceFile, node: Node, place: Place): Expr {
  const [callee, ...rest] = partsOf(node);
  const suffix = rest.find(({ type }) => type === 'call_suffix');
  if (callee?.type === 'array_literal') {
    const type = partsOf(callee)[0];
    return {
      kind: 'array',
      elements: type ? [{ kind: 'call', callee: file.read(type, place), args: [], isNew: true }] : [],
    };
  }
  const at =
    callee?.type === 'navigation_expression' ? (callee.childForFieldName('suffix') ?? callee) : (callee ?? node);
  return called(file, at, file.read(callee, place), suffix, place);
}

/** A call with its arguments, and the closures behind it. What may be nil and is called all the same, `done?(1)`, is a variable. */
function called(file: SourceFile, at: Node, callee: Expr, suffix: Node | undefined, place: Place): Expr {
  const list = partsOf(suffix).find(({ type }) => type === 'value_arguments');
  const closures = partsOf(suffix).filter(({ type }) => type === 'lambda_literal');
  const isIndexed = list !== undefined && file.source[list.startIndex] === '[';
  if (isIndexed || (suffix && file.source[suffix.startIndex - 1] === '?')) {
    for (const part of partsOf(suffix)) file.readAll(part, place);
    return isIndexed ? { kind: 'index', object: callee } : unknown;
  }
  const args: Expr[] = [];
  const result = file.call(place, at, callee, [], { args });
  const call = result.kind === 'result' ? result.call : -1;
  const given = [...partsOf(list).map((arg) => arg.childForFieldName('value') ?? arg), ...closures];
  for (const arg of given)
    args.push(file.read(arg, { ...place, expected: { kind: 'argument', call, index: args.length } }));
  return result;
}

/** `{ a, b in … }`, else what `$0` and `$1` stand for. */
function lambdaParameters(file: SourceFile, node: Node, place: Place): NamedParameter[] {
  const written = node.childForFieldName('type')?.descendantsOfType('lambda_parameter') ?? [];
  const named = written.flatMap((part): NamedParameter[] => {
    const [name] = part.childrenForFieldName('name');
    return name?.type === 'simple_identifier'
      ? [{ name: file.text(name), node: name, type: annotated(file, part, place) }]
      : [];
  });
  return written.length > 0 ? named : ['$0', '$1'].map((name) => ({ name, node }));
}

/** `let x = y`, `let x`, and all that is asked before; names hold in `inside`. */
function conditions(file: SourceFile, node: Node, place: Place, inside: Place): void {
  const bound = new Set(node.childrenForFieldName('bound_identifier').map(({ id }) => id));
  let pending: Node | null = null;
  const end = (value: Expr): void => {
    // What has its own name stays what it is: that it is there is all that is new.
    const isItself = value.kind === 'name' && value.name === file.text(pending);
    if (pending && !isItself) file.bind(inside, file.text(pending), pending, { value });
    pending = null;
  };
  for (const part of node.children) {
    if (part.type === 'statements' || part.type === 'else') break;
    if (bound.has(part.id)) {
      pending = part;
    } else if (
      part.isNamed &&
      !/^(?:value_binding_pattern|type_annotation|comment)$/.test(part.type) &&
      !isType(part)
    ) {
      const value = file.read(part, inside);
      if (pending) end(value);
    }
  }
}

/** The names that a pattern binds. */
function boundIn(pattern: Node): Node[] {
  return pattern.descendantsOfType('pattern').flatMap((part) => {
    const name = part.childForFieldName('bound_identifier') ?? (part.namedChildCount === 1 ? part.namedChild(0) : null);
    return name?.type === 'simple_identifier' ? [name] : [];
  });
}

function bindPattern(file: SourceFile, pattern: Node | null, value: Expr, place: Place): void {
  const name = pattern?.childForFieldName('bound_identifier');
  if (name) {
    file.bind(place, file.text(name), name, { value });
    return;
  }
  for (const [at, part] of partsOf(pattern).entries()) {
    const [inner] = part.descendantsOfType('simple_identifier');
    if (inner) file.bind(place, file.text(inner), inner, { value: { kind: 'index', object: value, at } });
  }
}
