import type { Expr, Parameter, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { lineOf } from './syntax.ts';
import { annotationOf } from './types.ts';
import { oneOf } from './values.ts';
import { bind, type Walk } from './walk.ts';

/** A parameter as written. */
export interface WrittenParameter {
  name: string;
  annotation: Node | null;
  default: Node | null;
  star: '' | '*' | '**';
  line: number;
}

/** The parameters that a list writes down; marks such as `*` and `/` are none. */
export function readParameters(list: Node | null): WrittenParameter[] {
  const all: WrittenParameter[] = [];
  for (const node of list?.namedChildren ?? []) {
    const name = parameterName(node);
    if (!name) continue;
    const inner = node.type === 'typed_parameter' ? node.namedChildren[0] : node;
    all.push({
      name: name.text,
      annotation: node.type.startsWith('typed') ? node.childForFieldName('type') : null,
      default: node.type.endsWith('default_parameter') ? node.childForFieldName('value') : null,
      star: inner?.type === 'list_splat_pattern' ? '*' : inner?.type === 'dictionary_splat_pattern' ? '**' : '',
      line: lineOf(name),
    });
  }
  return all;
}

/**
 * Parameters as facts, bound in the function's frame, which is the current one; `defaults` are by name, `around` is the scope in
 * which the function stands.
 */
export function bindParameters(
  walk: Walk,
  written: readonly WrittenParameter[],
  defaults: ReadonlyMap<string, Expr>,
  definition: number,
  around?: number,
): Parameter[] {
  const own = new Set(written.map(({ name }) => name));
  return written.map((parameter, index) => {
    const inside = annotationOf(walk, parameter.annotation);
    // `box: box.Box` speaks of the module, not of the parameter.
    const isOutside = inside.names.some((name) => own.has(name.split('.', 1)[0] ?? ''));
    const annotated = isOutside ? annotationOf(walk, parameter.annotation, around).type : inside.type;
    const type = starred(parameter.star, annotated);
    const initial = defaults.get(parameter.name) ?? null;
    const passed: Expr = { kind: 'parameter', function: { kind: 'definition', definition }, index };
    const value: Expr =
      parameter.star === '*' ? { kind: 'array', elements: [passed] } : initial ? oneOf([initial, passed]) : passed;
    bind(walk, parameter.name, type ? { type } : { value }, parameter.line);
    return {
      name: parameter.name,
      type,
      default: initial,
      rest: parameter.star === '*',
      optional: initial !== null || parameter.star !== '',
    };
  });
}

function starred(star: WrittenParameter['star'], type: TypeExpr | null): TypeExpr | null {
  if (star === '**') return { kind: 'map', key: { kind: 'unknown' }, value: type ?? { kind: 'unknown' } };
  return star === '*' && type ? { kind: 'array', element: type } : type;
}

function parameterName(node: Node): Node | null {
  switch (node.type) {
    case 'identifier':
      return node;
    case 'default_parameter':
    case 'typed_default_parameter':
      return node.childForFieldName('name');
    case 'typed_parameter':
    case 'list_splat_pattern':
    case 'dictionary_splat_pattern':
      return node.namedChildren[0] ? parameterName(node.namedChildren[0]) : null;
    default:
      return null;
  }
}
