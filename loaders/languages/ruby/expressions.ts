import type { Node } from '../../facts/syntax-tree.ts';
import type { Call, Expr } from '../../facts/fact.ts';
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
import { eitherBranch, nameHere } from '../reading/usual-readers.ts';
import { appended, appends } from './appended.ts';
import { declareClass, declaredBy, parametersOf, takesBlock, yields } from './definitions.ts';
import { assignLocal, isLocal } from './scopes.ts';

/** Their value is that of the last in them. */
const sequences = [
  'parenthesized_statements',
  'body_statement',
  'block_body',
  'then',
  'else',
  'ensure',
  'begin',
  'pair',
];

/** Methods that give what they are called on, or one like it. */
const givesItself = /^(?:tap|freeze|dup|clone|itself)$/;
/** Operators that are methods, which classes have in their own way. */
const operatorMethods = /^(?:<<|[-+*/]|===|<=>)$/;
/** Methods that hand their block what they are called on. */
const handsItself = /^(?:tap|then|yield_self)$/;

/** The class of what is written in place, to which a repository may add methods. */
const literals: Readonly<Record<string, string>> = {
  string: 'String',
  heredoc_beginning: 'String',
  integer: 'Integer',
  float: 'Float',
  simple_symbol: 'Symbol',
  delimited_symbol: 'Symbol',
  regex: 'Regexp',
  range: 'Range',
  true: 'TrueClass',
  false: 'FalseClass',
};

/** What statements and expressions stand for. */
export const readers: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(sequences.map((type) => [type, lastOf])),
  self: (_, __, place) => selfOf(place),
  constant: nameHere,
  scope_resolution(file, node, place) {
    const scope = node.childForFieldName('scope');
    const name = file.text(node.childForFieldName('name'));
    return scope ? { kind: 'member', object: file.read(scope, place), name } : { kind: 'name', name, scope: 0 };
  },
  /** A name that is no variable is a call without arguments. */
  identifier(file, node, place) {
    const name = file.text(node);
    if (isLocal(file, name, place)) return { kind: 'name', name, scope: place.scope };
    if (name === 'new') return file.call(place, node, selfOf(place), [], { isNew: true });
    const result = sent(file, node, name, [], place);
    return place.type >= 0 && givesItself.test(name) ? selfOf(place) : result;
  },
  instance_variable: (file, node, place) => ({ kind: 'member', object: selfOf(place), name: file.text(node) }),
  class_variable: (file, node, place) => ({ kind: 'member', object: classOf(place), name: file.text(node) }),
  super: (file, node, place) => upward(file, node, [], place),
  call,
  splat_argument: firstOf,
  right_assignment_list: (file, node, place) => ({ kind: 'tuple', elements: file.readAll(node, place) }),
  hash_key_symbol: skipped,
  /** `[status, headers, body]`: each at its place. */
  array(file, node, place) {
    const elements = file.readAll(node, place);
    return { kind: elements.length > 1 ? 'tuple' : 'array', elements };
  },
  hash: (file, node, place) => ({ kind: 'map', values: file.readAll(node, place) }),
  element_reference: (file, node, place) => indexed(file, node, '[]', place),
  assignment(file, node, place) {
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    const made = left?.type === 'constant' && right?.type === 'call' ? classMade(file, left, right, place) : null;
    if (made) return made;
    const value = file.read(right, place);
    assign(file, left, value, place);
    return value;
  },
  operator_assignment(file, node, place) {
    const left = node.childForFieldName('left');
    // `a.b += 1` calls `b`, too.
    const isCalled = left?.type === 'element_reference' || left?.type === 'call';
    if (isCalled) file.read(left, place);
    const value = file.read(node.childForFieldName('right'), place);
    if (isCalled || /\|\|=|&&=/.test(file.source.slice(left?.endIndex, node.endIndex).slice(0, 8)))
      assign(file, left, value, place);
    return value;
  },
  binary(file, node, place) {
    const left = file.read(node.childForFieldName('left'), place);
    const operator = node.childForFieldName('operator')?.type ?? '';
    const rightNode = node.childForFieldName('right');
    if (operatorMethods.test(operator) && rightNode && mayBeObject(left)) {
      const callee: Expr = { kind: 'member', object: left, name: operator };
      const result = file.call(place, node, callee, [rightNode], { isRead: true });
      const [given] = result.kind === 'result' ? (file.facts.calls[result.call]?.args ?? []) : [];
      if (operator === '<<' && given) appended(file, node.childForFieldName('left'), given, place);
      return result;
    }
    const right = file.read(rightNode, place);
    return operator === '||' || operator === 'or'
      ? { kind: 'union', options: [left, right] }
      : operator === '&&'
        ? right
        : unknown;
  },
  conditional: eitherBranch,
  if(file, node, place) {
    const condition = node.childForFieldName('condition');
    file.read(condition, place);
    const inside = file.block(place);
    narrow(file, condition, inside);
    const then = file.read(node.childForFieldName('consequence'), inside);
    return { kind: 'union', options: [then, file.read(node.childForFieldName('alternative'), place)] };
  },
  elsif: eitherBranch,
  unless: eitherBranch,
  case(file, node, place) {
    const subject = node.childForFieldName('value');
    file.read(subject, place);
    const options = partsOf(node)
      .filter(({ type }) => type === 'when' || type === 'else')
      .map((part) => {
        const inside = file.block(place);
        const patterns = part.childrenForFieldName('pattern').flatMap((pattern) => (pattern ? partsOf(pattern) : []));
        for (const pattern of patterns) file.read(pattern, place);
        const [only, ...others] = patterns;
        if (subject && only && others.length === 0) isOf(file, subject, only, inside);
        return part.type === 'else' ? lastOf(file, part, inside) : file.read(part.childForFieldName('body'), inside);
      });
    return { kind: 'union', options };
  },
  rescue(file, node, place) {
    const inside = file.block(place);
    const exceptions = partsOf(node.childForFieldName('exceptions'));
    const variable = partsOf(node.childForFieldName('variable'))[0];
    const types = exceptions.map((part) => classType(file, part, inside));
    if (variable) file.bind(inside, file.text(variable), variable, { value: { kind: 'union', options: types } });
    return file.read(node.childForFieldName('body'), inside);
  },
  for(file, node, place) {
    const object = file.read(partsOf(node.childForFieldName('value'))[0], place);
    assign(file, node.childForFieldName('pattern'), { kind: 'iterate', object }, place);
    file.read(node.childForFieldName('body'), place);
    return unknown;
  },
  yield(file, node, place) {
    const handed = file.readAll(partsOf(node)[0], place);
    const { definition } = methodPlace(file, place);
    if (definition >= 0) yields(file, definition, handed);
    return unknown;
  },
  return(file, node, place) {
    const [value = unknown] = file.readAll(partsOf(node)[0], place);
    file.returns(methodPlace(file, place), value);
    return unknown;
  },
  lambda: (file, node, place) =>
    readLambda(
      file,
      node,
      place,
      (inside) => parametersOf(file, node.childForFieldName('parameters'), inside),
      bodyOf(node.childForFieldName('body')),
    ),
};

