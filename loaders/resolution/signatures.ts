import type { Expr, Parameter } from '../facts/fact.ts';
import { type DefinitionRef, sameDefinition } from './definition-ref.ts';
import type { Engine } from './engine.ts';
import type { FunctionValue, InstanceValue, Value, Values } from './value.ts';

type Around = Pick<Engine, 'documents' | 'scopes' | 'ancestors' | 'generics' | 'types' | 'overloads' | 'expressions'>;

/** Functions of one name where one has the body and the others only declare how it can be called, as in TypeScript and Python. */
export class Signatures {
  readonly #engine: Around;

  constructor(engine: Around) {
    this.#engine = engine;
  }

  /** The declaration whose types hold for a call with these arguments, by its index in the function's document. */
  of({ document, definition }: DefinitionRef, args: readonly Expr[], callDocument: number): number {
    const { documents } = this.#engine;
    if (documents.at(document).semantics.overloads) return definition;
    const all = this.#siblings(document, definition);
    if (all.length < 2) return definition;
    const declared = all.filter((index) => documents.definition(document, index).isAbstract);
    return this.#best(document, declared.length > 0 ? declared : all, callDocument, args) ?? definition;
  }

  /** The function that a call of this one reaches: the one with the body, or the overload that the arguments choose. */
  reached(value: FunctionValue, callDocument: number, args: readonly Expr[], types = 0): FunctionValue {
    const { documents, overloads } = this.#engine;
    if (documents.at(value.document).semantics.overloads) return overloads.choose(value, args, callDocument, types);
    const implemented = this.implementation(value.document, value.definition);
    const { isAbstract } = documents.definition(value.document, implemented);
    return { ...value, definition: isAbstract ? this.of(value, args, callDocument) : implemented };
  }

  /** The declaration with the body, where this one has none. */
  implementation(document: number, definition: number): number {
    const { documents } = this.#engine;
    if (!documents.definition(document, definition).isAbstract) return definition;
    const withBody = this.#siblings(document, definition).find(
      (index) => !documents.definition(document, index).isAbstract,
    );
    return withBody ?? definition;
  }

  /** The functions of its name in its class, or in its scope. */
  #siblings(document: number, definition: number): readonly number[] {
    const { documents, scopes } = this.#engine;
    const { facts } = documents.at(document);
    const own = documents.definition(document, definition);
    const owner = own.owner >= 0 ? facts.definitions[own.owner] : undefined;
    const inClass = owner?.members.filter((one) => one.name === own.name && one.definition >= 0);
    if (inClass && inClass.length > 0) return inClass.map((one) => one.definition);
    const scope = own.scope >= 0 ? (facts.scopes[own.scope]?.parent ?? 0) : 0;
    const bindings = scopes.table(document, Math.max(scope, 0)).get(own.name) ?? [];
    const found = bindings.map((binding) => binding.definition).filter((index) => index >= 0);
    return found.includes(definition) ? found : [definition];
  }

  /** By number of arguments first, then by what is known of their types; the first of equals. */
  #best(
    document: number,
    candidates: readonly number[],
    callDocument: number,
    args: readonly Expr[],
  ): number | undefined {
    const { documents } = this.#engine;
    const parametersOf = (index: number) => documents.definition(document, index).parameters;
    const fitting = candidates.filter((index) => takes(parametersOf(index), args.length));
    if (fitting.length < 2) return fitting[0];
    let winner = fitting[0];
    let highest = -Infinity;
    for (const index of fitting) {
      const score = this.#score(document, parametersOf(index), callDocument, args);
      if (score > highest) {
        highest = score;
        winner = index;
      }
    }
    return winner;
  }

  #score(document: number, parameters: readonly Parameter[], callDocument: number, args: readonly Expr[]): number {
    const { types, expressions } = this.#engine;
    let score = 0;
    args.forEach((arg, index) => {
      const parameter = parameters[Math.min(index, parameters.length - 1)];
      if (!parameter?.type) return;
      const wanted = types.of(document, parameter.type);
      const inner = parameter.rest && wanted[0]?.kind === 'array' ? wanted[0].element : wanted;
      score += this.#likeness(inner, expressions.evaluate(callDocument, arg));
      if (parameter.rest) score -= 0.5;
    });
    return score;
  }

  /** 2 for the same, 1 for a subclass, 0 where nothing is known, -2 for what can't be. */
  #likeness(wanted: Values, actual: Values): number {
    if (wanted.length === 0 || actual.length === 0) return 0;
    let highest = -2;
    for (const want of wanted) {
      for (const have of actual) highest = Math.max(highest, this.#alike(want, have));
    }
    return highest;
  }

  #alike(want: Value, have: Value): number {
    if (want.kind === 'variable') {
      const bound = this.#engine.generics.boundOf(want);
      return bound.length > 0 ? this.#likeness(bound, [have]) : 0;
    }
    if (have.kind === 'variable' || have.kind === 'module') return 0;
    if (want.kind === 'instance' && have.kind === 'instance') return this.#alikeInstances(want, have);
    if (isCallable(want))
      return isCallable(have) ? 2 : have.kind === 'class' || have.kind === 'container_method' ? 0 : -2;
    if (isCallable(have)) return want.kind === 'instance' || want.kind === 'external' ? 0 : -2;
    if (want.kind === 'external' && have.kind === 'external') return want.name === have.name ? 2 : -1;
    if (want.kind === 'array' && have.kind === 'array') return 1 + this.#likeness(want.element, have.element) / 2;
    if (want.kind === have.kind) return 1;
    return want.kind === 'external' || have.kind === 'external' ? -1 : -2;
  }

  #alikeInstances(want: InstanceValue, have: InstanceValue): number {
    if (sameDefinition(want, have)) return 2;
    const { list, external } = this.#engine.ancestors.of(have.document, have.definition);
    if (list.some((one) => sameDefinition(one, want))) return 1;
    return external ? 0 : -2;
  }
}

const isCallable = ({ kind }: Value): boolean => kind === 'function' || kind === 'callable';

/** Can a function with these parameters be called with so many arguments? */
export function takes(parameters: readonly Parameter[], count: number): boolean {
  const needed = parameters.filter((one) => !one.optional && !one.rest && !one.default).length;
  return count >= needed && (count <= parameters.length || parameters.at(-1)?.rest === true);
}
