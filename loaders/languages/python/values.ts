import type { Expr } from '../../facts/fact.ts';

/** A value of which nothing is known. */
export const unknown: Expr = { kind: 'unknown' };

/** Elements kept of one container. */
const maxElements = 50;

/** An instance of one of the language's own types. */
export function native(name: string): Expr {
  return { kind: 'typed', type: { kind: 'reference', name, scope: 0, args: [] } };
}

/** One of these. */
export function oneOf(options: readonly Expr[]): Expr {
  const known = options.filter((option) => option.kind !== 'unknown');
  return known.length > 1 ? { kind: 'union', options: known } : (known[0] ?? unknown);
}

/** What a call that is not written down gives. */
export function called(callee: Expr): Expr {
  return { kind: 'call', callee, args: [], isNew: false };
}

/** A list, set or other sequence of these. */
export function arrayOf(elements: readonly Expr[]): Expr {
  return { kind: 'array', elements: elements.slice(0, maxElements) };
}

/** A dictionary with these values. */
export function mapOf(values: readonly Expr[]): Expr {
  return { kind: 'map', values: values.slice(0, maxElements) };
}

/** What unpacking gives at one place; null where the place is not known. */
export function part(value: Expr, at: number | null): Expr {
  if (at !== null && value.kind === 'tuple') return value.elements[at] ?? unknown;
  return at === null ? { kind: 'index', object: value } : { kind: 'index', object: value, at };
}

/** Adds to what a container written in place holds. */
export function fill(container: Expr, value: Expr): void {
  if (container.kind === 'array' && container.elements.length < maxElements) container.elements.push(value);
  if (container.kind === 'map' && container.values.length < maxElements) container.values.push(value);
}

/** A string or bytes, whose operators give the same again. */
export function isText(value: Expr): boolean {
  return value.kind === 'typed' && value.type.kind === 'reference' && /^(str|bytes)$/.test(value.type.name);
}