/** What a method is called on. */
function receiverOf(file: SourceFile, node: Node, place: Place): Expr {
  const value = file.read(node, place);
  const name = literals[node.type];
  return name ? { kind: 'typed', type: { kind: 'reference', name, scope: 0, args: [] } } : value;
}

/** Whether a class of the repository's own can stand before an operator. */
function mayBeObject({ kind }: Expr): boolean {
  return kind !== 'unknown' && kind !== 'array' && kind !== 'tuple' && kind !== 'map';
}

/** In a class's body, `self` is the class. */
function selfOf(place: Place): Expr {
  return place.definition >= 0 && place.definition === place.type
    ? classOf(place)
    : { kind: 'self', definition: place.definition };
}

function classOf(place: Place): Expr {
  return place.type >= 0 ? { kind: 'definition', definition: place.type } : unknown;
}

/** A message to `self`, or, outside a class, a function. */
function sent(file: SourceFile, node: Node, name: string, args: readonly Node[], place: Place): Expr {
  const callee: Expr =
    place.type >= 0 ? { kind: 'member', object: selfOf(place), name } : { kind: 'name', name, scope: place.scope };
  return called(file, node, callee, args, place);
}

function upward(file: SourceFile, node: Node, args: readonly Node[], place: Place): Expr {
  const method = methodPlace(file, place).definition;
  const own = method >= 0 ? file.definition(method) : null;
  if (!own || place.type < 0) return unknown;
  const object: Expr = { kind: 'super', definition: method };
  return called(file, node, { kind: 'member', object, name: own.name }, args, place);
}

/** A call whose last arguments may have names, `f(1, of: 2)`: where nothing has such a name, they are one hash. */
function called(
  file: SourceFile,
  node: Node,
  callee: Expr,
  args: readonly Node[],
  place: Place,
  more: Partial<Call> = {},
): Expr {
  const pairs = args.filter(({ type }) => type === 'pair');
  const others = args.filter(({ type }) => type !== 'pair');
  const result = file.call(place, node, callee, others, more);
  const made = result.kind === 'result' ? file.facts.calls[result.call] : undefined;
  if (!made || pairs.length === 0) return result;
  made.named = pairs.map((pair) => ({
    name: file.text(pair.childForFieldName('key')).replace(/^:/, ''),
    value: file.read(pair.childForFieldName('value'), place),
  }));
  made.args = [...made.args, { kind: 'map', values: made.named.map(({ value }) => value) }];
  return result;
}

