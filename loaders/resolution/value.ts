import type { OutsideWay } from '../../src/model/snapshot.ts';

/**
 * What an expression can stand for, as far as the sources of one repository say. A definition is named by its document and
 * its index there.
 */
export type Value =
  | FunctionValue
  | ClassValue
  | InstanceValue
  | VariableValue
  | ModuleValue
  | CallableValue
  | ExternalValue
  | SuperValue
  /** `as`: what the library calls it, where it is no array and the language tells them apart. */
  | { readonly kind: 'array'; readonly element: Values; readonly as?: string }
  | { readonly kind: 'map'; readonly key: Values; readonly value: Values }
  | { readonly kind: 'tuple'; readonly elements: readonly Values[] }
  /** A method of the language's own containers, with the container it was taken from. */
  | { readonly kind: 'container_method'; readonly container: Value; readonly name: string };

/** All that an expression can stand for; empty when nothing is known. */
export type Values = readonly Value[];

/** A function, with the object that it was taken from. */
export interface FunctionValue {
  readonly kind: 'function';
  readonly document: number;
  readonly definition: number;
  readonly self: Value | null;
  /** It was taken from an object, of which nobody knows more. */
  readonly ofUnknown?: true;
  /** That object is constant. */
  readonly ofConst?: true;
  /** Of a function that is called on lvalues or rvalues only: that object is no lvalue, or nobody knows. */
  readonly category?: 'rvalue' | 'unknown';
}

/** A class itself. */
export interface ClassValue {
  readonly kind: 'class';
  readonly document: number;
  readonly definition: number;
}

/** An instance of a class, or the one object of an object literal. */
export interface InstanceValue {
  readonly kind: 'instance';
  readonly document: number;
  readonly definition: number;
  /** Type arguments, in the order of the class's parameters; shorter where they are not known. */
  readonly args: readonly Values[];
}

/** `super` in a class: that class, and the object or class whose members above it are meant. */
export interface SuperValue {
  readonly kind: 'super';
  readonly document: number;
  readonly definition: number;
  readonly self: Value;
}

/** A type parameter that is not yet replaced by an argument. */
export interface VariableValue {
  readonly kind: 'variable';
  readonly document: number;
  readonly definition: number;
  readonly index: number;
}

/** A module, or a package made of several files. */
export interface ModuleValue {
  readonly kind: 'module';
  readonly documents: readonly number[];
  readonly specifier: string;
  /** The document that asked for it. */
  readonly from: number;
}

/** Something with a function's type, whose definition is not known. */
export interface CallableValue {
  readonly kind: 'callable';
  readonly parameters: readonly Values[];
  /** What `this` is inside, where the type says so. */
  readonly self?: Values;
  readonly returns: Values;
}

/** Known to lie outside the repository. */
export interface ExternalValue {
  readonly kind: 'external';
  readonly name: string;
  readonly args: readonly Values[];
  /** Where it comes from, as an import says; several where it may come from each. */
  readonly origins?: readonly Origin[];
}

/** A way into another repository: from a module, by names, `()` for what calling gives and `[]` for an element. */
export interface Origin {
  readonly module: string;
  readonly path: readonly string[];
  /** Modules in which the path may begin as well, before all others, the innermost first. */
  readonly around?: readonly string[];
}

/** A way out as others read it, whose module has its ecosystem. */
export function wayOf(module: string, { path, around }: Origin): OutsideWay {
  return { module, path: [...path], ...(around && { around: [...around] }) };
}

/** Of a longer way nobody knows the end. */
const maxWay = 24;

/** A step further from what lies outside: `name` says what is there, `step` how it was reached. */
export function beyond(from: ExternalValue, name: string, step: string): ExternalValue {
  const { origins = [], args } = from;
  const known = origins.filter(({ path }) => path.length < maxWay);
  return {
    kind: 'external',
    name,
    args,
    ...(known.length > 0 && { origins: known.map((origin) => ({ ...origin, path: [...origin.path, step] })) }),
  };
}

/** Nothing known. */
export const unknown: Values = [];

/** More possibilities than this say nothing. */
const maxValues = 24;

/** All of these, each once. */
export function unite(lists: readonly Values[]): Values {
  if (lists.length === 1) return lists[0] ?? unknown;
  const filled = lists.filter((values) => values.length > 0);
  if (filled.length < 2) return filled[0] ?? unknown;
  const all: Value[] = [];
  for (const values of filled) {
    for (const value of values) {
      if (all.some((known) => equal(known, value))) continue;
      if (all.length === maxValues) return unknown;
      all.push(value);
    }
  }
  return all;
}

/** Do both stand for the same? */
function equal(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a.kind === 'external') return b.kind === 'external' && a.name === b.name && equalLists(a.args, b.args);
  if (a.kind === 'module') return b.kind === 'module' && equalNumbers(a.documents, b.documents);
  return 'document' in a ? equalDefined(a, b) : equalBuilt(a, b);
}

type DefinedValue = FunctionValue | ClassValue | SuperValue | InstanceValue | VariableValue;

/** Of what a definition stands behind. */
function equalDefined(a: DefinedValue, b: Value): boolean {
  if (a.kind !== b.kind || !('document' in b) || a.document !== b.document || a.definition !== b.definition)
    return false;
  if (a.kind === 'instance') return b.kind === 'instance' && equalLists(a.args, b.args);
  return a.kind !== 'variable' || (b.kind === 'variable' && a.index === b.index);
}

/** Of what is built of other values. */
function equalBuilt(a: Exclude<Value, DefinedValue | ExternalValue | ModuleValue>, b: Value): boolean {
  switch (a.kind) {
    case 'array':
      return b.kind === 'array' && a.as === b.as && equalAll(a.element, b.element);
    case 'map':
      return b.kind === 'map' && equalAll(a.key, b.key) && equalAll(a.value, b.value);
    case 'tuple':
      return b.kind === 'tuple' && equalLists(a.elements, b.elements);
    case 'callable':
      return b.kind === 'callable' && equalLists(a.parameters, b.parameters) && equalAll(a.returns, b.returns);
    case 'container_method':
      return b.kind === 'container_method' && a.name === b.name && equal(a.container, b.container);
  }
}

function equalNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((number, index) => number === b[index]);
}

function equalAll(a: Values, b: Values): boolean {
  return a === b || (a.length === b.length && a.every((value, index) => equal(value, b[index] ?? value)));
}

function equalLists(a: readonly Values[], b: readonly Values[]): boolean {
  return a === b || (a.length === b.length && a.every((values, index) => equalAll(values, b[index] ?? unknown)));
}

/** From a class to its instances, from an alias to what it stands for. */
export function asTypes(values: Values): Values {
  return unite(
    values.map((value): Values =>
      value.kind === 'class' || value.kind === 'function' ? [{ ...value, kind: 'instance', args: [] }] : [value],
    ),
  );
}

/** Type parameters are still in it. */
export function isOpen(value: Value, level = 0): boolean {
  if (level > 4) return false;
  const inside = (values: Values) => values.some((one) => isOpen(one, level + 1));
  switch (value.kind) {
    case 'variable':
      return true;
    case 'instance':
    case 'external':
      return value.args.some(inside);
    case 'array':
      return inside(value.element);
    case 'map':
      return inside(value.key) || inside(value.value);
    case 'tuple':
      return value.elements.some(inside);
    case 'callable':
      return value.parameters.some(inside) || inside(value.returns);
    default:
      return false;
  }
}
