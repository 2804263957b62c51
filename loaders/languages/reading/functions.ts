import type { Definition, Expr, Parameter, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import type { Place, SourceFile } from './source-file.ts';

/** A parameter with the node that names it. */
export interface NamedParameter extends Partial<Parameter> {
  name: string;
  node: Node;
}

/** Declares a function's parameters inside it; where a lambda's have no type, they are what is asked for at its place. */
export function declareParameters(
  file: SourceFile,
  definition: number,
  inside: Place,
  parameters: readonly NamedParameter[],
  expected: Expr | null = null,
): void {
  const own = file.definition(definition);
  for (const [index, { node, ...known }] of parameters.entries()) {
    const parameter: Parameter = { type: null, default: null, rest: false, optional: false, ...known };
    own.parameters.push(parameter);
    const { name, rest } = parameter;
    const type: TypeExpr | null = parameter.type && rest ? { kind: 'array', element: parameter.type } : parameter.type;
    const asked: Expr = { kind: 'parameter', function: expected ?? { kind: 'definition', definition }, index };
    file.bind(inside, name, node, type ? { type } : { value: asked });
  }
}

/** Reads a function that has no name: its parameters, then its body, whose value it gives. */
export function readLambda(
  file: SourceFile,
  node: Node,
  place: Place,
  parametersIn: (inside: Place) => readonly NamedParameter[],
  body: Node | null | undefined,
  more: Partial<Definition> = {},
): Expr {
  const definition = file.define({ kind: 'function', name: '', ...more }, node, place);
  const inside = file.enter(definition, place);
  declareParameters(file, definition, inside, parametersIn(inside), place.expected);
  const value = file.read(body, inside);
  file.returns(inside, value);
  return { kind: 'definition', definition };
}
