import type { Node } from '../../facts/syntax-tree.ts';
import type { ArgumentFor, Expr, TypeExpr } from '../../facts/fact.ts';
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
import { assigned, returned } from '../reading/usual-readers.ts';
import { parametersOf } from './declarations.ts';
import { curriedInstance, instance, mixed } from './instances.ts';
import { bindPattern } from './patterns.ts';
import { typeOf } from './types.ts';

/** What statements and expressions stand for. */
export const readers: Readonly<Record<string, Reader>> = {
  identifier(file, node, place) {
    const name = file.text(node);
    if (name === 'this') return { kind: 'self', definition: place.definition };
    if (name === 'super') return { kind: 'super', definition: place.definition };
    const value: Expr = { kind: 'name', name, scope: place.scope };
    // A name that is no variable here may be a method without parameters.
    if (/^\p{Lu}/u.test(name) || isVariable(file, name, place)) return value;
    const read = file.call(place, node, value, [], { isRead: true });
    return { kind: 'union', options: [read, value], first: true };
  },
  parenthesized_expression: firstOf,
  block,
  indented_block: block,
  finally_clause: lastOf,
  string: ofOwnType('String'),
  interpolated_string_expression: ofOwnType('String'),
  character_literal: ofOwnType('Char'),
  boolean_literal: ofOwnType('Boolean'),
  integer_literal: (file, node, place) => ofOwnType(/l$/i.test(file.text(node)) ? 'Long' : 'Int')(file, node, place),
  floating_point_literal: (file, node, place) =>
    ofOwnType(/f$/i.test(file.text(node)) ? 'Float' : 'Double')(file, node, place),
  annotation: skipped,
  modifiers: skipped,
  /** `a.b` calls `b` where that is a method without parameters. */
  field_expression(file, node, place) {
    const value = member(file, node, place);
    const name = node.childForFieldName('field');
    const read = file.call(place, name ?? node, value, [], { isRead: true });
    return { kind: 'union', options: [read, value], first: true };
  },
  /** `xs toList` */
  postfix_expression(file, node, place) {
    const [left, operator] = partsOf(node);
    const object = file.read(left, place);
    if (!operator || file.text(operator) === '_') return object;
    return file.call(place, operator, { kind: 'member', object, name: file.text(operator) }, [], { isRead: true });
  },
  call_expression: (file, node, place) => curriedInstance(file, node, place) ?? call(file, node, place),
  generic_function: call,
  infix_expression(file, node, place) {
    const operator = node.childForFieldName('operator');
    const right = node.childForFieldName('right');
    if (!operator || !right) return unknown;
    const made = file.text(operator) === 'with' ? mixed(file, node, place) : null;
    if (made) return made;
    const left = node.childForFieldName('left');
    const name = file.text(operator);
    // What ends with a colon is a method of what stands on the right.
    const isOfRight = name.endsWith(':');
    const object = file.read(isOfRight ? right : left, place);
    const own: Expr = { kind: 'member', object, name };
    // `a += b` is `a = a + b` where `a` has no `+=`.
    const assigns = /^(?![=!<>]=$).*[^\w=]=$/.test(name) && name.length > 1;
    const callee: Expr = assigns
      ? { kind: 'union', options: [own, { kind: 'member', object, name: name.slice(0, -1) }], first: true }
      : own;
    const arg = isOfRight && left ? left : right;
    if (arg.type !== 'wildcard') return file.call(place, operator, callee, [arg]);
    // `_ + _`: a place that is left open is a parameter of what is asked for, the second of two.
    const result = file.call(place, operator, callee, []);
    file.callOf(result)?.args.push(asked(place, left?.type === right.type && !isOfRight ? 1 : 0));
    return result;
  },
  instance_expression: instance,
  tuple_expression: (file, node, place) => ({ kind: 'tuple', elements: file.readAll(node, place) }),
  ascription_expression(file, node, place) {
    const [value, type] = partsOf(node);
    const known = file.read(value, place);
    // `xs: _*` hands on what it holds one by one.
    if (file.text(node).endsWith('_*')) return known;
    return { kind: 'typed', type: typeOf(file, type, place) };
  },
  if_expression(file, node, place) {
    file.read(node.childForFieldName('condition'), place);
    const parts = [node.childForFieldName('consequence'), node.childForFieldName('alternative')];
    return { kind: 'union', options: parts.map((part) => file.read(part, place)) };
  },
  match_expression(file, node, place) {
    const value = file.read(node.childForFieldName('value'), place);
    return cases(file, node.childForFieldName('body'), value, place);
  },
  /** Where a function is asked for, it takes its one parameter apart. */
  case_block(file, node, place) {
    const definition = file.define({ kind: 'function', name: '' }, node, place);
    const inside = file.enter(definition, place);
    const value: Expr = place.expected ? { kind: 'parameter', function: place.expected, index: 0 } : unknown;
    file.returns(inside, cases(file, node, value, inside));
    return { kind: 'definition', definition };
  },
  catch_clause: (file, node, place) => cases(file, partsOf(node)[0], unknown, place),
  try_expression: (file, node, place) => ({ kind: 'union', options: file.readAll(node, place) }),
  lambda_expression(file, node, place) {
    const definition = file.define({ kind: 'function', name: '' }, node, place);
    const inside = file.enter(definition, place);
    const list = node.childForFieldName('parameters');
    const own = file.definition(definition);
    const names =
      list?.type === 'identifier'
        ? [{ name: file.text(list), node: list, type: null }]
        : parametersOf(file, list, inside);
    for (const [index, { name, node: at, type = null }] of names.entries()) {
      own.parameters.push({ name, type, default: null, rest: false, optional: false });
      const value: Expr = place.expected ? { kind: 'parameter', function: place.expected, index } : unknown;
      file.bind(inside, name, at, type ? { type } : { value });
    }
    const values = partsOf(node)
      .filter(({ id }) => id !== list?.id)
      .map((part) => file.read(part, inside));
    file.returns(inside, values.at(-1) ?? unknown);
    return { kind: 'definition', definition };
  },
  /** `_.go()`: what is asked for is a function, and this its parameter. */
  wildcard: (_, __, place) => asked(place, 0),
  for_expression(file, node, place) {
    const inside = file.block(place);
    const sources: Expr[] = [];
    for (const part of partsOf(partsOf(node).find(({ type }) => type === 'enumerators'))) {
      const [target, source, ...guards] = partsOf(part);
      const value = file.read(source, inside);
      const isGenerator = part.children.some(({ type }) => type === '<-');
      if (isGenerator) sources.push(value);
      bindPattern(file, target, { value: isGenerator ? drawn(value) : value }, inside);
      for (const guard of guards) file.read(guard, inside);
    }
    const body = file.read(node.childForFieldName('body'), inside);
    if (!node.children.some(({ type }) => type === 'yield')) return unknown;
    const yielded = file.define({ kind: 'function', name: '' }, node, place);
    file.definition(yielded).returns.push(body);
    return mapped(sources[0], body, { kind: 'definition', definition: yielded });
  },
  return_expression: returned,
  /** Among arguments, what names the parameter is no variable. */
  assignment_expression(file, node, place) {
    if (node.parent?.type !== 'arguments') return assigned(file, node, place);
    return file.read(node.childForFieldName('right'), place);
  },
};

