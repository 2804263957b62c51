import type { InsecureCode } from './insecure-code.ts';

/** A function by its name and the line of it. */
export interface FlowFunction {
  name: string;
  line: number;
  /** Other names that its file gives it: `get = _get`. */
  also?: readonly string[];
}

/** Where a value is from, as far as one file can say: a parameter by its place and name, or what a call of this name gives. */
export type FlowFrom =
  | { kind: 'request' }
  | { kind: 'parameter'; of: FlowFunction; index: number; name: string }
  | { kind: 'result'; call: string; line: number };

/**
 * Where it comes to: into what is insecure if a request fills it, into an argument of a call (`as`: what is called had this name before it
 * was given another), or out of a function.
 */
export type FlowTo =
  | { kind: 'sink'; rule: string; line: number; severity: InsecureCode['severity'] }
  | { kind: 'argument'; call: string; as?: string; line: number; argument: number | string }
  | { kind: 'return'; of: FlowFunction };

/** A value's way within one file, which may go on in another. */
export interface Flow {
  from: FlowFrom;
  to: FlowTo;
  /** The lines on the way. */
  steps: readonly number[];
  /** The rules for which it was made harmless on the way. */
  clean?: readonly string[];
}

/** Names that a file gives to what has another one already, each with that. */
export type FlowNames = readonly (readonly [name: string, before: string])[];

/** In place of those that a file has beside so many that are told: anything may have any name. */
export const anyName: FlowNames[number] = ['*', '*'];

/** Those of a file. */
export interface FileFlows {
  path: string;
  flows: readonly Flow[];
  names?: FlowNames;
}

/** What may be left out where a module is named. */
const ending = /\.(?:[cm]?[jt]sx?|pyi?|rb|php|go|rs|java|kts?|cs|scala|swift|lua|exs?|dart|vue)$/;

/** What a module is as a whole, by the name of its file or, of an index, its folder: `/run` of `./lib/run.js`. Null of what names none. */
export function moduleNamed(path: string): string | null {
  const named = path.slice(-200).replace(ending, '');
  const [, name] = /([^/.][^/]{0,99}?)(?:\/index)?\/?$/.exec(named) ?? [];
  return name === undefined ? null : `/${name}`;
}
