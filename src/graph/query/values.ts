import { EdgeValue, NodeValue, PathValue } from '../../model/property-graph.ts';
import type { Value } from '../../model/property-graph.ts';

/** What cypher calls a value's type, in the order in which values of different types are sorted. */
const types = ['Map', 'Node', 'Relationship', 'List', 'Path', 'String', 'Boolean', 'Integer', 'Float', 'null'] as const;
export type TypeName = (typeof types)[number];

export function typeOf(value: Value): TypeName {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'boolean':
      return 'Boolean';
    case 'bigint':
      return 'Integer';
    case 'number':
      return 'Float';
    case 'string':
      return 'String';
  }
  if (Array.isArray(value)) return 'List';
  if (value instanceof NodeValue) return 'Node';
  if (value instanceof EdgeValue) return 'Relationship';
  return value instanceof PathValue ? 'Path' : 'Map';
}

export const isNumber = (value: Value): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

/** `=`: true, false, or null where it is not known. */
export function equal(a: Value, b: Value): boolean | null {
  if (a === null || b === null) return null;
  if (isNumber(a) && isNumber(b)) return a == b;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    return allOf(a, (each, index) => equal(each, b[index] ?? null));
  }
  if (a instanceof Map && b instanceof Map) {
    if (a.size !== b.size || [...a.keys()].some((name) => !b.has(name))) return false;
    return allOf([...a.keys()], (name) => equal(a.get(name) ?? null, b.get(name) ?? null));
  }
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  return typeOf(a) === typeOf(b) && compare(a, b) === 0;
}

function allOf<T>(items: readonly T[], holds: (item: T, index: number) => boolean | null): boolean | null {
  let known: boolean | null = true;
  for (const [index, item] of items.entries()) {
    const one = holds(item, index);
    if (one === false) return false;
    if (one === null) known = null;
  }
  return known;
}

/** `<` and its like: less than 0, 0, more; null where two values have no order, NaN where a number is none. */
export function compareKnown(a: Value, b: Value): number | null {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : a == b ? 0 : Number.NaN;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (!Array.isArray(a) || !Array.isArray(b)) return null;
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = compareKnown(a[index] ?? null, b[index] ?? null);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** The order of ORDER BY, min and max, in which every value has a place: null is the last. */
export function compare(a: Value, b: Value): number {
  const [typeA, typeB] = [typeOf(a), typeOf(b)];
  if (isNumber(a) && isNumber(b)) {
    const order = compareKnown(a, b) ?? 0;
    return Number.isNaN(order) ? Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : order;
  }
  if (typeA !== typeB) return types.indexOf(typeA) - types.indexOf(typeB);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (a instanceof Map && b instanceof Map) {
    const [namesA, namesB] = [[...a.keys()].sort(compareText), [...b.keys()].sort(compareText)];
    return (
      compareLists(namesA, namesB) ||
      compareLists(
        namesA.map((name) => a.get(name) ?? null),
        namesB.map((name) => b.get(name) ?? null),
      )
    );
  }
  if (a instanceof NodeValue && b instanceof NodeValue) return compareKeys(a.key, b.key);
  if (a instanceof EdgeValue && b instanceof EdgeValue) return compareKeys(a.key, b.key);
  if (a instanceof PathValue && b instanceof PathValue)
    return compareLists([...a.nodes, ...a.edges], [...b.nodes, ...b.edges]);
  return compareKnown(a, b) ?? 0;
}

function compareLists(a: readonly Value[], b: readonly Value[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = compare(a[index] ?? null, b[index] ?? null);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const compareKeys = (a: string | number, b: string | number) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareText(String(a), String(b));

/** By code point; JavaScript's own order is by UTF-16 unit. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (x === y) continue;
    // Of two halves of one plane, the code point decides; those above U+FFFF come after all others.
    const [isHighX, isHighY] = [(x & 0xf800) === 0xd800, (y & 0xf800) === 0xd800];
    return isHighX === isHighY ? x - y : isHighX ? 1 : -1;
  }
  return a.length - b.length;
}

/** Equal for values that DISTINCT and grouping take for one: null is null there, and 1 is 1.0. */
export function keyOf(value: Value): string {
  switch (typeof value) {
    case 'bigint':
      return `n${value}`;
    case 'number':
      return Number.isSafeInteger(value) ? `n${BigInt(value)}` : `f${value}`;
    case 'string':
      return `s${value.length}:${value}`;
    case 'boolean':
      return value ? 't' : 'f';
  }
  if (value === null) return '-';
  if (value instanceof NodeValue) return `N${typeof value.key}${value.key}`;
  if (value instanceof EdgeValue) return `E${typeof value.key}${value.key}`;
  if (value instanceof PathValue) return `P(${[...value.nodes, ...value.edges].map(keyOf).join()})`;
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  const entries = [...value].toSorted(([a], [b]) => compareText(a, b));
  return `{${entries.map(([name, each]) => `${keyOf(name)}${keyOf(each)}`).join()}}`;
}