/** The parameter of the function that is asked for. */
const asked = ({ expected }: Place, index: number): Expr =>
  expected ? { kind: 'parameter', function: expected, index } : unknown;

/** What is asked for where a block stands is what its end gives. */
function block(file: SourceFile, node: Node, place: Place): Expr {
  const inside = file.block(place);
  const last = partsOf(node).at(-1);
  let value: Expr = unknown;
  // Comments are read, too: declarations take those above them.
  for (const part of node.namedChildren) {
    const given = file.read(part, part.id === last?.id ? { ...inside, expected: place.expected } : inside);
    if (part.id === last?.id) value = given;
  }
  return value;
}

/** What a loop draws from its source is an element of it, or what its source hands to a function that is mapped over it. */
function drawn(source: Expr): Expr {
  const handed = ['flatMap', 'map', 'foreach'].map((name): Expr => {
    const taken: Expr = { kind: 'parameter', function: { kind: 'member', object: source, name }, index: 0 };
    return { kind: 'parameter', function: taken, index: 0 };
  });
  return { kind: 'union', options: [{ kind: 'iterate', object: source }, ...handed], first: true };
}

/** What a loop yields is what `map` of its first source gives, which holds elements where it is a container. */
function mapped(source: Expr | undefined, body: Expr, yielded: Expr): Expr {
  const own: Expr = {
    kind: 'call',
    callee: { kind: 'member', object: source ?? unknown, name: 'map' },
    args: [yielded],
    isNew: false,
  };
  return { kind: 'union', options: [own, { kind: 'array', elements: [body] }], first: true };
}

