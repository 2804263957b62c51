import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr } from '../../facts/fact.ts';
import { readLambda } from '../reading/functions.ts';
import {
  firstOf,
  lastOf,
  partsOf,
  type Place,
  type Reader,
  skipped,
  type SourceFile,
  unknown,
} from '../reading/source-file.ts';
import { nameHere, returned } from '../reading/usual-readers.ts';
import { parametersOf, readBody, variableName } from './declarations.ts';
import { classNamed, method, nameOf } from './names.ts';
import { documentedType, typeOf } from './types.ts';

/** What statements and expressions stand for. */
export const readers: Readonly<Record<string, Reader>> = {
  variable_name: (file, node, place) =>
    file.text(node) === '$this'
      ? { kind: 'self', definition: place.definition }
      : { kind: 'name', name: file.text(node), scope: place.scope },
  name: nameHere,
  qualified_name: (file, node, place) => ({
    kind: 'name',
    name: nameOf(file, file.text(node), node),
    scope: place.scope,
  }),
  relative_scope: (file, node, place) => classNamed(file, file.text(node), node, place),
  parenthesized_expression: firstOf,
  argument: lastOf,
  clone_expression: firstOf,
  error_suppression_expression: firstOf,
  attribute_list: skipped,
  by_ref: firstOf,
  reference_assignment_expression: assignment,
  assignment_expression: assignment,
  augmented_assignment_expression: assignment,
  member_access_expression: property,
  nullsafe_member_access_expression: property,
  scoped_property_access_expression: (file, node, place) => ({
    kind: 'member',
    object: scopeOf(file, node, place),
    name: variableName(file, node.childForFieldName('name')),
  }),
  class_constant_access_expression(file, node, place) {
    const [scope, name] = partsOf(node);
    if (!scope || !name) return unknown;
    const object = scope.type.endsWith('name')
      ? classNamed(file, file.text(scope), scope, place)
      : file.read(scope, place);
    return file.text(name) === 'class' ? object : { kind: 'member', object, name: file.text(name) };
  },
  subscript_expression(file, node, place) {
    const [object = unknown] = file.readAll(node, place);
    return { kind: 'index', object };
  },
  function_call_expression(file, node, place) {
    const callee = node.childForFieldName('function');
    const args = partsOf(node.childForFieldName('arguments'));
    if (isItself(args)) return file.read(callee, place);
    // Functions, classes and constants of one name are three.
    const value: Expr =
      callee?.type.endsWith('name') && callee.type !== 'variable_name'
        ? functionNamed(file, callee, place)
        : file.read(callee, place);
    return file.call(place, node, value, args);
  },
  member_call_expression: methodCall,
  nullsafe_member_call_expression: methodCall,
  scoped_call_expression(file, node, place) {
    const name = node.childForFieldName('name');
    const object = scopeOf(file, node, place);
    const args = partsOf(node.childForFieldName('arguments'));
    const isConstructor = file.text(node.childForFieldName('scope')) === 'parent' && file.text(name) === '__construct';
    const callee: Expr = isConstructor
      ? { kind: 'super', definition: place.definition }
      : { kind: 'member', object, name: method(file.text(name)) };
    return file.call(place, node, name?.type === 'name' ? callee : unknown, args, { line: file.line(name ?? node) });
  },
  object_creation_expression: creation,
  anonymous_function: (file, node, place) => closure(file, node, place),
  anonymous_function_creation_expression: (file, node, place) => closure(file, node, place),
  arrow_function: (file, node, place) => closure(file, node, place),
  array_creation_expression: (file, node, place) => {
    const parts = partsOf(node);
    const values = parts.map((part) => lastOf(file, part, place));
    // A list of an object and a method's name is a function.
    return parts.some((part) => part.namedChildCount > 1)
      ? { kind: 'map', values }
      : { kind: 'array', elements: values };
  },
  conditional_expression(file, node, place) {
    const condition = file.read(node.childForFieldName('condition'), place);
    const body = node.childForFieldName('body');
    const options = [
      body ? file.read(body, place) : condition,
      file.read(node.childForFieldName('alternative'), place),
    ];
    return { kind: 'union', options };
  },
  binary_expression(file, node, place) {
    const left = file.read(node.childForFieldName('left'), place);
    const right = file.read(node.childForFieldName('right'), place);
    return node.childForFieldName('operator')?.type === '??' ? { kind: 'union', options: [left, right] } : unknown;
  },
  match_expression(file, node, place) {
    file.read(node.childForFieldName('condition'), place);
    const arms = partsOf(node.childForFieldName('body'));
    return { kind: 'union', options: arms.map((arm) => lastOf(file, arm, place)) };
  },
  foreach_statement(file, node, place) {
    const [source, target] = partsOf(node);
    const object = file.read(source, place);
    const value = target?.type === 'pair' ? partsOf(target).at(-1) : target;
    assign(file, value, { kind: 'iterate', object }, place);
    file.read(node.childForFieldName('body'), place);
    return unknown;
  },
  /** Where a condition says of what class a variable is, it is so inside. */
  if_statement(file, node, place) {
    const condition = node.childForFieldName('condition');
    file.read(condition, place);
    const inside = file.block(place);
    narrow(file, condition, inside);
    file.read(node.childForFieldName('body'), inside);
    for (const part of node.childrenForFieldName('alternative')) if (part) file.read(part, place);
    return unknown;
  },
  catch_clause(file, node, place) {
    const name = node.childForFieldName('name');
    const inside = file.block(place);
    if (name) file.bind(inside, file.text(name), name, { type: typeOf(file, node.childForFieldName('type'), place) });
    file.read(node.childForFieldName('body'), inside);
    return unknown;
  },
  return_statement: returned,
  expression_statement(file, node, place) {
    const comment = file.commentAbove(node);
    const [part] = partsOf(node);
    const left = part?.type === 'assignment_expression' ? part.childForFieldName('left') : null;
    const type =
      comment.includes('@var') && left?.type === 'variable_name'
        ? documentedType(file, comment, 'var', node, place)
        : null;
    if (type && left) file.bind(functionPlace(file, place), file.text(left), left, { type });
    return firstOf(file, node, place);
  },
};