/** `x[k]` calls the method `[]` where `x` is an object that has one, and `x[k] = v` calls `[]=`. */
function indexed(file: SourceFile, node: Node, name: '[]' | '[]=', place: Place): Expr {
  const [receiver, ...keys] = partsOf(node);
  const object = file.read(receiver, place);
  const result = file.call(place, node, { kind: 'member', object, name }, keys, { isRead: true });
  // A class gives what its own method does; of what holds others it is one of them.
  return receiver?.type === 'constant' || receiver?.type === 'scope_resolution' ? result : { kind: 'index', object };
}

function call(file: SourceFile, node: Node, place: Place): Expr {
  const receiver = node.childForFieldName('receiver');
  const nameNode = node.childForFieldName('method');
  const name = file.text(nameNode);
  const block = node.childForFieldName('block');
  const given = partsOf(node.childForFieldName('arguments'));
  const args = given.filter(({ type }) => type !== 'block_argument');
  const at = nameNode ?? node;
  if (!receiver) {
    if (name === 'require' || name === 'require_relative') return required(file, node, name, args, place);
    if (declaredBy(file, name, args, block, place)) return unknown;
    if (name === 'lambda' || name === 'proc') return block ? readBlock(file, block, null, place) : unknown;
  }
  let result: Expr;
  let object: Expr = selfOf(place);
  if (nameNode?.type === 'super') result = upward(file, node, args, place);
  else if (name === 'new') {
    result = called(file, at, receiver ? file.read(receiver, place) : selfOf(place), args, place, { isNew: true });
  } else if (receiver) {
    object = receiverOf(file, receiver, place);
    if (name === 'class' && args.length === 0) return { kind: 'member', object, name };
    result = called(file, at, { kind: 'member', object, name }, args, place);
    noticed(file, node, receiver, name, result, place);
    if (givesItself.test(name)) result = object;
  } else result = sent(file, at, name, args, place);
  const of = result.kind === 'result' ? result.call : file.facts.calls.length - 1;
  const wanted: Expr = { kind: 'argument', call: of, index: args.length, for: 'last' };
  for (const one of given) if (one.type === 'block_argument') passBlock(file, one, wanted, place);
  if (block) readBlock(file, block, handsItself.test(name) ? handing(object) : wanted, place);
  return result;
}

/** What is asked of a block that is handed this. */
function handing(value: Expr): Expr {
  return { kind: 'typed', type: { kind: 'function', parameters: [{ kind: 'typeof', value }], returns: null } };
}

/** What is to be remembered of a call's receiver: that it is a block, that it holds what it is given. */
function noticed(file: SourceFile, node: Node, receiver: Node, name: string, result: Expr, place: Place): void {
  if ((name === 'call' || name === '') && isHandedBlock(file, receiver, node)) handsOver(file, result, place);
  if (appends.test(name) && result.kind === 'result')
    for (const one of file.facts.calls[result.call]?.args ?? []) appended(file, receiver, one, place);
}

/** `f(&block)` hands on the method's own block; `f(&:go)` calls a method of what a block there would be handed. */
function passBlock(file: SourceFile, node: Node, wanted: Expr, place: Place): void {
  const [passed] = partsOf(node);
  const { definition } = methodPlace(file, place);
  if (!passed || isHandedBlock(file, passed, node)) {
    if (definition >= 0) takesBlock(file, definition, { kind: 'typeof', value: wanted });
  } else if (passed.type === 'simple_symbol') {
    const object: Expr = { kind: 'parameter', function: wanted, index: 0 };
    file.call(place, passed, { kind: 'member', object, name: file.text(passed).slice(1) }, [], { isRead: true });
  } else file.read(passed, place);
}

/** `block.call(x)` does what `yield x` does. */
function handsOver(file: SourceFile, result: Expr, place: Place): void {
  const handed = result.kind === 'result' ? file.facts.calls[result.call]?.args : undefined;
  const { definition } = methodPlace(file, place);
  if (handed && definition >= 0) yields(file, definition, handed);
}

/** Is this the name by which the method around it knows its block? */
function isHandedBlock(file: SourceFile, name: Node, inside: Node): boolean {
  if (name.type !== 'identifier') return false;
  let around: Node | null = inside;
  while (around && around.type !== 'method' && around.type !== 'singleton_method') around = around.parent;
  const block = partsOf(around?.childForFieldName('parameters')).find(({ type }) => type === 'block_parameter');
  return block !== undefined && file.text(block.childForFieldName('name')) === file.text(name);
}

