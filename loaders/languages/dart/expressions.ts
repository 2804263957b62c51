import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr } from '../../facts/fact.ts';
import { behind, chainOf, type Link } from '../reading/chained-file.ts';
import { declareParameters } from '../reading/functions.ts';
import {
  blockOf,
  firstOf,
  partsOf,
  type Place,
  type Reader,
  skipped,
  type SourceFile,
  unknown,
} from '../reading/source-file.ts';
import { awaitedFirst, nameHere, selfHere, superHere } from '../reading/usual-readers.ts';
import { parametersOf } from './declarations.ts';
import { typeBefore, typesIn } from './types.ts';

/** What stands behind a value. */
export const links: Readonly<Record<string, Link>> = {
  selector: linked,
  unconditional_assignable_selector: linked,
  conditional_assignable_selector: linked,
  argument_part: linked,
  cascade_section(file, node, value, place) {
    let at: Expr = value;
    for (const part of partsOf(node)) {
      if (part.type === 'cascade_selector') at = linked(file, part, value, place);
      else if (links[part.type]) at = linked(file, part, at, place);
      else file.read(part, place);
    }
    return value;
  },
};

function linked(file: SourceFile, node: Node, value: Expr, place: Place): Expr {
  if (node.type === 'argument_part') return called(file, node, value, place);
  const [first] = partsOf(node);
  if (!first) return value;
  if (first.type === 'identifier') return { kind: 'member', object: value, name: file.text(first) };
  if (first.type === 'index_selector') {
    file.readAll(first, place);
    return { kind: 'index', object: value };
  }
  return links[first.type] ? linked(file, first, value, place) : value;
}

function called(file: SourceFile, node: Node, callee: Expr, place: Place): Expr {
  const parts = partsOf(node);
  const args = argumentsIn(parts.find(({ type }) => type === 'arguments'));
  const types = typesIn(file, partsOf(parts.find(({ type }) => type === 'type_arguments')), place);
  return file.call(place, node, callee, args, types.length > 0 ? { types } : {});
}

function argumentsIn(node: Node | undefined): Node[] {
  return partsOf(node).filter(({ type }) => type === 'argument' || type === 'named_argument');
}

/** `new A.named(x)`, `const A(x)`. */
const construction: Reader = (file, node, place) => {
  const parts = partsOf(node);
  const names = parts.filter(({ type }) => type === 'type_identifier' || type === 'identifier');
  const args = argumentsIn(parts.find(({ type }) => type === 'arguments'));
  const [first, ...rest] = names;
  if (!first) return unknown;
  let callee: Expr = { kind: 'name', name: file.text(first), scope: place.scope };
  for (const part of rest) callee = { kind: 'member', object: callee, name: file.text(part) };
  return file.call(place, first, callee, args);
};

/** A variable with the chain that it is given. */
const variable: Reader = (file, node, place) => {
  const nameNode = node.childForFieldName('name') ?? partsOf(node).find(({ type }) => type === 'identifier') ?? null;
  const type = typeBefore(file, node, nameNode, place);
  const expected: Expr | null = type ? { kind: 'typed', type } : null;
  const value = chainOf(file, behind(node, nameNode), { ...place, expected });
  if (nameNode) file.bind(place, file.text(nameNode), nameNode, type ? { type } : { value });
  return unknown;
};