/** What is written as it is, with what may stand inside it. */
function ofOwnType(name: string): Reader {
  const type: TypeExpr = { kind: 'reference', name, scope: 0, args: [] };
  return (file, node, place) => {
    file.readAll(node, place);
    return { kind: 'typed', type };
  };
}

/** Is a value of this name declared in a function around? */
function isVariable(file: SourceFile, name: string, place: Place): boolean {
  for (let scope = place.scope; scope > 0;) {
    const found = file.facts.scopes[scope];
    if (!found) return false;
    if (found.bindings.some((one) => one.name === name && one.definition < 0 && one.import < 0)) return true;
    scope = found.parent;
  }
  return false;
}

/** A bare name that is called. */
function named(file: SourceFile, node: Node, place: Place): Expr {
  const name = file.text(node);
  if (name === 'this') return { kind: 'self', definition: place.definition };
  return name === 'super'
    ? { kind: 'super', definition: place.definition }
    : { kind: 'name', name, scope: place.scope };
}

/** What is called is not read by its name. */
function calleeOf(file: SourceFile, node: Node | null | undefined, place: Place): Expr {
  if (node?.type === 'field_expression') return member(file, node, place);
  return node?.type === 'identifier' ? named(file, node, place) : file.read(node, place);
}

function member(file: SourceFile, node: Node, place: Place): Expr {
  const name = file.text(node.childForFieldName('field'));
  if (name === 'this') return selfOf(file, file.text(node.childForFieldName('value')), place);
  const object = file.read(node.childForFieldName('value'), place);
  // The parts of a tuple are counted from one.
  const [, part] = /^_([1-9]\d?)$/.exec(name) ?? [];
  const own: Expr = { kind: 'member', object, name };
  return part ? { kind: 'union', options: [{ kind: 'index', object, at: Number(part) - 1 }, own], first: true } : own;
}

/** `Outer.this` is that of a class around. */
function selfOf(file: SourceFile, name: string, place: Place): Expr {
  let definition = place.definition;
  while (definition >= 0 && file.definition(definition).name !== name) definition = file.definition(definition).owner;
  return { kind: 'self', definition: definition >= 0 ? definition : place.definition };
}

