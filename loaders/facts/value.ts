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
  | { readonly kind: 'super'; readonly document: number; readonly definition: number; readonly self: Value }
  | { readonly kind: 'array'; readonly element: Values }
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
}

/** Nothing known. */
export const unknown: Values = [];

/** More possibilities than this say nothing. */
const mostValues = 24;

/** All of these, each once. */
export function unite(lists: readonly Values[]): Values {
  if (lists.length === 1) return lists[0] ?? unknown;
  const filled = lists.filter((values) => values.length > 0);
  if (filled.length < 2) return filled[0] ?? unknown;
  const seen = new Map<string, Value>();
  for (const values of filled) {
    for (const value of values) {
      const key = identity(value);
      if (!seen.has(key)) seen.set(key, value);
    }
  }
  return seen.size > mostValues ? unknown : [...seen.values()];
}

function identity(value: Value): string {
  switch (value.kind) {
    case 'function':
    case 'class':
    case 'super':
      return `${value.kind} ${value.document} ${value.definition}`;
    case 'instance':
      return `instance ${value.document} ${value.definition} ${value.args.map(identities).join(',')}`;
    case 'variable':
      return `variable ${value.document} ${value.definition} ${value.index}`;
    case 'module':
      return `module ${value.documents.join(' ')}`;
    case 'external':
      return `external ${value.name} ${value.args.map(identities).join(',')}`;
    case 'array':
      return `array ${identities(value.element)}`;
    case 'map':
      return `map ${identities(value.key)} ${identities(value.value)}`;
    case 'tuple':
      return `tuple ${value.elements.map(identities).join(',')}`;
    case 'callable':
      return `callable ${value.parameters.map(identities).join(',')} ${identities(value.returns)}`;
    case 'container_method':
      return `method ${value.name} ${identity(value.container)}`;
  }
}

function identities(values: Values): string {
  return values.map(identity).join('|');
}
