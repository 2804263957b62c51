import { EdgeValue, NodeValue, PathValue } from '../../model/property-graph.ts';
import type { Value } from '../../model/property-graph.ts';
import type { Effort } from './effort.ts';
import { QueryFailure } from './failure.ts';
import { compareText, isNumber, typeOf } from './values.ts';
import type { TypeName } from './values.ts';

/** A function of a query. */
export interface QueryFunction {
  /** Least and most arguments. */
  arity: readonly [number, number];
  /** What the first argument may be, as far as that is known before it is run. */
  takes?: readonly TypeName[];
  gives?: TypeName;
  /** Does not look into nodes and edges. */
  shallow?: boolean;
  /** It is called also where an argument is null. */
  withNull?: boolean;
  call(given: readonly Value[], effort: Effort): Value;
}

/** The value was none that the function takes. */
export const wrongValue = (name: string, value: Value) =>
  new QueryFailure('TypeError', 'InvalidArgumentValue', `${name} does not take a ${typeOf(value)}.`);

const wrongType = (name: string, value: Value) =>
  new QueryFailure('TypeError', 'InvalidArgumentType', `${name} does not take a ${typeOf(value)}.`);

const maxInteger = 2n ** 63n - 1n;

/** A whole number as an integer; null where it is too large. */
function integerOf(value: number): bigint | null {
  if (!Number.isFinite(value)) return null;
  const whole = BigInt(Math.trunc(value));
  return whole > maxInteger || whole < -maxInteger - 1n ? null : whole;
}

const ofNumber = (name: string, calculate: (value: number) => number): QueryFunction => ({
  arity: [1, 1],
  takes: ['Integer', 'Float'],
  gives: 'Float',
  call([value = null]) {
    if (!isNumber(value)) throw wrongType(name, value);
    return calculate(Number(value));
  },
});

const ofText = (name: string, change: (value: string) => Value): QueryFunction => ({
  arity: [1, 1],
  call([value = null]) {
    if (typeof value !== 'string') throw wrongType(name, value);
    return change(value);
  },
});

const constant = (value: number): QueryFunction => ({ arity: [0, 0], gives: 'Float', call: () => value });

/** A part of a string, by how many characters. */
function countOf(name: string, value: Value): number {
  if (typeof value !== 'bigint') throw wrongType(name, value);
  if (value < 0n)
    throw new QueryFailure('ArgumentError', 'NegativeIntegerArgument', `${name} takes no negative number.`);
  return Number(value);
}

const numbers: Record<string, QueryFunction> = {
  abs: {
    arity: [1, 1],
    takes: ['Integer', 'Float'],
    call([value = null]) {
      if (typeof value === 'bigint') return value < 0n ? -value : value;
      if (typeof value !== 'number') throw wrongType('abs', value);
      return Math.abs(value);
    },
  },
  sign: {
    arity: [1, 1],
    takes: ['Integer', 'Float'],
    gives: 'Integer',
    call([value = null]) {
      if (!isNumber(value)) throw wrongType('sign', value);
      return BigInt(Math.sign(Number(value)) || 0);
    },
  },
  ceil: ofNumber('ceil', Math.ceil),
  floor: ofNumber('floor', Math.floor),
  round: ofNumber('round', Math.round),
  sqrt: ofNumber('sqrt', Math.sqrt),
  exp: ofNumber('exp', Math.exp),
  log: ofNumber('log', Math.log),
  log10: ofNumber('log10', Math.log10),
  sin: ofNumber('sin', Math.sin),
  cos: ofNumber('cos', Math.cos),
  tan: ofNumber('tan', Math.tan),
  cot: ofNumber('cot', (value) => 1 / Math.tan(value)),
  asin: ofNumber('asin', Math.asin),
  acos: ofNumber('acos', Math.acos),
  atan: ofNumber('atan', Math.atan),
  degrees: ofNumber('degrees', (value) => (value * 180) / Math.PI),
  radians: ofNumber('radians', (value) => (value * Math.PI) / 180),
  pi: constant(Math.PI),
  e: constant(Math.E),
  rand: { arity: [0, 0], gives: 'Float', call: () => Math.random() },
  tointeger: {
    arity: [1, 1],
    takes: ['Integer', 'Float', 'String'],
    gives: 'Integer',
    call([value = null]) {
      if (typeof value === 'bigint') return value;
      if (typeof value === 'number') return integerOf(value);
      if (typeof value !== 'string') throw wrongValue('toInteger', value);
      return integerOf(numberIn(value) ?? Number.NaN);
    },
  },
  tofloat: {
    arity: [1, 1],
    takes: ['Integer', 'Float', 'String'],
    gives: 'Float',
    call([value = null]) {
      if (isNumber(value)) return Number(value);
      if (typeof value !== 'string') throw wrongValue('toFloat', value);
      return numberIn(value);
    },
  },
  toboolean: {
    arity: [1, 1],
    takes: ['Boolean', 'String'],
    gives: 'Boolean',
    call([value = null]) {
      if (typeof value === 'boolean') return value;
      if (typeof value !== 'string') throw wrongValue('toBoolean', value);
      const word = value.trim().toLowerCase();
      return word === 'true' ? true : word === 'false' ? false : null;
    },
  },
};