/** What statements and expressions stand for. */
export const readers: Readonly<Record<string, Reader>> = {
  identifier: nameHere,
  identifier_dollar_escaped: nameHere,
  this: selfHere,
  super: superHere,
  block: blockOf,
  parenthesized_expression: firstOf,
  await_expression: awaitedFirst,
  type_identifier: skipped,
  type_arguments: skipped,
  annotation: skipped,
  new_expression: construction,
  const_object_expression: construction,
  initialized_variable_definition: variable,
  redirection: delegation,
  initializer_list_entry: delegation,
  argument: firstOf,
  named_argument: (file, node, place) => chainOf(file, partsOf(node).slice(1), place),
  label: skipped,
  relational_expression: chainedOperands,
  additive_expression: chainedOperands,
  multiplicative_expression: chainedOperands,
  equality_expression: chainedOperands,
  logical_and_expression: chainedOperands,
  logical_or_expression: chainedOperands,
  if_null_expression: (file, node, place) => ({ kind: 'union', options: file.readAll(node, place) }),
  conditional_expression(file, node, place) {
    const [condition, ...rest] = file.readAll(node, place);
    return condition ? { kind: 'union', options: rest } : unknown;
  },
  list_literal: (file, node, place) => ({ kind: 'array', elements: file.readAll(node, place) }),
  spread_element: (file, node, place) => ({ kind: 'iterate', object: firstOf(file, node, place) }),
  type_cast_expression(file, node, place) {
    const [cast] = partsOf(node).filter(({ type }) => type === 'type_cast');
    file.readAll(node, place);
    const [type] = typesIn(file, partsOf(cast), place);
    return type ? { kind: 'typed', type } : unknown;
  },
  assignment_expression(file, node, place) {
    const left = node.childForFieldName('left');
    file.read(left, place);
    return chainOf(file, node.childrenForFieldName('right'), place);
  },
  return_statement(file, node, place) {
    file.returns(place, firstOf(file, node, place));
    return unknown;
  },
  if_statement(file, node, place) {
    const consequence = node.childForFieldName('consequence');
    const before = partsOf(node).filter(({ endIndex }) => endIndex <= (consequence?.startIndex ?? 0));
    chainOf(file, before, place);
    const inside = file.block(place);
    for (const test of before) narrow(file, test, inside);
    file.read(consequence, inside);
    file.read(node.childForFieldName('alternative'), place);
    return unknown;
  },
  for_statement(file, node, place) {
    const inside = file.block(place);
    const parts = partsOf(node).find(({ type }) => type === 'for_loop_parts');
    const name = parts?.childForFieldName('name');
    if (parts && name) {
      const type = typeBefore(file, parts, name, place);
      const object = chainOf(file, parts.childrenForFieldName('value'), place);
      file.bind(inside, file.text(name), name, type ? { type } : { value: { kind: 'iterate', object } });
    } else file.readAll(parts, inside);
    file.read(node.childForFieldName('body'), inside);
    return unknown;
  },
  try_statement(file, node, place) {
    let caught: Node[] = [];
    let inside = place;
    for (const part of partsOf(node)) {
      if (part.type === 'type_identifier') caught.push(part);
      else if (part.type === 'catch_clause') {
        inside = file.block(place);
        const [name, trace] = part.descendantsOfType('identifier');
        const [type] = typesIn(file, caught, place);
        if (name) file.bind(inside, file.text(name), name, type ? { type } : {});
        if (trace) file.bind(inside, file.text(trace), trace, {});
      } else {
        file.read(part, inside);
        inside = place;
        caught = [];
      }
    }
    return unknown;
  },
  function_expression(file, node, place) {
    const definition = file.define({ kind: 'function', name: '' }, node, place);
    const inside = file.enter(definition, place);
    const list = node.childForFieldName('parameters');
    declareParameters(file, definition, inside, parametersOf(file, list, inside), place.expected);
    const body = node.childForFieldName('body');
    const value = chainOf(file, partsOf(body), inside);
    if (partsOf(body)[0]?.type !== 'block') file.returns(inside, value);
    return { kind: 'definition', definition };
  },
};

/** `: super.named(x)`, `: this(x)`: another constructor, which has a name or is the class itself. */
function delegation(file: SourceFile, node: Node, place: Place): Expr {
  const [self, ...rest] = partsOf(node);
  const args = rest.find(({ type }) => type === 'arguments');
  if (!args || (self?.type !== 'this' && self?.type !== 'super')) return chainOf(file, partsOf(node), place);
  const named = rest.find(({ type }) => type === 'identifier');
  const object: Expr =
    self.type === 'this' ? { kind: 'definition', definition: place.type } : superHere(file, self, place);
  return file.call(
    place,
    named ?? self,
    { kind: 'member', object, name: named ? file.text(named) : 'new()' },
    argumentsIn(args),
  );
}

function chainedOperands(file: SourceFile, node: Node, place: Place): Expr {
  file.readAll(node, place);
  return unknown;
}

/** `x is Foo`: inside, it is. */
function narrow(file: SourceFile, test: Node, place: Place): void {
  for (const each of test.descendantsOfType('type_test_expression')) {
    const [subject, ...rest] = partsOf(each);
    const [type] = typesIn(file, partsOf(rest.find((part) => part.type === 'type_test')), place);
    if (subject?.type === 'identifier' && rest.length === 1 && type && !/\bis\s*!/.test(file.text(each)))
      file.bind(place, file.text(subject), subject, { type });
  }
}
