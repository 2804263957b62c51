import type { Node } from '../../facts/syntax-tree.ts';
import type { ArgumentFor, Expr } from '../../facts/fact.ts';
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
import { nameHere, selfHere, superHere } from '../reading/usual-readers.ts';
import { child, parametersOf, readClass } from './declarations.ts';
import { isType, typeOf } from './types.ts';

/** Functions that hand their receiver to a lambda, as its `it` or as its `this`. */
const scoping: ReadonlyMap<string, 'this' | 'it'> = new Map([
  ...['let', 'also', 'takeIf', 'takeUnless', 'use'].map((name) => [name, 'it'] as const),
  ...['apply', 'run', 'with'].map((name) => [name, 'this'] as const),
]);
/** Functions that give what they are called on. */
const same: ReadonlySet<string> = new Set(['also', 'apply', 'takeIf', 'takeUnless']);

/** What statements and expressions stand for. */
export const readers: Readonly<Record<string, Reader>> = {
  identifier: (file, node, place) =>
    /^(?:true|false)$/.test(file.text(node)) ? ofOwnType('Boolean') : nameHere(file, node, place),
  this_expression: selfNamed,
  string_literal: literal('String'),
  multiline_string_literal: literal('String'),
  character_literal: literal('Char'),
  number_literal: (file, node) => ofOwnType(/l$/i.test(file.text(node)) ? 'Long' : 'Int'),
  float_literal: (file, node) => ofOwnType(/f$/i.test(file.text(node)) ? 'Float' : 'Double'),
  spread_expression(file, node, place) {
    return { kind: 'iterate', object: firstOf(file, node, place) };
  },
  constructor_delegation_call: delegation,
  super_expression: superHere,
  parenthesized_expression: firstOf,
  block: blockOf,
  value_argument: lastOf,
  annotated_lambda: lastOf,
  property_delegate: delegate,
  annotation: skipped,
  modifiers: skipped,
  type_test: skipped,
  navigation_expression(file, node, place) {
    const [object, name] = partsOf(node);
    const isReference = node.children.some(({ type }) => type === '::');
    const value = file.read(object, place);
    if (isReference && file.text(name) === 'class') return ofOwnType('KClass');
    return isClassLiteral(object) && file.text(name) === 'java'
      ? ofOwnType('Class')
      : { kind: 'member', object: value, name: file.text(name) };
  },
  call_expression: call,
  index_expression(file, node, place) {
    const [object = unknown] = file.readAll(node, place);
    return { kind: 'index', object };
  },
  unary_expression(file, node, place) {
    const value = file.read(node.childForFieldName('argument'), place);
    // The grammar binds `!` closer than the call and the member after it: `!isOpen()` is `(!isOpen)()`.
    const isTakenFrom = /^(?:call|navigation|index)_expression$/.test(node.parent?.type ?? '');
    return isTakenFrom || node.childForFieldName('operator')?.type === '!!' ? value : unknown;
  },
  as_expression(file, node, place) {
    file.read(node.childForFieldName('left'), place);
    return { kind: 'typed', type: typeOf(file, node.childForFieldName('right'), place) };
  },
  is_expression(file, node, place) {
    file.read(node.childForFieldName('left'), place);
    return unknown;
  },
  binary_expression(file, node, place) {
    const left = file.read(node.childForFieldName('left'), place);
    const right = file.read(node.childForFieldName('right'), place);
    return node.childForFieldName('operator')?.type === '?:' ? { kind: 'union', options: [left, right] } : unknown;
  },
  /** `a to b` calls `to` of `a`. */
  infix_expression(file, node, place) {
    const [left, name, right] = partsOf(node);
    const object = file.read(left, place);
    return right && name ? file.call(place, name, { kind: 'member', object, name: file.text(name) }, [right]) : unknown;
  },
  assignment(file, node, place) {
    const left = node.childForFieldName('left');
    const value = file.read(node.childForFieldName('right'), place);
    // A variable that was declared without a type and a value is what it is given.
    if (left?.type === 'identifier') return unknown;
    file.read(left, place);
    return value;
  },
  if_expression(file, node, place) {
    const condition = node.childForFieldName('condition');
    const [then, otherwise] = partsOf(node).filter(({ id }) => id !== condition?.id);
    file.read(condition, place);
    const inside = file.block(place);
    narrow(file, condition, inside);
    return { kind: 'union', options: [file.read(then, inside), file.read(otherwise, place)] };
  },
  when_expression: whenExpression,
  try_expression(file, node, place) {
    return { kind: 'union', options: partsOf(node).map((part) => file.read(part, place)) };
  },
  catch_block(file, node, place) {
    const inside = file.block(place);
    const name = child(node, 'identifier');
    if (name) file.bind(inside, file.text(name), name, { type: typeOf(file, node.namedChildren.find(isType), place) });
    return file.read(child(node, 'block'), inside);
  },
  for_statement(file, node, place) {
    const parts = partsOf(node).filter(({ type }) => type !== 'label' && type !== 'annotation');
    const [target, source, body] = parts;
    const iterated: Expr = { kind: 'iterate', object: file.read(source, place) };
    const inside = file.block(place);
    declareVariables(file, target, iterated, inside);
    file.read(body, inside);
    return unknown;
  },
  return_expression(file, node, place) {
    file.returns(functionPlace(file, place), firstOf(file, node, place));
    return unknown;
  },
  lambda_literal: (file, node, place) => lambda(file, node, null, place),
  anonymous_function(file, node, place) {
    const definition = file.define({ kind: 'function', name: '' }, node, place);
    const inside = file.enter(definition, place);
    for (const { name, node: named, type = null } of parametersOf(
      file,
      child(node, 'function_value_parameters'),
      inside,
    )) {
      file.bind(inside, name, named, { type });
    }
    const result = partsOf(node).find(isType);
    if (result) file.definition(definition).returnType = typeOf(file, result, inside);
    file.read(child(node, 'function_body'), inside);
    return { kind: 'definition', definition };
  },
  object_literal(file, node, place) {
    const definition = file.define({ kind: 'class', name: '' }, node, place);
    readClass(file, node, definition, place);
    return { kind: 'typed', type: { kind: 'definition', definition } };
  },
};

