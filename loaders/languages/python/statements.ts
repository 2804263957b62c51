import type { Expr, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { classDefinition, functionDefinition } from './definitions.ts';
import { addReturn, assign, expression, expressions, operand } from './expressions.ts';
import { importStatement } from './imports.ts';
import { narrow, narrowTo } from './narrow.ts';
import { firstChild, lineOf, oneLine, stringsIn } from './syntax.ts';
import { aliasedType, annotationOf, instanceOf, typeVariable } from './types.ts';
import { unknown } from './values.ts';
import { bind, functionFrame, isExported, nameInside, type Walk } from './walk.ts';

/** Walks the statements of a block; true when they end by leaving it: return, raise, break, continue. */
export function block(walk: Walk, node: Node | null): boolean {
  let leaves = false;
  for (const child of node?.namedChildren ?? []) if (statement(walk, child)) leaves = true;
  return leaves;
}

/** Walks one kind of statement; true when what follows it is not reached. */
type Reader = (walk: Walk, node: Node) => boolean;

/** Walks a statement that what follows it is reached from. */
const passing =
  (walkIt: (walk: Walk, node: Node) => void): Reader =>
  (walk, node) => {
    walkIt(walk, node);
    return false;
  };

const leaving: Reader = () => true;

const undecorated = passing((walk, node) => definition(walk, node, []));

const lastBlock: Reader = (walk, node) =>
  block(walk, node.namedChildren.find((child) => child.type === 'block') ?? null);

const importing = passing(importStatement);

/** By node type; of what is not here the expressions are read. */
const readers: Readonly<Record<string, Reader>> = {
  comment: () => false,
  expression_statement: passing((walk, node) => {
    for (const child of node.namedChildren) simpleStatement(walk, child);
  }),
  function_definition: undecorated,
  class_definition: undecorated,
  decorated_definition: passing((walk, node) => {
    const decorators = node.namedChildren.filter((child) => child.type === 'decorator');
    for (const decorator of decorators) expressions(walk, decorator.namedChildren);
    const inner = node.childForFieldName('definition');
    if (inner) definition(walk, inner, decorators);
  }),
  return_statement(walk, node) {
    const value = firstChild(node);
    const result = operand(walk, value);
    const around = walk.facts.definitions[walk.frame.function];
    if (value && !around?.isGenerator) addReturn(walk, handedBack(walk, result));
    return true;
  },
  raise_statement(walk, node) {
    expressions(walk, node.namedChildren);
    return true;
  },
  break_statement: leaving,
  continue_statement: leaving,
  if_statement: ifStatement,
  for_statement: forStatement,
  while_statement: whileStatement,
  else_clause: lastBlock,
  finally_clause: lastBlock,
  try_statement: tryStatement,
  with_statement: withStatement,
  match_statement: passing(matchStatement),
  import_statement: importing,
  import_from_statement: importing,
  global_statement: passing(({ frame, top }, node) => {
    for (const child of node.namedChildren) frame.elsewhere.set(child.text, top);
  }),
  nonlocal_statement: passing(({ frame }, node) => {
    const { outer } = frame;
    if (outer) for (const child of node.namedChildren) frame.elsewhere.set(child.text, functionFrame(outer));
  }),
  assert_statement: passing((walk, node) => {
    expressions(walk, node.namedChildren);
    const condition = firstChild(node);
    if (condition) narrow(walk, condition, true);
  }),
  type_alias_statement: passing((walk, node) => {
    const [name, value] = node.namedChildren;
    const { type } = annotationOf(walk, value ?? null);
    if (name && type) bind(walk, name.text, { value: { kind: 'typed', type } }, lineOf(name));
  }),
  block,
};

/** Walks one statement; true when what follows it is not reached. */
function statement(walk: Walk, node: Node): boolean {
  const reader = readers[node.type];
  if (reader) return reader(walk, node);
  expressions(walk, node.namedChildren);
  return false;
}

function forStatement(walk: Walk, node: Node): boolean {
  const values = operand(walk, node.childForFieldName('right'));
  walk.frame.flow.loop(() => {
    const target = node.childForFieldName('left');
    if (target) assign(walk, target, { kind: 'iterate', object: values });
    block(walk, node.childForFieldName('body'));
  });
  return orElse(walk, node);
}

function whileStatement(walk: Walk, node: Node): boolean {
  walk.frame.flow.loop(() => {
    const condition = node.childForFieldName('condition');
    operand(walk, condition);
    if (condition) narrow(walk, condition, true);
    block(walk, node.childForFieldName('body'));
  });
  return orElse(walk, node);
}

function definition(walk: Walk, node: Node, decorators: readonly Node[]): void {
  const run = (body: Node) => void block(walk, body);
  if (node.type === 'class_definition') classDefinition(walk, node, run);
  else if (node.type === 'function_definition') functionDefinition(walk, node, decorators, run);
}

function simpleStatement(walk: Walk, node: Node): void {
  const { type } = node;
  if (type === 'assignment') {
    assignment(walk, node);
  } else if (type === 'augmented_assignment') {
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    if (left?.type !== 'identifier') operand(walk, left);
    operand(walk, right);
  } else {
    expression(walk, node, type);
  }
}

function assignment(walk: Walk, node: Node): void {
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  const { type } = annotationOf(walk, node.childForFieldName('type'));
  if (!left) return;
  if (right?.type === 'assignment') {
    assignment(walk, right);
    assign(walk, left, readAgain(walk, right.childForFieldName('left')), type);
    return;
  }
  if (walk.frame.kind === 'module' && left.type === 'identifier' && right) {
    const bound = typeVariable(walk, right);
    if (bound !== undefined) walk.typeVariables.set(left.text, bound);
  }
  const alias = right && left.type === 'identifier' ? aliasedType(walk, right) : null;
  const value: Expr | null = alias ? { kind: 'typed', type: alias } : right ? expression(walk, right) : null;
  if (right?.type === 'lambda' && left.type === 'identifier' && value?.kind === 'definition')
    nameLambda(walk, value.definition, left, right);
  assign(walk, left, value, type);
}

/** A lambda that is assigned to a name has that name. */
function nameLambda(walk: Walk, index: number, name: Node, node: Node): void {
  const found = walk.facts.definitions[index];
  if (!found) return;
  found.name = name.text;
  found.qualifiedName = nameInside(walk, name.text);
  found.line = lineOf(name);
  found.exported = isExported(walk, name.text);
  found.signature = oneLine(`${name.text}(${node.childForFieldName('parameters')?.text ?? ''})`);
}

/** What an assigned target holds: `a = b = f()` evaluates `f()` once. */
function readAgain(walk: Walk, target: Node | null): Expr {
  if (target?.type === 'identifier') return { kind: 'name', name: target.text, scope: walk.frame.flow.current };
  if (target?.type !== 'attribute') return unknown;
  const object = readAgain(walk, target.childForFieldName('object'));
  return { kind: 'member', object, name: target.childForFieldName('attribute')?.text ?? '' };
}

/** A parameter or the receiver itself rather than its name, so that it is known to be handed back. */
function handedBack(walk: Walk, value: Expr): Expr {
  if (value.kind !== 'name') return value;
  const [held, ...others] = walk.frame.flow.find(value.name);
  const isGiven = held?.value?.kind === 'self' || held?.value?.kind === 'parameter';
  return held?.value && isGiven && others.length === 0 ? held.value : value;
}

function orElse(walk: Walk, node: Node): boolean {
  const alternative = node.childForFieldName('alternative');
  if (alternative) statement(walk, alternative);
  return false;
}

function ifStatement(walk: Walk, node: Node): boolean {
  const clauses = node.namedChildren.filter(({ type }) => type === 'elif_clause' || type === 'else_clause');
  const conditions = [node, ...clauses].map((clause) => clause.childForFieldName('condition'));
  // The first condition is evaluated whatever follows, and may assign.
  operand(walk, conditions[0]);
  const branches = [node, ...clauses].map((clause, index) => (): boolean => {
    for (const other of conditions.slice(0, index)) if (other) narrow(walk, other, false);
    const condition = conditions[index];
    if (index > 0) operand(walk, condition);
    if (condition) narrow(walk, condition, true);
    return block(walk, clause.childForFieldName(clause.type === 'else_clause' ? 'body' : 'consequence'));
  });
  if (clauses.at(-1)?.type !== 'else_clause') {
    branches.push(() => {
      for (const condition of conditions) if (condition) narrow(walk, condition, false);
      return false;
    });
  }
  return walk.frame.flow.branches(branches);
}

function tryStatement(walk: Walk, node: Node): boolean {
  const handlers: (() => boolean)[] = [];
  let otherwise: Node | null = null;
  let last: Node | null = null;
  for (const clause of node.namedChildren) {
    if (clause.type.startsWith('except')) handlers.push(() => exceptClause(walk, clause));
    else if (clause.type === 'else_clause') otherwise = clause;
    else if (clause.type === 'finally_clause') last = clause;
  }
  const leaves = walk.frame.flow.attempt(() => {
    const left = block(walk, node.childForFieldName('body'));
    return (otherwise !== null && statement(walk, otherwise)) || left;
  }, handlers);
  return (last !== null && statement(walk, last)) || leaves;
}

function exceptClause(walk: Walk, clause: Node): boolean {
  let body: Node | null = null;
  for (const child of clause.namedChildren) {
    if (child.type === 'block') body = child;
    else if (child.type === 'as_pattern') {
      const [caught, name] = child.namedChildren;
      operand(walk, caught);
      const type = caught ? instanceOf(walk, caught) : null;
      if (name) assign(walk, name, typed(type) ?? unknown);
    } else expression(walk, child);
  }
  return block(walk, body);
}

/** `with` binds what `__enter__` gives. */
function withStatement(walk: Walk, node: Node): boolean {
  const isAsync = node.children[0]?.type === 'async';
  const clause = node.namedChildren.find((child) => child.type === 'with_clause');
  for (const item of clause?.namedChildren ?? []) {
    const value = item.childForFieldName('value');
    if (value?.type !== 'as_pattern') {
      operand(walk, value);
      continue;
    }
    const [manager, name] = value.namedChildren;
    const callee: Expr = {
      kind: 'member',
      object: operand(walk, manager),
      name: isAsync ? '__aenter__' : '__enter__',
    };
    const entered: Expr = { kind: 'call', callee, args: [], isNew: false };
    if (name) assign(walk, name, isAsync ? { kind: 'await', value: entered } : entered);
  }
  return block(walk, node.childForFieldName('body'));
}

function matchStatement(walk: Walk, node: Node): void {
  const subject = node.childForFieldName('subject');
  const value = operand(walk, subject);
  const cases = node.childForFieldName('body')?.namedChildren ?? [];
  const branches = cases.map((clause) => (): boolean => {
    for (const child of clause.namedChildren) if (child.type === 'case_pattern') pattern(walk, child, value, subject);
    operand(walk, clause.childForFieldName('guard'));
    return block(walk, clause.childForFieldName('consequence'));
  });
  walk.frame.flow.branches([...branches, () => false]);
}

/** Names that a pattern binds or narrows: `case Point() as p`, `case Point()`, `case x`. */
function pattern(walk: Walk, node: Node, value: Expr, subject: Node | null): void {
  const [inner, ...others] = node.namedChildren;
  if (inner?.type === 'as_pattern') {
    const [matched, alias] = inner.namedChildren;
    if (alias) assign(walk, alias, typed(matched ? patternClass(walk, matched) : null) ?? value);
  } else if (inner?.type === 'class_pattern') {
    const type = patternClass(walk, node);
    if (type && subject?.type === 'identifier') narrowTo(walk, subject.text, type, lineOf(node));
  } else if (inner?.type === 'dotted_name' && others.length === 0 && !inner.text.includes('.')) {
    bind(walk, inner.text, { value }, lineOf(inner));
  }
}

function patternClass(walk: Walk, node: Node): TypeExpr | null {
  const inner = node.type === 'case_pattern' ? node.namedChildren[0] : node;
  return inner?.type === 'class_pattern' ? annotationOf(walk, inner.namedChildren[0] ?? null).type : null;
}

function typed(type: TypeExpr | null): Expr | null {
  return type && { kind: 'typed', type };
}

/** Names that the file's top level defines, and what its `__all__` lists; known before the walk begins. */
export function readAhead(walk: Walk, root: Node): void {
  for (const child of root.namedChildren) {
    const inner = child.type === 'decorated_definition' ? child.childForFieldName('definition') : child;
    if (inner?.type.endsWith('_definition')) walk.own.add(inner.childForFieldName('name')?.text ?? '');
    const written = child.type === 'expression_statement' ? child.namedChildren[0] : null;
    if (written?.type.endsWith('assignment') && written.childForFieldName('left')?.text === '__all__')
      walk.listed = new Set([...(walk.listed ?? []), ...stringsIn(written.childForFieldName('right'))]);
  }
}
