import type { Definition, Expr, FunctionKind } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import { commentOf, docOf, signatureOf } from './documentation.ts';
import { type EcmascriptFile, literal, type Naming, type Place } from './file.ts';
import { describe } from './jsdoc.ts';
import { bindPattern } from './patterns.ts';
import { isThis, parametersOf, typeExpr, typeParametersOf, typePlace } from './types.ts';
import { either, hasToken } from './values.ts';

/** What a function gives beyond this many says nothing more. */
const maxReturns = 8;

/** What a function is where it stands. */
export interface FunctionRole {
  kind: FunctionKind;
  naming: Naming;
  /** What `this` is in it; null where the function itself says so. */
  self: Expr | null;
  /** What the place asks for that the function is given to. */
  expected: Expr | null;
}

/** Index of the function's definition; its parameters and body are read. */
export function defineFunction(file: EcmascriptFile, node: Node, place: Place, role: FunctionRole): number {
  const { kind, naming, expected } = role;
  const index = file.define(kind, naming.name, node, naming.node, place.owner);
  const definition = file.definition(index);
  const inner = placeInside(file, node, place, role, index);
  const body = node.childForFieldName('body');
  const types = { ...typePlace(inner), owner: index };
  const parameters = node.childForFieldName('parameters');
  const single = node.childForFieldName('parameter');
  const returnType = node.childForFieldName('return_type');
  Object.assign(definition, {
    scope: inner.scope,
    isAbstract: body === null,
    isAsync: hasToken(node, 'async'),
    isGenerator: node.type.startsWith('generator') || hasToken(node, '*'),
    typeParameters: typeParametersOf(file, node.childForFieldName('type_parameters'), types),
    parameters: single
      ? [{ name: single.text, type: null, default: null, rest: false, optional: false }]
      : parametersOf(file, parameters, types),
    returnType: returnType ? typeExpr(file, returnType, types) : null,
  });
  if (naming.name !== '') {
    const comment = commentOf(node);
    Object.assign(definition, { signature: signatureOf(file.source, node, body), doc: docOf(comment) });
    describe(file, definition, comment, types);
  }
  if (node.type === 'function_expression' || node.type === 'generator_function') {
    const ownName = node.childForFieldName('name');
    if (ownName) file.addBinding(inner.scope, ownName.text, file.line(ownName), { definition: index });
  }
  if (single) {
    file.addBinding(inner.scope, single.text, file.line(single), {
      value: expected ? { kind: 'parameter', function: expected, index: 0 } : null,
    });
  }
  const nodes = (parameters?.namedChildren ?? []).filter(({ type }) => type !== 'comment' && type !== 'decorator');
  const declaredSelf = nodes.find(isThis)?.childForFieldName('type');
  if (declaredSelf) inner.self = { kind: 'typed', type: typeExpr(file, declaredSelf, types) };
  for (const [at, child] of nodes.filter((child) => !isThis(child)).entries()) {
    bindParameter(file, child, at, definition, inner, expected);
  }
  if (body?.type === 'statement_block') file.visitAll(body, inner);
  else if (body) returned(file, body, inner, true);
  return index;
}

/** An arrow has the `this` and the `super` of the code around it. */
function placeInside(file: EcmascriptFile, node: Node, place: Place, role: FunctionRole, index: number): Place {
  const { kind, self, expected } = role;
  const scope = file.addScope(place.scope, index);
  const inside = { scope, hoist: scope, owner: index };
  if (node.type === 'arrow_function') return { ...inside, self: place.self, method: place.method };
  const method = kind === 'function' ? -1 : index;
  const loose: Extract<Expr, { kind: 'self' }> = { kind: 'self', definition: index };
  if (self === null && kind === 'function') file.selves.push(loose);
  const inContext: Expr | null = expected && { kind: 'parameter', function: expected, index: -1 };
  return {
    ...inside,
    self: self ?? (inContext && kind === 'function' ? either([loose, inContext]) : loose),
    method,
  };
}

function bindParameter(
  file: EcmascriptFile,
  node: Node,
  index: number,
  definition: Definition,
  inner: Place,
  expected: Expr | null,
): void {
  const pattern = node.childForFieldName('pattern') ?? node.childForFieldName('left') ?? node;
  const defaultNode = node.childForFieldName('value') ?? node.childForFieldName('right');
  const parameter = definition.parameters[index];
  visitDecorators(file, node, inner);
  const type = parameter?.type ?? null;
  const initial = defaultNode ? file.expression(defaultNode, inner, type ? { kind: 'typed', type } : null) : null;
  if (parameter) parameter.default = initial;
  const fromContext: Expr | null = expected ? { kind: 'parameter', function: expected, index } : null;
  const options = [fromContext, initial].filter((one) => one !== null);
  const value: Expr | null = options.length > 1 ? either(options, true) : (options[0] ?? null);
  const known = type && type.kind !== 'unknown' ? type : null;
  if (pattern.type === 'identifier') {
    file.addBinding(inner.scope, pattern.text, file.line(pattern), { type: known, value });
  } else if (pattern.type === 'rest_pattern') {
    const name = pattern.namedChildren[0];
    const elements = known ?? { kind: 'array', element: unknown };
    if (name) file.addBinding(inner.scope, name.text, file.line(name), { type: elements });
  } else bindPattern(file, pattern, known ? { kind: 'typed', type: known } : (value ?? unknown), inner, inner);
}

/** What a function gives back; `always`: also where it is a generator, as the body of an arrow is its value. */
export function returned(file: EcmascriptFile, value: Node, place: Place, always: boolean): void {
  const owner = place.owner >= 0 ? file.definition(place.owner) : null;
  const expr = file.expression(value, place, owner?.returnType ? { kind: 'typed', type: owner.returnType } : null);
  if (owner && (always || !owner.isGenerator)) addReturn(owner, expr);
}

/** Adds to what a function gives, unless it says nothing. */
export function addReturn(owner: Definition, expr: Expr): void {
  if (expr.kind !== 'unknown' && expr !== literal && owner.returns.length < maxReturns) owner.returns.push(expr);
}

export function visitDecorators(file: EcmascriptFile, node: Node, place: Place): void {
  for (const child of node.namedChildren) if (child.type === 'decorator') file.visitAll(child, place);
}