function readBlock(file: SourceFile, block: Node, expected: Expr | null, place: Place): Expr {
  const inner = { ...place, expected };
  return readLambda(
    file,
    block,
    inner,
    (inside) => parametersOf(file, block.childForFieldName('parameters'), inside),
    bodyOf(block),
  );
}

function bodyOf(block: Node | null): Node | null {
  return block?.childForFieldName('body') ?? null;
}

function required(file: SourceFile, node: Node, how: string, args: readonly Node[], place: Place): Expr {
  const [only] = args;
  const text =
    only?.type === 'string' && partsOf(only).every(({ type }) => type === 'string_content')
      ? file.text(only).slice(1, -1)
      : '';
  if (text === '') return file.read(only, place);
  const module = how === 'require_relative' && !text.startsWith('.') ? `./${text}` : text;
  file.addImport({ module, name: '*' }, file.line(node));
  return unknown;
}

/** `Point = Struct.new(:x) do … end`, `Error = Class.new(StandardError)`. */
function classMade(file: SourceFile, left: Node, right: Node, place: Place): Expr | null {
  const receiver = file.text(right.childForFieldName('receiver'));
  if (
    !/^(?:::)?(?:Struct|Class|Module|Data)$/.test(receiver) ||
    !/^(?:new|define)$/.test(file.text(right.childForFieldName('method')))
  )
    return null;
  const args = partsOf(right.childForFieldName('arguments'));
  const isClass = receiver.endsWith('Class');
  const definition = declareClass(file, right, place, left, '', isClass ? args[0] : undefined);
  const inside = file.enter(definition, place);
  if (!isClass)
    for (const arg of args) if (arg.type === 'simple_symbol') file.member(definition, file.text(arg).slice(1), {});
  const block = right.childForFieldName('block');
  if (block) file.read(bodyOf(block), inside);
  return { kind: 'definition', definition };
}

function assign(file: SourceFile, target: Node | null | undefined, value: Expr, place: Place): void {
  switch (target?.type) {
    case 'identifier':
      assignLocal(file, file.text(target), value, target, place);
      break;
    case 'instance_variable':
    case 'class_variable':
      file.member(place.type, file.text(target), { value });
      break;
    case 'constant':
      if (place.type >= 0) file.member(place.type, file.text(target), { value, isStatic: true });
      else file.bind(file.top, file.text(target), target, { value });
      break;
    case 'left_assignment_list':
    case 'destructured_left_assignment':
      for (const [at, part] of partsOf(target).entries())
        assign(file, part, { kind: 'index', object: value, at }, place);
      break;
    case 'rest_assignment':
      assign(file, partsOf(target)[0], unknown, place);
      break;
    case 'element_reference':
      indexed(file, target, '[]=', place);
      break;
    case 'call': {
      // `foo.bar = 1` calls `bar=`.
      const receiver = target.childForFieldName('receiver');
      const object = file.read(receiver, place);
      const name = target.childForFieldName('method');
      const callee: Expr = { kind: 'member', object, name: `${file.text(name)}=` };
      const set = file.call(place, name ?? target, callee, [], { isRead: true });
      if (set.kind === 'result') file.facts.calls[set.call]?.args.push(value);
      // An accessor keeps it in the variable of its name.
      if (receiver?.type === 'self') file.member(place.type, `@${file.text(name)}`, { value });
      break;
    }
    default:
      file.read(target, place);
  }
}

/** `x.is_a?(Foo)`: inside, it is. */
function narrow(file: SourceFile, node: Node | null, place: Place): void {
  const name = node?.type === 'call' ? file.text(node.childForFieldName('method')) : '';
  const subject = node?.childForFieldName('receiver');
  const [type] = partsOf(node?.childForFieldName('arguments'));
  if (/^(?:is_a|kind_of|instance_of)\?$/.test(name) && subject && type) isOf(file, subject, type, place);
}

function isOf(file: SourceFile, subject: Node, type: Node, place: Place): void {
  const isConstant = type.type === 'constant' || type.type === 'scope_resolution';
  if (subject.type === 'identifier' && isConstant)
    file.bind(place, file.text(subject), subject, { value: classType(file, type, place) });
}

/** An instance of the class that this names. */
function classType(file: SourceFile, node: Node, place: Place): Expr {
  const name = file.text(node).replace(/^::/, '').replaceAll('::', '.');
  return { kind: 'typed', type: { kind: 'reference', name, scope: place.scope, args: [] } };
}

/** A `return` in a block is its method's. */
function methodPlace(file: SourceFile, place: Place): Place {
  let { definition } = place;
  while (definition >= 0 && file.definition(definition).name === '') definition = file.definition(definition).owner;
  return { ...place, definition };
}