/** `X::class` */
function isClassLiteral(node: Node | undefined): boolean {
  return node?.type === 'navigation_expression' && node.children.some(({ type }) => type === '::');
}

/** `constructor(…) : this(…)`, which makes the class in another way, or `super(…)`. */
function delegation(file: SourceFile, node: Node, place: Place): Expr {
  const isSuper = node.children.some(({ type }) => type === 'super');
  const callee: Expr = isSuper
    ? { kind: 'super', definition: place.definition }
    : { kind: 'definition', definition: place.type };
  return file.call(place, node, callee, partsOf(child(node, 'value_arguments')));
}

function ofOwnType(name: string): Expr {
  return { kind: 'typed', type: { kind: 'reference', name, scope: 0, args: [] } };
}

/** What is written as it is, with what may stand inside it. */
function literal(name: string): Reader {
  return (file, node, place) => {
    file.readAll(node, place);
    return ofOwnType(name);
  };
}

/** `this@Outer` is that of a class around. */
function selfNamed(file: SourceFile, node: Node, place: Place): Expr {
  const label = file.text(partsOf(node)[0]);
  if (label === '') return selfHere(file, node, place);
  for (let index = place.definition; index >= 0; index = file.definition(index).owner) {
    const { name, kind, receiver } = file.definition(index);
    if (name === label && kind !== 'method' && kind !== 'function') return { kind: 'self', definition: index };
    if (name === label && receiver) return { kind: 'typed', type: receiver };
  }
  return selfHere(file, node, place);
}

function call(file: SourceFile, node: Node, place: Place): Expr {
  const [callee, ...rest] = partsOf(node);
  const lists = rest.filter(({ type }) => type === 'value_arguments');
  const lambdas = rest.filter(({ type }) => type === 'annotated_lambda');
  // `f(x) { … }` is one call in two.
  const inner = callee?.type === 'call_expression' && lists.length === 0 && lambdas.length > 0 ? callee : null;
  const target = inner ? partsOf(inner)[0] : callee;
  const list = inner ? child(inner, 'value_arguments') : lists[0];
  const typed = (inner ? partsOf(inner) : rest).find(({ type }) => type === 'type_arguments');
  const types = partsOf(typed).map((part) => typeOf(file, partsOf(part).at(-1) ?? part, place));
  const value = calleeOf(file, target, place);
  const name = target?.type === 'navigation_expression' ? partsOf(target).at(-1) : target;
  const more = types.length > 0 ? { types } : {};
  const word = file.text(name);
  const [block] = lambdas;
  const isScoping = handsOn(word, partsOf(list).length);
  if (!block || !isScoping) {
    const made = file.call(place, name ?? node, value, [...partsOf(list), ...lambdas], more, (arg) =>
      wantedFor(file, arg),
    );
    return givenBack(file, value, [...partsOf(list), ...lambdas], place) ?? orUsual(value, made);
  }
  // `x.apply { … }`, `apply { … }` and `with(x) { … }`: what is in the braces has `x` as its `this` or as its `it`.
  const result = file.call(place, name ?? node, value, partsOf(list), more);
  const made = file.callOf(result);
  const handed = word === 'with' ? made?.args[0] : value.kind === 'member' ? value.object : selfHere(file, node, place);
  const given = lambda(
    file,
    partsOf(block).at(-1) ?? block,
    { value: handed ?? unknown, as: scoping.get(word) },
    place,
  );
  made?.args.push(given);
  if (same.has(word)) return handed ?? unknown;
  return { kind: 'call', callee: given, args: [], isNew: false };
}

