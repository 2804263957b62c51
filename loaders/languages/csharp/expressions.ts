import type { ArgumentFor, Expr, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { readLambda } from '../reading/functions.ts';
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
import {
  assigned,
  awaitedFirst,
  eitherBranch,
  nameHere,
  returned,
  selfHere,
  superHere,
} from '../reading/usual-readers.ts';
import { parametersOf } from './declarations.ts';
import { classKey, declaredType, genericOf, ofKeyword, typeOf } from './types.ts';

const bool: Expr = { kind: 'typed', type: ofKeyword('bool') };

/** What `?.` is asked of, the innermost last. */
const conditional = new WeakMap<SourceFile, Expr[]>();

/** What statements and expressions stand for. */
export const readers: Readonly<Record<string, Reader>> = {
  identifier: nameHere,
  generic_name: (file, node, place) => ({ kind: 'name', name: file.text(node.namedChildren[0]), scope: place.scope }),
  this_expression: selfHere,
  base_expression: superHere,
  parenthesized_expression: firstOf,
  checked_expression: firstOf,
  block: blockOf,
  arrow_expression_clause: firstOf,
  argument: lastOf,
  attribute_list: skipped,
  typeof_expression: () => ({ kind: 'typed', type: ofKeyword('Type') }),
  sizeof_expression: skipped,
  member_access_expression(file, node, place) {
    const object = node.childForFieldName('expression');
    return {
      kind: 'member',
      object: objectOf(file, object, place),
      name: nameOf(file, node.childForFieldName('name')),
    };
  },
  conditional_access_expression(file, node, place) {
    const stack = conditional.get(file) ?? [];
    conditional.set(file, stack);
    const [condition, ...rest] = partsOf(node);
    stack.push(objectOf(file, condition ?? null, place));
    const values = rest.map((part) => file.read(part, place));
    stack.pop();
    return values.at(-1) ?? unknown;
  },
  member_binding_expression: (file, node) => ({
    kind: 'member',
    object: conditional.get(file)?.at(-1) ?? unknown,
    name: nameOf(file, node.childForFieldName('name')),
  }),
  element_access_expression(file, node, place) {
    file.read(node.childForFieldName('subscript'), place);
    return { kind: 'index', object: objectOf(file, node.childForFieldName('expression'), place) };
  },
  invocation_expression: invocation,
  object_creation_expression(file, node, place) {
    const typeNode = node.childForFieldName('type');
    const written = typeOf(file, typeNode, place);
    // What is named like a container may be the repository's own.
    const type = written.kind === 'library' ? written.own : written;
    const args = partsOf(node.childForFieldName('arguments'));
    const initializer = node.childForFieldName('initializer');
    if (type.kind !== 'reference') {
      file.readAll(node.childForFieldName('arguments'), place);
      file.read(initializer, place);
      return { kind: 'typed', type };
    }
    const [first = '', ...rest] = type.name.split('.');
    const callee = rest.reduce<Expr>((object, name) => ({ kind: 'member', object, name }), {
      kind: 'name',
      name: first,
      scope: type.scope,
      isType: true,
    });
    const more = type.args.length > 0 ? { types: type.args } : {};
    const made = file.call(place, node, callee, args, { isNew: true, ...more }, (arg) => wantedFor(file, arg));
    file.read(initializer, place);
    return written.kind === 'library' ? { kind: 'typed', type: written } : made;
  },
  implicit_object_creation_expression(file, node, place) {
    const [list, initializer] = partsOf(node);
    file.readAll(list?.type === 'argument_list' ? list : undefined, place);
    file.read(initializer, place);
    return place.expected ?? unknown;
  },
  array_creation_expression: containerOf,
  implicit_array_creation_expression: containerOf,
  cast_expression(file, node, place) {
    file.read(node.childForFieldName('value'), place);
    return { kind: 'typed', type: typeOf(file, node.childForFieldName('type'), place) };
  },
  as_expression(file, node, place) {
    file.read(node.childForFieldName('left'), place);
    return { kind: 'typed', type: typeOf(file, node.childForFieldName('right'), place) };
  },
  is_expression(file, node, place) {
    file.read(node.childForFieldName('left'), place);
    return unknown;
  },
  await_expression: awaitedFirst,
  postfix_unary_expression: firstOf,
  prefix_unary_expression(file, node, place) {
    const value = file.readAll(node, place).at(-1) ?? unknown;
    const operator = node.firstChild?.type ?? '';
    return operator === '!' ? bool : /^[-+~]/.test(operator) ? value : unknown;
  },
  string_literal: literal('string'),
  verbatim_string_literal: literal('string'),
  raw_string_literal: literal('string'),
  interpolated_string_expression: literal('string'),
  character_literal: literal('char'),
  boolean_literal: literal('bool'),
  integer_literal: (file, node) => ({ kind: 'typed', type: ofKeyword(integerType(file.text(node))) }),
  real_literal: (file, node) => ({ kind: 'typed', type: ofKeyword(realType(file.text(node))) }),
  predefined_type: (file, node) => typeName(ofKeyword(file.text(node))),
  conditional_expression: eitherBranch,
  binary_expression(file, node, place) {
    const left = file.read(node.childForFieldName('left'), place);
    const right = file.read(node.childForFieldName('right'), place);
    const operator = node.childForFieldName('operator')?.type ?? '';
    if (compares.has(operator)) return { kind: 'typed', type: ofKeyword('bool') };
    return operator === '??' || operator === '+' ? { kind: 'union', options: [left, right] } : left;
  },
  assignment_expression: assigned,
  tuple_expression: (file, node, place) => ({ kind: 'tuple', elements: file.readAll(node, place) }),
  lambda_expression(file, node, place) {
    const body = node.childForFieldName('body');
    const parameters = (inside: Place) => parametersOf(file, node.childForFieldName('parameters'), inside);
    const lambda = readLambda(file, node, place, parameters, body);
    // What is `async` gives a task, also where it gives nothing.
    if (lambda.kind === 'definition' && /^(?:static\s{1,9})?async\b(?!\s{0,9}=>)/.test(file.text(node)))
      file.definition(lambda.definition).returns.push(unknown);
    return lambda;
  },
  anonymous_method_expression: (file, node, place) =>
    readLambda(
      file,
      node,
      place,
      (inside) => {
        const list = node.childForFieldName('parameters');
        // `delegate { }` stands for functions that take anything.
        return list ? parametersOf(file, list, inside) : [{ name: '', node, rest: true, optional: true }];
      },
      partsOf(node).at(-1),
    ),
  switch_expression(file, node, place) {
    const [value, ...arms] = partsOf(node);
    file.read(value, place);
    return { kind: 'union', options: arms.map((arm) => lastOf(file, arm, file.block(place))) };
  },
  switch_section: blockOf,
  declaration_pattern: declaration,
  declaration_expression: declaration,
  recursive_pattern: declaration,
  // The grammar takes `x is T && f(x)` for one pattern, with the call in it.
  constant_pattern: everything,
  is_pattern_expression: everything,
  variable_declaration: variables,
  for_statement: blockOf,
  using_statement: blockOf,
  foreach_statement(file, node, place) {
    const object = file.read(node.childForFieldName('right'), place);
    const inside = file.block(place);
    const name = node.childForFieldName('left');
    const type = declaredType(file, node.childForFieldName('type'), place);
    if (name) file.bind(inside, file.text(name), name, type ? { type } : { value: { kind: 'iterate', object } });
    file.read(node.childForFieldName('body'), inside);
    return unknown;
  },
  catch_clause: blockOf,
  catch_declaration: declaration,
  return_statement: returned,
};

/** Reads what is inside for its calls. */
function everything(file: SourceFile, node: Node, place: Place): Expr {
  file.readAll(node, place);
  return bool;
}

const compares: ReadonlySet<string> = new Set(['==', '!=', '<', '>', '<=', '>=', '&&', '||', 'is']);

/** What is written as it is, with what may stand inside it. */
function literal(keyword: string): Reader {
  const type = ofKeyword(keyword);
  return (file, node, place) => {
    file.readAll(node, place);
    return { kind: 'typed', type };
  };
}

function integerType(text: string): string {
  const suffix = /[uUlL]{1,2}$/.exec(text)?.[0].toLowerCase() ?? '';
  return suffix.length > 1 ? 'ulong' : suffix === 'l' ? 'long' : suffix === 'u' ? 'uint' : 'int';
}

function realType(text: string): string {
  const suffix = text.at(-1)?.toLowerCase();
  return suffix === 'f' ? 'float' : suffix === 'm' ? 'decimal' : 'double';
}

function typeName(type: TypeExpr): Expr {
  return type.kind === 'reference' ? { kind: 'name', name: type.name, scope: type.scope, isType: true } : unknown;
}

/** `this` and `base` are words, no names. */
function objectOf(file: SourceFile, node: Node | null, place: Place): Expr {
  if (node?.type === 'this') return { kind: 'self', definition: place.definition };
  if (node?.type === 'base') return { kind: 'super', definition: place.definition };
  if (node?.type === 'generic_name') {
    const { name, args } = genericOf(file, node, place);
    return { kind: 'name', name: classKey(name, args.length), scope: place.scope, isType: true };
  }
  return file.read(node, place);
}

function nameOf(file: SourceFile, node: Node | null): string {
  return file.text(node?.type === 'generic_name' ? node.namedChildren[0] : node);
}

function invocation(file: SourceFile, node: Node, place: Place): Expr {
  const callee = node.childForFieldName('function');
  const args = partsOf(node.childForFieldName('arguments'));
  const name = callee?.childForFieldName('name') ?? callee;
  const value = file.read(callee, place);
  if (value.kind === 'name' && value.name === 'nameof') return unknown;
  const types = name?.type === 'generic_name' ? genericOf(file, name, place).args : [];
  const more = { line: file.line(name ?? node), ...(types.length > 0 ? { types } : {}) };
  const called: Expr = value.kind === 'member' ? { ...value, isCalled: true } : value;
  return file.call(place, node, called, args, more, (arg) => wantedFor(file, arg));
}

/** `f(name: x)`: it is for the parameter of that name, wherever that stands. */
function wantedFor(file: SourceFile, arg: Node): ArgumentFor | undefined {
  const name = arg.childForFieldName('name');
  return name ? { name: file.text(name) } : undefined;
}

function containerOf(file: SourceFile, node: Node, place: Place): Expr {
  const elements = partsOf(node).map((part) => file.read(part, place));
  const typeNode = node.childForFieldName('type');
  return typeNode ? { kind: 'typed', type: typeOf(file, typeNode, place) } : { kind: 'array', elements };
}

/** `Foo name` in a pattern, an `out` argument or a `catch`. */
function declaration(file: SourceFile, node: Node, place: Place): Expr {
  const typeNode = node.childForFieldName('type');
  const name = node.childForFieldName('name');
  const type = declaredType(file, typeNode, place);
  for (const part of partsOf(node)) if (part.type.endsWith('clause')) file.read(part, place);
  if (name) file.bind(place, file.text(name), name, { type });
  return unknown;
}

function variables(file: SourceFile, node: Node, place: Place): Expr {
  const type = declaredType(file, node.childForFieldName('type'), place);
  for (const part of partsOf(node)) {
    if (part.type !== 'variable_declarator') continue;
    const [target, valueNode] = partsOf(part);
    const value = file.read(valueNode, type ? { ...place, expected: { kind: 'typed', type } } : place);
    if (target?.type === 'tuple_pattern') {
      for (const [at, name] of partsOf(target).entries()) {
        file.bind(place, file.text(name), name, { value: { kind: 'index', object: value, at } });
      }
    } else if (target) file.bind(place, file.text(target), target, type ? { type } : { value });
  }
  return unknown;
}