function call(file: SourceFile, node: Node, place: Place): Expr {
  const target = node.type === 'generic_function' ? node : node.childForFieldName('function');
  const generic = target?.type === 'generic_function' ? target : null;
  const callee = generic ? generic.childForFieldName('function') : target;
  const types = partsOf(generic?.childForFieldName('type_arguments')).map((part) => typeOf(file, part, place));
  const list = node.type === 'generic_function' ? null : node.childForFieldName('arguments');
  // `f { … }` and `f { case … }` have one argument.
  const args = list && list.type !== 'arguments' ? [list] : partsOf(list);
  const value = calleeOf(file, callee, place);
  const name = callee?.childForFieldName('field') ?? callee;
  const named = givenType(value, types);
  if (named && (!list || value.kind === 'member')) return { kind: 'typed', type: named };
  // In a constructor, `this(…)` is another one; elsewhere it calls what the object has for being called.
  const isThis = callee?.type === 'identifier' && file.text(callee) === 'this';
  if (isThis && file.facts.definitions[place.definition]?.kind === 'constructor') {
    file.readAll(list, place);
    return unknown;
  }
  const made = file.call(place, name ?? node, value, args, types.length > 0 ? { types } : {}, (arg) =>
    parameterFor(file, arg),
  );
  if (args.some(isOpen) && !goesOn(node)) return takingRest(file, node, args.filter(isOpen), made, place);
  return value.kind === 'name' ? orContainer(file, value.name, made) : made;
}

/** A place among arguments that is left open: `_` or `_: A`. */
function isOpen(node: Node): boolean {
  return node.type === 'wildcard' || (node.type === 'ascription_expression' && partsOf(node)[0]?.type === 'wildcard');
}

/** Is more asked of it? Then the whole is the function: `f(_).size`. */
function goesOn(node: Node): boolean {
  const { parent } = node;
  if (parent?.type === 'call_expression') return parent.childForFieldName('function')?.id === node.id;
  return (
    parent !== null &&
    ['field_expression', 'infix_expression', 'postfix_expression', 'generic_function'].includes(parent.type)
  );
}

/** `f(a, _)` is a function of what is left open. */
function takingRest(file: SourceFile, node: Node, open: readonly Node[], made: Expr, place: Place): Expr {
  const definition = file.define({ kind: 'function', name: '' }, node, place);
  const own = file.definition(definition);
  for (const part of open) {
    const [, typeNode] = partsOf(part);
    const type = typeNode ? typeOf(file, typeNode, place) : null;
    own.parameters.push({ name: '_', type, default: null, rest: false, optional: false });
  }
  own.returns.push(made);
  return { kind: 'definition', definition };
}

/** The type that a call is written to give: `x.asInstanceOf[A]`, `implicitly[A]`. */
function givenType(value: Expr, [type]: readonly TypeExpr[]): TypeExpr | undefined {
  const gives =
    (value.kind === 'member' && value.name === 'asInstanceOf') ||
    (value.kind === 'name' && /^(?:implicitly|summon)$/.test(value.name));
  return gives ? type : undefined;
}

function parameterFor(file: SourceFile, arg: Node): ArgumentFor | undefined {
  const left = arg.type === 'assignment_expression' ? arg.childForFieldName('left') : null;
  return left?.type === 'identifier' ? { name: file.text(left) } : undefined;
}

/** What a call of a container's own name gives, `List(a, b)`, holds the call's arguments. */
function orContainer(file: SourceFile, name: string, made: Expr): Expr {
  if (!/^(?:Some|Option|Right|Success|Future|List|Seq|Vector|Set|Array)$/.test(name)) return made;
  const elements = file.callOf(made)?.args ?? [];
  return { kind: 'union', options: [made, { kind: 'array', elements }], first: true };
}

function cases(file: SourceFile, block: Node | null | undefined, value: Expr, place: Place): Expr {
  const options = partsOf(block)
    .filter(({ type }) => type === 'case_clause')
    .map((clause) => {
      const inside = file.block(place);
      bindPattern(file, clause.childForFieldName('pattern'), { value }, inside);
      for (const part of partsOf(clause)) if (part.type === 'guard') file.read(part, inside);
      return (
        clause
          .childrenForFieldName('body')
          .map((body) => file.read(body, inside))
          .at(-1) ?? unknown
      );
    });
  return { kind: 'union', options };
}
