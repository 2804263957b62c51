import type { Call, Definition, Expr, Parameter } from '../facts/fact.ts';

/** What a function has to be passed. */
export interface Arity {
  parameters: readonly { name: string; isNeeded: boolean }[];
  /** Any number of arguments more, without a name; with any. */
  takesMore: boolean;
  takesAnyName: boolean;
}

/** What a call passes. */
export interface Passed {
  /** Without a name, by their place. */
  byPlace: number;
  byName: readonly string[];
}

/** A language whose syntax tells how many arguments a function takes, and in which it is an error to pass others. */
interface Counting {
  arityOf(definition: Definition, code: string): Arity | null;
  /** A call passes what stands there, or nobody knows. */
  isKnown(call: Call): boolean;
}

/** A value that may be several. */
const isCall = ({ kind }: Expr) => kind === 'result' || kind === 'call';

const counting: Readonly<Record<string, Counting>> = {
  python: {
    arityOf: ({ parameters }, code) =>
      isDecorated(code) ? null : arity(parameters, ({ optional, rest, ...one }) => optional && !rest && !one.default),
    isKnown: () => true,
  },
  typescript: {
    // What is `void` may be left out.
    arityOf: ({ parameters, signature }) => (/\bvoid\s*[,|)]/.test(signature ?? '') ? null : arity(parameters)),
    isKnown: () => true,
  },
  go: {
    arityOf: ({ parameters }) => arity(parameters),
    // `f(g())` passes all that `g` gives.
    isKnown: ({ args: [first, ...others] }) => !first || others.length > 0 || !isCall(first),
  },
};

/** By the language's id; null where it can't be told: decorated by what may change it, in another language. */
export function arityOf(language: string, definition: Definition, code: string): Arity | null {
  return definition.isProperty ? null : (counting[language]?.arityOf(definition, code) ?? null);
}

/** Null where it can't be told. */
export function passedBy(language: string, call: Call): Passed | null {
  const { args, named = [], spreads, isRead } = call;
  if (spreads || isRead || !counting[language]?.isKnown(call)) return null;
  return { byPlace: args.length, byName: named.map(({ name }) => name) };
}

/** Whether a call may be of such a function, as far as the syntax tells. */
export function fits({ parameters, takesMore, takesAnyName }: Arity, { byPlace, byName }: Passed): boolean {
  if (byPlace > parameters.length && !takesMore) return false;
  const known = new Set(parameters.map(({ name }) => name));
  if (!takesAnyName && byName.some((name) => !known.has(name))) return false;
  return parameters.every(({ name, isNeeded }, at) => !isNeeded || at < byPlace || byName.includes(name));
}

function arity(parameters: readonly Parameter[], takesNames: (parameter: Parameter) => boolean = () => false): Arity {
  return {
    parameters: parameters
      .filter((one) => !one.rest && !takesNames(one))
      .map(({ name, optional, default: initial }) => ({ name, isNeeded: !optional && !initial })),
    takesMore: parameters.some(({ rest }) => rest),
    takesAnyName: parameters.some(takesNames),
  };
}

/** By something that may call it with other arguments than it is called with. */
function isDecorated(code: string): boolean {
  const before = code.replace(/\bdef\b[^]*$/, '');
  return /@(?!\s*(?:(?:abc\s*\.\s*)?abstractmethod|staticmethod|classmethod|(?:typing\s*\.\s*)?(?:override|final))\b)/.test(
    before,
  );
}