const numberIn = (text: string): number | null =>
  /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : null;

/** A value as a text, as `toString` gives it. */
function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 1e21 ? value.toFixed(1) : String(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  throw wrongValue('toString', value);
}

const texts: Record<string, QueryFunction> = {
  tostring: {
    arity: [1, 1],
    takes: ['Integer', 'Float', 'Boolean', 'String'],
    gives: 'String',
    call: ([value = null]) => textOf(value),
  },
  toupper: ofText('toUpper', (value) => value.toUpperCase()),
  tolower: ofText('toLower', (value) => value.toLowerCase()),
  trim: ofText('trim', (value) => value.trim()),
  ltrim: ofText('lTrim', (value) => value.trimStart()),
  rtrim: ofText('rTrim', (value) => value.trimEnd()),
  left: {
    arity: [2, 2],
    gives: 'String',
    call: ([text = null, count = null]) => textIn('left', text).slice(0, countOf('left', count)),
  },
  right: {
    arity: [2, 2],
    gives: 'String',
    call([text = null, count = null]) {
      const length = countOf('right', count);
      return length === 0 ? '' : textIn('right', text).slice(-length);
    },
  },
  substring: {
    arity: [2, 3],
    gives: 'String',
    call([text = null, from = null, length]) {
      const start = countOf('substring', from);
      const end = length === undefined ? undefined : start + countOf('substring', length);
      return textIn('substring', text).slice(start, end);
    },
  },
  replace: {
    arity: [3, 3],
    gives: 'String',
    call([text = null, search = null, by = null], effort) {
      const [original, sought, replacement] = [text, search, by].map((each) => textIn('replace', each)) as [
        string,
        string,
        string,
      ];
      if (sought === '') return original;
      const parts = original.split(sought);
      effort.madeText(original.length + (parts.length - 1) * replacement.length);
      return parts.join(replacement);
    },
  },
  split: {
    arity: [2, 2],
    gives: 'List',
    call: ([text = null, separator = null], effort) =>
      effort.made(textIn('split', text).split(textIn('split', separator))),
  },
};

function textIn(name: string, value: Value): string {
  if (typeof value !== 'string') throw wrongType(name, value);
  return value;
}

function listIn(name: string, value: Value): Value[] {
  if (!Array.isArray(value)) throw wrongType(name, value);
  return value;
}

function propertiesOf(name: string, value: Value): Map<string, Value> {
  if (value instanceof Map) return value;
  if (!(value instanceof NodeValue) && !(value instanceof EdgeValue)) throw wrongType(name, value);
  return new Map(contentsOf(value));
}

/** The properties of what was read. */
export function contentsOf(value: NodeValue | EdgeValue): ReadonlyMap<string, Value> {
  if (value.properties === null) throw new Error('The properties were not read before they were asked for.');
  return value.properties;
}