/** Does it hand its receiver to a lambda, beside so many arguments? */
const handsOn = (word: string, count: number): boolean => scoping.has(word) && count === (word === 'with' ? 1 : 0);

/** Of `x.apply(block)`, where `block` is a function that is handed in, `x`. */
function givenBack(file: SourceFile, callee: Expr, args: readonly Node[], place: Place): Expr | undefined {
  const [only, another] = args;
  if (callee.kind !== 'member' || !same.has(callee.name) || !only || another) return undefined;
  return isFunctionHere(file, only, place) ? callee.object : undefined;
}

/** Is it a parameter of a function around that is a function itself, or a reference to one? */
function isFunctionHere(file: SourceFile, arg: Node, place: Place): boolean {
  const [inner] = partsOf(arg);
  if (inner?.type === 'callable_reference') return true;
  if (inner?.type !== 'identifier') return false;
  const name = file.text(inner);
  for (let index = place.definition; index >= 0; index = file.definition(index).owner) {
    const found = file.definition(index).parameters.find((one) => one.name === name);
    if (found) return found.type?.kind === 'function';
  }
  return false;
}

/** `f(name = x) { … }`: what stands behind the parentheses is for the last parameter, whatever is left out before it. */
function wantedFor(file: SourceFile, arg: Node): ArgumentFor | undefined {
  if (arg.type === 'annotated_lambda') return 'last';
  const [name] = partsOf(arg);
  return name && arg.children.some(({ type }) => type === '=') ? { name: file.text(name) } : undefined;
}

/** What methods of these names give, whatever has them. */
const usual: ReadonlyMap<string, Expr> = new Map<string, Expr>([
  ...[
    ['Int', 'toInt hashCode compareTo indexOf lastIndexOf count'],
    ['Long', 'toLong'],
    ['Byte', 'toByte'],
    ['Short', 'toShort'],
    ['Double', 'toDouble'],
    ['Float', 'toFloat'],
    ['Boolean', 'isEmpty isNotEmpty isBlank isNotBlank contains startsWith endsWith equals'],
    [
      'String',
      'toString trimIndent trimMargin substring lowercase uppercase joinToString removePrefix removeSuffix padStart padEnd',
    ],
  ].flatMap(([type = '', names = '']) => names.split(' ').map((name) => [name, ofOwnType(type)] as [string, Expr])),
  ...'toList toSet toMutableList toMutableSet asList toTypedArray lines split'
    .split(' ')
    .map((name) => [name, { kind: 'array', elements: [] }] as [string, Expr]),
]);

/** What a method gives, or else what those of its name mostly do. */
function orUsual(callee: Expr, made: Expr): Expr {
  const known = callee.kind === 'member' ? usual.get(callee.name) : undefined;
  return known ? { kind: 'union', options: [made, known], first: true } : made;
}

/** What is called by a bare name is a function, or holds one. */
function calleeOf(file: SourceFile, node: Node | undefined, place: Place): Expr {
  const value = file.read(node, place);
  return value.kind === 'name' || value.kind === 'member' ? { ...value, isCalled: true } : value;
}

/** A lambda's parameters are what is asked for at its place; without a list there is one, `it`. */
function lambda(
  file: SourceFile,
  node: Node,
  handed: { value: Expr; as: 'this' | 'it' | undefined } | null,
  place: Place,
): Expr {
  const definition = file.define({ kind: 'function', name: '' }, node, place);
  const entered = file.enter(definition, place);
  const own = file.definition(definition);
  const list = child(node, 'lambda_parameters');
  const asked = (index: number): Expr =>
    index === 0 && handed?.as === 'it'
      ? handed.value
      : place.expected
        ? { kind: 'parameter', function: place.expected, index }
        : unknown;
  const inside = receiving(file, node, handed?.as === 'this' ? handed.value : asked(-1), entered, place);
  const parameters = partsOf(list);
  if (!list) file.bind(inside, 'it', node, { value: asked(0) });
  for (const [index, part] of (parameters.length > 0 ? parameters : []).entries()) {
    own.parameters.push({ name: file.text(part), type: null, default: null, rest: false, optional: false });
    declareVariables(file, part, asked(index), inside);
  }
  const values = partsOf(node)
    .filter(({ type }) => type !== 'lambda_parameters')
    .map((part) => file.read(part, inside));
  file.returns(inside, values.at(-1) ?? unknown);
  return { kind: 'definition', definition };
}