function functionNamed(file: SourceFile, node: Node, place: Place): Expr {
  const name = nameOf(file, file.text(node), node);
  if (!name.startsWith('\\')) return { kind: 'name', name: method(name), scope: place.scope };
  const known = file.facts.imports.find(({ local }) => local === name);
  const local = method(name);
  if (known && !file.facts.scopes[0]?.bindings.some((one) => one.name === local)) {
    file.importAs(file.top, { module: known.module, name: method(known.name), local }, node);
  }
  return { kind: 'name', name: local, scope: place.scope };
}

function property(file: SourceFile, node: Node, place: Place): Expr {
  const name = node.childForFieldName('name');
  const object = file.read(node.childForFieldName('object'), place);
  return name?.type === 'name' ? { kind: 'member', object, name: file.text(name) } : unknown;
}

/** `$this->close(...)` is the method itself. */
const isItself = (args: readonly Node[]) => args[0]?.type === 'variadic_placeholder';

function methodCall(file: SourceFile, node: Node, place: Place): Expr {
  const name = node.childForFieldName('name');
  const object = file.read(node.childForFieldName('object'), place);
  const callee: Expr = name?.type === 'name' ? { kind: 'member', object, name: method(file.text(name)) } : unknown;
  const args = partsOf(node.childForFieldName('arguments'));
  if (isItself(args)) return callee;
  return file.call(place, node, callee, args, {
    line: file.line(name ?? node),
  });
}

function scopeOf(file: SourceFile, node: Node, place: Place): Expr {
  const scope = node.childForFieldName('scope');
  if (!scope) return unknown;
  return scope.type === 'name' || scope.type === 'qualified_name'
    ? classNamed(file, file.text(scope), scope, place)
    : file.read(scope, place);
}

function creation(file: SourceFile, node: Node, place: Place): Expr {
  const [target, ...rest] = partsOf(node);
  const args = partsOf(rest.find(({ type }) => type === 'arguments'));
  if (target?.type === 'anonymous_class') {
    const definition = file.define({ kind: 'class', name: '' }, target, place);
    file.readAll(
      target.namedChildren.find(({ type }) => type === 'arguments'),
      place,
    );
    readBody(file, target, definition, place);
    return { kind: 'typed', type: { kind: 'definition', definition } };
  }
  if (!target) return unknown;
  const isName = target.type === 'name' || target.type === 'qualified_name';
  const callee = isName ? classNamed(file, file.text(target), target, place) : file.read(target, place);
  return file.call(place, node, callee, args, { isNew: true });
}

function closure(file: SourceFile, node: Node, place: Place): Expr {
  const body = node.childForFieldName('body');
  const result = readLambda(
    file,
    node,
    place,
    (inside) => parametersOf(file, node.childForFieldName('parameters'), inside),
    body,
  );
  const type = node.childForFieldName('return_type');
  if (type && result.kind === 'definition') file.definition(result.definition).returnType = typeOf(file, type, place);
  return result;
}

function assignment(file: SourceFile, node: Node, place: Place): Expr {
  const left = node.childForFieldName('left');
  const value = file.read(node.childForFieldName('right'), place);
  assign(file, left, value, place);
  return value;
}

function assign(file: SourceFile, target: Node | null | undefined, value: Expr, place: Place): void {
  switch (target?.type) {
    case 'by_ref':
      assign(file, target.namedChildren[0], value, place);
      break;
    case 'variable_name':
      file.bind(functionPlace(file, place), file.text(target), target, { value });
      break;
    case 'member_access_expression': {
      const object = target.childForFieldName('object');
      const name = file.text(target.childForFieldName('name'));
      const known = place.type >= 0 && file.definition(place.type).members.some((one) => one.name === name && one.type);
      if (file.text(object) === '$this' && !known) file.member(place.type, name, { value });
      else file.read(object, place);
      break;
    }
    case 'subscript_expression': {
      // What is put into an array is one of its elements.
      const [array] = partsOf(target);
      assign(file, array, { kind: 'array', elements: [value] }, place);
      break;
    }
    case 'list_literal':
    case 'array_creation_expression':
      for (const [at, part] of partsOf(target).entries()) {
        const inner = part.type === 'array_element_initializer' ? part.namedChildren.at(-1) : part;
        assign(file, inner, { kind: 'index', object: value, at }, place);
      }
      break;
    default:
      file.read(target, place);
  }
}

/** Variables are a function's, whatever block they stand in. */
function functionPlace(file: SourceFile, place: Place): Place {
  const scope = place.definition >= 0 ? file.definition(place.definition).scope : 0;
  return { ...place, scope: Math.max(scope, 0) };
}

function narrow(file: SourceFile, node: Node | null | undefined, place: Place): void {
  if (node?.type === 'parenthesized_expression') return narrow(file, node.namedChildren[0], place);
  if (node?.type !== 'binary_expression') return;
  const operator = node.childForFieldName('operator')?.type;
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  if (operator === '&&') {
    narrow(file, left, place);
    narrow(file, right, place);
  } else if (operator === 'instanceof' && left?.type === 'variable_name' && right?.type.endsWith('name')) {
    const expr = classNamed(file, file.text(right), right, place);
    if (expr.kind === 'name')
      file.bind(place, file.text(left), left, { type: { kind: 'reference', name: expr.name, scope: 0, args: [] } });
  }
}