const lists: Record<string, QueryFunction> = {
  size: {
    arity: [1, 1],
    takes: ['List', 'String'],
    gives: 'Integer',
    shallow: true,
    call([value = null]) {
      if (typeof value === 'string') return BigInt(Array.from(value).length);
      return BigInt(listIn('size', value).length);
    },
  },
  head: { arity: [1, 1], takes: ['List'], call: ([value = null]) => listIn('head', value)[0] ?? null },
  last: { arity: [1, 1], takes: ['List'], call: ([value = null]) => listIn('last', value).at(-1) ?? null },
  tail: { arity: [1, 1], takes: ['List'], gives: 'List', call: ([value = null]) => listIn('tail', value).slice(1) },
  reverse: {
    arity: [1, 1],
    takes: ['List', 'String'],
    call([value = null]) {
      if (typeof value === 'string') return Array.from(value).toReversed().join('');
      return listIn('reverse', value).toReversed();
    },
  },
  range: {
    arity: [2, 3],
    gives: 'List',
    call([from = null, to = null, by = 1n], effort) {
      if (typeof from !== 'bigint' || typeof to !== 'bigint' || typeof by !== 'bigint')
        throw new QueryFailure('ArgumentError', 'InvalidArgumentType', 'range() takes whole numbers.');
      if (by === 0n) throw new QueryFailure('ArgumentError', 'NumberOutOfRange', 'A step of range() is not 0.');
      const length = Number((to - from) / by) + 1;
      if ((by > 0n && to < from) || (by < 0n && to > from)) return [];
      effort.bound(length);
      return effort.made(Array.from({ length }, (_, index) => from + BigInt(index) * by));
    },
  },
  keys: {
    arity: [1, 1],
    takes: ['Map', 'Node', 'Relationship'],
    gives: 'List',
    call: ([value = null], effort) => effort.made([...propertiesOf('keys', value).keys()].toSorted(compareText)),
  },
  properties: {
    arity: [1, 1],
    takes: ['Map', 'Node', 'Relationship'],
    gives: 'Map',
    call: ([value = null]) => propertiesOf('properties', value),
  },
  coalesce: {
    arity: [1, Infinity],
    withNull: true,
    call: (given) => given.find((each) => each !== null) ?? null,
  },
};

const graph: Record<string, QueryFunction> = {
  labels: {
    arity: [1, 1],
    takes: ['Node'],
    gives: 'List',
    shallow: true,
    call([value = null]) {
      if (!(value instanceof NodeValue)) throw wrongValue('labels', value);
      return [...value.labels];
    },
  },
  type: {
    arity: [1, 1],
    takes: ['Relationship'],
    gives: 'String',
    shallow: true,
    call([value = null]) {
      if (!(value instanceof EdgeValue)) throw wrongValue('type', value);
      return value.type;
    },
  },
  startnode: {
    arity: [1, 1],
    takes: ['Relationship'],
    gives: 'Node',
    call: ([value = null]) => edgeIn('startNode', value).from,
  },
  endnode: {
    arity: [1, 1],
    takes: ['Relationship'],
    gives: 'Node',
    call: ([value = null]) => edgeIn('endNode', value).to,
  },
  nodes: { arity: [1, 1], takes: ['Path'], gives: 'List', call: ([value = null]) => [...pathIn('nodes', value).nodes] },
  relationships: {
    arity: [1, 1],
    takes: ['Path'],
    gives: 'List',
    call: ([value = null]) => [...pathIn('relationships', value).edges],
  },
  length: {
    arity: [1, 1],
    takes: ['Path'],
    gives: 'Integer',
    shallow: true,
    call: ([value = null]) => BigInt(pathIn('length', value).edges.length),
  },
  exists: { arity: [1, 1], gives: 'Boolean', withNull: true, call: ([value = null]) => value !== null },
};

function edgeIn(name: string, value: Value): EdgeValue {
  if (!(value instanceof EdgeValue)) throw wrongValue(name, value);
  return value;
}

function pathIn(name: string, value: Value): PathValue {
  if (!(value instanceof PathValue)) throw wrongValue(name, value);
  return value;
}

/** All functions but those that aggregate, by their names in small letters. */
export const functions: ReadonlyMap<string, QueryFunction> = new Map(
  Object.entries({ ...numbers, ...texts, ...lists, ...graph }),
);