/** The place in a lambda that may have a `this` of its own. */
function receiving(file: SourceFile, node: Node, receiver: Expr, entered: Place, place: Place): Place {
  if (receiver.kind === 'unknown') return entered;
  file.receives(entered, { kind: 'typeof', value: receiver });
  const options = [receiver, selfHere(file, node, place)];
  return { ...entered, self: { kind: 'typeof', value: { kind: 'union', options, first: true } } };
}

function declareVariables(file: SourceFile, target: Node | undefined, value: Expr, place: Place): void {
  if (target?.type === 'multi_variable_declaration') {
    for (const [at, part] of partsOf(target).entries())
      declareVariables(file, part, { kind: 'index', object: value, at }, place);
    return;
  }
  const name = child(target, 'identifier') ?? (target?.type === 'identifier' ? target : null);
  const typeNode = target?.namedChildren.find(isType);
  if (name) file.bind(place, file.text(name), name, typeNode ? { type: typeOf(file, typeNode, place) } : { value });
}

/** `by lazy { … }` is what the lambda gives, `by f()` what `getValue` of `f()` gives, or what that holds. */
function delegate(file: SourceFile, node: Node, place: Place): Expr {
  const [inner] = partsOf(node);
  const value = file.read(inner, place);
  const made = value.kind === 'result' ? file.facts.calls[value.call] : undefined;
  const isLazy = made?.callee.kind === 'name' && made.callee.name === 'lazy';
  const [only = unknown] = made?.args ?? [];
  if (isLazy) return { kind: 'call', callee: only, args: [], isNew: false };
  if (!made) return unknown;
  const callee: Expr = { kind: 'member', object: value, name: 'getValue' };
  const given: Expr = { kind: 'call', callee, args: [unknown, unknown], isNew: false };
  return { kind: 'union', options: [given, value], first: true };
}

function whenExpression(file: SourceFile, node: Node, place: Place): Expr {
  const subject = child(node, 'when_subject');
  const outer = file.block(place);
  const variable = child(subject, 'variable_declaration');
  const value = partsOf(subject)
    .filter(({ type }) => type !== 'variable_declaration')
    .map((part) => file.read(part, outer))[0];
  if (variable) declareVariables(file, variable, value ?? unknown, outer);
  const name = child(variable, 'identifier') ?? child(subject, 'identifier');
  const options = partsOf(node)
    .filter(({ type }) => type === 'when_entry')
    .map((entry) => {
      const inside = file.block(outer);
      const conditions = entry.childrenForFieldName('condition').filter((one) => one !== null);
      for (const condition of conditions) {
        file.read(condition, outer);
        narrow(file, condition, inside);
      }
      const [only, ...others] = conditions;
      if (only?.type === 'type_test' && others.length === 0 && only.children[0]?.type === 'is' && name) {
        file.bind(inside, file.text(name), name, { type: typeOf(file, only.namedChildren.find(isType), outer) });
      }
      const body = partsOf(entry).findLast(({ id }) => !conditions.some((condition) => condition.id === id));
      return file.read(body, inside);
    });
  return { kind: 'union', options };
}

/** `x is Foo`: inside, it is. */
function narrow(file: SourceFile, node: Node | null, place: Place): void {
  if (node?.type === 'binary_expression' && node.childForFieldName('operator')?.type === '&&') {
    narrow(file, node.childForFieldName('left'), place);
    narrow(file, node.childForFieldName('right'), place);
  }
  const left = node?.childForFieldName('left');
  if (node?.type !== 'is_expression' || left?.type !== 'identifier' || !node.children.some(({ type }) => type === 'is'))
    return;
  file.bind(place, file.text(left), left, { type: typeOf(file, node.childForFieldName('right'), place) });
}

/** A `return` in a lambda is that of the function around it. */
function functionPlace(file: SourceFile, place: Place): Place {
  let { definition } = place;
  while (
    definition >= 0 &&
    file.definition(definition).name === '' &&
    file.definition(definition).kind === 'function'
  ) {
    definition = file.definition(definition).owner;
  }
  return { ...place, definition };
}
