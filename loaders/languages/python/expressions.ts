import type { Call, Expr, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { builtin } from './builtins.ts';
import { noteAddition, put } from './containers.ts';
import { narrow } from './narrow.ts';
import { bindParameters, readParameters, type WrittenParameter } from './parameters.ts';
import { ends, firstChild, lineOf } from './syntax.ts';
import { arrayOf, called, isText, mapOf, native, oneOf, part, unknown } from './values.ts';
import { bind, define, inside, receiverNamed, type Walk } from './walk.ts';

/** Values that a function's `return` and `yield` are remembered for. */
const maxReturns = 12;

/** Nested deeper than people write, which generated code may be: what is inside is left out. */
const deepest = 200;

/** Value of an expression; each is visited once, so that each call in it is noted once. */
export function expression(walk: Walk, node: Node, type = node.type): Expr {
  if (walk.depth > deepest) return unknown;
  walk.depth++;
  const value = valueOf(walk, node, type);
  walk.depth--;
  return value;
}

/** Reads one kind of expression. */
type Reader = (walk: Walk, node: Node, type: string) => Expr;

const boolean: Reader = () => native('bool');

const comparison: Reader = (walk, node) => {
  expressions(walk, node.namedChildren);
  return native('bool');
};

const text: Reader = (walk, node, type) => {
  const [prefix = ''] = /^\w*/.exec(walk.source.slice(node.startIndex, node.startIndex + 3)) ?? [];
  // Only what may hold expressions is looked into: most strings are plain.
  if (type === 'concatenated_string' || /[ft]/i.test(prefix)) interpolations(walk, node);
  return native(/b/i.test(prefix) ? 'bytes' : 'str');
};

const list: Reader = (walk, node) => arrayOf(elements(walk, node));

const tuple: Reader = (walk, node) => ({ kind: 'tuple', elements: elements(walk, node) });

const comprehensionOfOne: Reader = (walk, node) => arrayOf([comprehension(walk, node)]);

/** By node type; of what is not here only the parts are read. */
const readers: Readonly<Record<string, Reader>> = {
  identifier: (walk, node) => ({ kind: 'name', name: textOf(walk, node), scope: walk.frame.flow.current }),
  attribute(walk, node) {
    const [object, name] = ends(node);
    if (!object || !name || name === object) return unknown;
    return { kind: 'member', object: expression(walk, object), name: textOf(walk, name) };
  },
  call,
  subscript,
  await: (walk, node) => ({ kind: 'await', value: operand(walk, firstChild(node)) }),
  parenthesized_expression: (walk, node) => operand(walk, firstChild(node)),
  conditional_expression(walk, node) {
    const [yes, condition, no] = node.namedChildren.filter((child) => child.type !== 'comment');
    operand(walk, condition);
    return oneOf([given(walk, condition, true, yes), given(walk, condition, false, no)]);
  },
  boolean_operator(walk, node) {
    const left = node.childForFieldName('left');
    const isAnd = node.childForFieldName('operator')?.type === 'and';
    return oneOf([operand(walk, left), given(walk, left, isAnd, node.childForFieldName('right'))]);
  },
  not_operator: comparison,
  comparison_operator: comparison,
  string: text,
  concatenated_string: text,
  integer: () => native('int'),
  float: () => native('float'),
  true: boolean,
  false: boolean,
  none: () => native('None'),
  list,
  set: list,
  tuple,
  expression_list: tuple,
  dictionary,
  list_comprehension: comprehensionOfOne,
  set_comprehension: comprehensionOfOne,
  generator_expression: comprehensionOfOne,
  dictionary_comprehension: comprehension,
  lambda,
  named_expression(walk, node) {
    const value = operand(walk, node.childForFieldName('value'));
    const name = node.childForFieldName('name');
    if (name) assign(walk, name, value);
    return value;
  },
  as_pattern(walk, node) {
    const [written, target] = node.namedChildren;
    const value = operand(walk, written);
    if (target) assign(walk, target, value);
    return value;
  },
  binary_operator: operation,
  yield: yielded,
};

function valueOf(walk: Walk, node: Node, type: string): Expr {
  const reader = readers[type];
  if (reader) return reader(walk, node, type);
  expressions(walk, node.namedChildren);
  return unknown;
}

function textOf(walk: Walk, node: Node): string {
  return walk.source.slice(node.startIndex, node.endIndex);
}

/** Visits expressions whose values nobody asks for. */
export function expressions(walk: Walk, nodes: readonly Node[]): void {
  for (const node of nodes) expression(walk, node);
}

/** Value of an expression that may be missing. */
export function operand(walk: Walk, node: Node | null | undefined): Expr {
  return node ? expression(walk, node) : unknown;
}

/** Value of an expression that is only reached when the condition holds, or does not. */
function given(walk: Walk, condition: Node | null | undefined, holds: boolean, node: Node | null | undefined): Expr {
  const { flow } = walk.frame;
  const start = flow.current;
  if (condition) narrow(walk, condition, holds);
  const value = operand(walk, node);
  flow.current = start;
  return value;
}

/** Gives one kind of target its value. */
type Assigner = (walk: Walk, target: Node, value: Expr | null, type: TypeExpr | null) => void;

const assignParts: Assigner = (walk, target, value) => {
  let isBehindStar = false;
  for (const [at, child] of target.namedChildren.entries()) {
    const inner = child.type.startsWith('list_splat') ? child.namedChildren[0] : null;
    if (inner) {
      isBehindStar = true;
      assign(walk, inner, value && arrayOf([{ kind: 'iterate', object: value }]));
    } else assign(walk, child, value && part(value, isBehindStar ? null : at));
  }
};

const assignInside: Assigner = (walk, target, value, type) => {
  const [inner] = target.namedChildren;
  if (inner) assign(walk, inner, value, type);
};

const assigners: Readonly<Record<string, Assigner>> = {
  identifier(walk, target, value, type) {
    const name = target.text;
    const { frame } = walk;
    if (frame.kind === 'class' && !frame.elsewhere.has(name)) {
      const isConstant = !type && isEnum(walk, frame.owner);
      const held = isConstant ? called({ kind: 'definition', definition: frame.owner }) : value;
      walk.addMember(frame.owner, name, { value: held, type, isStatic: true });
    }
    // A written type outweighs what is assigned.
    bind(walk, name, { value: type ? { kind: 'typed', type } : value }, lineOf(target));
  },
  attribute(walk, target, value, type) {
    const object = target.childForFieldName('object');
    const name = target.childForFieldName('attribute')?.text ?? '';
    const self = object?.type === 'identifier' ? receiverNamed(walk, object.text) : null;
    if (self) walk.addMember(self.class, name, { value, type, isStatic: self.isClass });
    else operand(walk, object);
  },
  subscript(walk, target, value) {
    const written = expression(walk, target);
    if (value && written.kind === 'index') put(walk, written.object, value);
  },
  pattern_list: assignParts,
  tuple_pattern: assignParts,
  list_pattern: assignParts,
  tuple: assignParts,
  list: assignParts,
  expression_list: assignParts,
  parenthesized_expression: assignInside,
  as_pattern_target: assignInside,
};

/** Gives a target of an assignment its value; `type` is what an annotation says. */
export function assign(walk: Walk, target: Node, value: Expr | null, type: TypeExpr | null = null): void {
  assigners[target.type]?.(walk, target, value, type);
}

/** The constants of an enumeration are its instances. */
function isEnum(walk: Walk, owner: number): boolean {
  return (walk.facts.definitions[owner]?.bases ?? []).some(
    ({ expr }) => (expr.kind === 'name' || expr.kind === 'member') && /^(Int|Str)?(Enum|Flag)$/.test(expr.name),
  );
}

/** Remembers what a function gives. */
export function addReturn(walk: Walk, value: Expr): void {
  const definition = walk.facts.definitions[walk.frame.function];
  if (definition && definition.returns.length < maxReturns) definition.returns.push(value);
}

function yielded(walk: Walk, node: Node): Expr {
  const value = operand(walk, node.namedChildren[0]);
  const definition = walk.facts.definitions[walk.frame.function];
  if (!definition || walk.frame.kind !== 'function') return unknown;
  definition.isGenerator = true;
  if (value.kind === 'unknown') return unknown;
  addReturn(walk, node.children.some((child) => child.type === 'from') ? { kind: 'iterate', object: value } : value);
  return unknown;
}

/** `a + b + …`: a chain, often long, is walked from its left end. */
function operation(walk: Walk, node: Node): Expr {
  const behind: Node[] = [];
  let first: Node | undefined = node;
  while (first?.type === 'binary_operator') {
    const [left, right] = ends(first);
    if (right) behind.push(right);
    first = left;
  }
  const value = operand(walk, first);
  expressions(walk, behind.toReversed());
  return isText(value) ? value : unknown;
}

function subscript(walk: Walk, node: Node): Expr {
  const [object, ...keys] = node.namedChildren;
  const value = operand(walk, object);
  expressions(walk, keys);
  const [key] = keys;
  if (key?.type === 'slice') return value;
  return keys.length === 1 && key?.type === 'integer'
    ? { kind: 'index', object: value, at: Number(key.text) }
    : { kind: 'index', object: value };
}

function elements(walk: Walk, node: Node): Expr[] {
  const all: Expr[] = [];
  for (const child of node.namedChildren) {
    const { type } = child;
    if (type === 'list_splat') all.push({ kind: 'iterate', object: operand(walk, child.namedChildren[0]) });
    else if (type !== 'comment') all.push(expression(walk, child, type));
  }
  return all;
}

function interpolations(walk: Walk, node: Node): void {
  for (const child of node.namedChildren) {
    const { type } = child;
    if (type === 'interpolation') expressions(walk, child.namedChildren);
    else if (type === 'string') interpolations(walk, child);
  }
}

function dictionary(walk: Walk, node: Node): Expr {
  const values: Expr[] = [];
  for (const child of node.namedChildren) {
    if (child.type === 'pair') values.push(pair(walk, child));
    else expressions(walk, child.namedChildren);
  }
  return mapOf(values);
}

function pair(walk: Walk, node: Node): Expr {
  const [key, value] = ends(node);
  operand(walk, key);
  return operand(walk, value);
}

/** What a comprehension gives each time; its names live in a scope of their own. */
function comprehension(walk: Walk, node: Node): Expr {
  const { flow } = walk.frame;
  const outer = flow.current;
  flow.current = walk.addScope(outer);
  let body: Node | null = null;
  for (const child of node.namedChildren) {
    if (child.type === 'for_in_clause') {
      const values = operand(walk, child.childForFieldName('right'));
      const left = child.childForFieldName('left');
      if (left) bindTargets(walk, left, { kind: 'iterate', object: values });
    } else if (child.type === 'if_clause') {
      const condition = firstChild(child);
      operand(walk, condition);
      if (condition) narrow(walk, condition, true);
    } else if (child.type !== 'comment') body ??= child;
  }
  const result = body?.type === 'pair' ? mapOf([pair(walk, body)]) : operand(walk, body);
  flow.current = outer;
  return result;
}

function bindTargets(walk: Walk, target: Node, value: Expr): void {
  if (target.type === 'identifier') {
    walk.addBinding(walk.frame.flow.current, target.text, lineOf(target), { value });
  } else target.namedChildren.forEach((child, at) => bindTargets(walk, child, part(value, at)));
}

function call(walk: Walk, node: Node): Expr {
  const [calleeNode, list] = ends(node);
  if (!calleeNode || !list) return unknown;
  const callee = expression(walk, calleeNode);
  const args: Expr[] = [];
  const nodes: Node[] = [];
  const named: NonNullable<Call['named']> = [];
  if (list.type === 'generator_expression') args.push(expression(walk, list));
  else {
    for (const child of list.namedChildren) {
      const { type } = child;
      if (type === 'comment') continue;
      if (type === 'keyword_argument') {
        const [name, value] = ends(child);
        if (name) named.push({ name: textOf(walk, name), value: operand(walk, value) });
      } else {
        nodes.push(child);
        args.push(expression(walk, child, type));
      }
    }
  }
  const known = builtin(walk, callee, args, nodes);
  if (known) return known;
  noteAddition(walk, callee, args);
  const { frame } = walk;
  const at = callee.kind === 'member' ? (ends(calleeNode)[1] ?? calleeNode) : calleeNode;
  const written: Call = {
    callee,
    args,
    isNew: false,
    caller: frame.function,
    scope: frame.flow.current,
    line: lineOf(at),
  };
  if (named.length > 0) written.named = named;
  if (nodes.some(({ type }) => type.endsWith('_splat'))) written.spreads = true;
  return { kind: 'result', call: walk.addCall(written) };
}

function lambda(walk: Walk, node: Node): Expr {
  const { frame } = walk;
  const index = walk.facts.definitions.length;
  const scope = walk.addScope(frame.flow.current, index);
  const written = readParameters(node.childForFieldName('parameters'));
  const defaults = defaultsOf(walk, written);
  const definition = define(walk, {
    kind: 'function',
    name: '',
    line: lineOf(node),
    endLine: node.endPosition.row + 1,
    scope,
  });
  inside(walk, { kind: 'function', function: index, owner: frame.owner, self: null, scope }, () => {
    definition.parameters = bindParameters(walk, written, defaults, index);
    definition.returns.push(operand(walk, node.childForFieldName('body')));
  });
  return { kind: 'definition', definition: index };
}

/** Defaults of parameters, evaluated around the function. */
export function defaultsOf(walk: Walk, parameters: readonly WrittenParameter[]): Map<string, Expr> {
  const defaults = new Map<string, Expr>();
  for (const parameter of parameters)
    if (parameter.default) defaults.set(parameter.name, expression(walk, parameter.default));
  return defaults;
}
