import type { ArgumentFor, Call, Expr, Parameter } from '../facts/fact.ts';
import type { Engine } from './engine.ts';
import {
  type ClassValue,
  type ExternalValue,
  type FunctionValue,
  type InstanceValue,
  isOpen,
  unite,
  unknown,
  type Value,
  type Values,
} from './value.ts';

/** What a call says beside its callee. */
type CallSite = Pick<Call, 'args' | 'types' | 'expected'> & { for?: ArgumentFor | undefined };

type Around = Pick<
  Engine,
  | 'documents'
  | 'trace'
  | 'ancestors'
  | 'members'
  | 'generics'
  | 'types'
  | 'containers'
  | 'calls'
  | 'overloads'
  | 'signatures'
  | 'argumentInference'
  | 'extensions'
  | 'expressions'
>;

/** What the place of an expression says of it: how an unannotated callback learns its parameters' types. */
export class ContextualTypes {
  readonly #engine: Around;

  constructor(engine: Around) {
    this.#engine = engine;
  }

  /** What the callee of a call expects as its argument of this index, or for the parameter that is named. */
  argument(document: number, call: Call | undefined, index: number, wanted?: ArgumentFor): Values {
    if (!call) return unknown;
    const site = wanted === undefined ? call : { ...call, for: wanted };
    return unite(
      this.#engine.expressions
        .evaluate(document, call.callee)
        .map((value) => this.parameter(document, value, index, site)),
    );
  }

  /** What a callee takes at this index, -1 for `this`; `site`: the value is called there, null: it is itself the function asked. */
  parameter(document: number, value: Value, index: number, site: CallSite | null): Values {
    const { ancestors, generics } = this.#engine;
    switch (value.kind) {
      case 'function':
        return this.#ofFunction(document, value, index, site);
      case 'class':
        return this.#ofClass(document, value, index, site);
      case 'super': {
        const base = ancestors.of(value.document, value.definition).list[1];
        return base ? this.parameter(document, { ...base, kind: 'class' }, index, site) : unknown;
      }
      case 'callable':
        return (index < 0 ? value.self : value.parameters[index]) ?? unknown;
      case 'instance':
        return this.#ofInstance(document, value, index, site);
      case 'variable':
        return unite(generics.boundOf(value).map((one) => this.parameter(document, one, index, site)));
      case 'container_method':
        return this.#callbackOf(document, value.container, value.name);
      case 'external': {
        const inner = value.args.at(-1);
        if (inner && inner.length > 0) return [{ kind: 'callable', parameters: [inner], returns: unknown }];
        return this.#callbackOutside(document, value);
      }
      default:
        return unknown;
    }
  }

  #ofFunction(document: number, asked: FunctionValue, index: number, site: CallSite | null): Values {
    const { documents, generics, types, overloads, signatures, extensions } = this.#engine;
    const { semantics } = documents.at(asked.document);
    const args = site?.args ?? [];
    const value =
      site && semantics.overloads ? overloads.choose(asked, args, document, site.types?.length ?? 0) : asked;
    const chosen = site ? signatures.of(value, args, document) : value.definition;
    if (index < 0) return unknown;
    const signature = { document: value.document, definition: chosen };
    const parameters = extensions.parametersOf(
      signature,
      site !== null && extensions.isStatic({ ...value, ...signature }),
    );
    const parameter = takenBy(parameters, index, site?.for);
    if (!parameter?.type) return site ? unknown : this.#passed(value, index);
    const declared = types.of(value.document, parameter.type);
    const values = parameter.rest && declared[0]?.kind === 'array' ? declared[0].element : declared;
    if (!values.some((one) => isOpen(one))) return values;
    const own = generics.ofCall(
      document,
      signature,
      withoutOne(args, index),
      site?.types ?? [],
      site?.expected ?? null,
      value,
    );
    return generics.substitute(generics.substitute(values, [own]), value.self ? generics.ofMethod(value) : []);
  }

  /** Where nothing is written down, what the function's callers pass. */
  #passed(value: FunctionValue, index: number): Values {
    const { documents, argumentInference } = this.#engine;
    return documents.at(value.document).semantics.argumentsTellParameters
      ? argumentInference.passed(value.document, value.definition, index)
      : unknown;
  }

  #ofClass(document: number, value: ClassValue, index: number, site: CallSite | null): Values {
    const { ancestors, generics, calls } = this.#engine;
    const constructor = ancestors.constructorOf(value);
    if (!constructor) return unknown;
    const values = this.parameter(document, { kind: 'function', ...constructor, self: null }, index, site);
    if (!site || !values.some((one) => isOpen(one))) return values;
    return generics.substitute(values, [
      calls.instance(document, value, withoutOne(site.args, index), site.types ?? []),
    ]);
  }

  #ofInstance(document: number, value: InstanceValue, index: number, site: CallSite | null): Values {
    const { documents, ancestors, members } = this.#engine;
    const method = ancestors.functionalMethod(value);
    if (method) return this.parameter(document, { kind: 'function', ...method, self: value }, index, null);
    const name = documents.at(document).semantics.callMember;
    return name === null
      ? unknown
      : unite(members.of(document, value, name).map((one) => this.parameter(document, one, index, site)));
  }

  /** The same of what may be a container's method outside. */
  #callbackOutside(document: number, { name, origins = [] }: ExternalValue): Values {
    const { elementsFromOutside, arrayMembers } = this.#engine.documents.at(document).semantics;
    const method = name.slice(name.lastIndexOf('.') + 1);
    const callback = Object.hasOwn(arrayMembers, method) ? arrayMembers[method]?.callback : undefined;
    const held = origins.flatMap(({ path, ...origin }) =>
      path.at(-1) === method ? [{ ...origin, path: [...path.slice(0, -1), '[]'] }] : [],
    );
    if (!elementsFromOutside || callback === undefined || held.length === 0) return unknown;
    const element: Values = [
      { kind: 'external', name: `${name.slice(0, -method.length - 1)}[]`, args: [], origins: held },
    ];
    const parameters = Array.from({ length: callback + 1 }, (_, index) => (index === callback ? element : unknown));
    return [{ kind: 'callable', parameters, returns: unknown }];
  }

  /** The function that a container's method takes: one of its parameters is an element. */
  #callbackOf(document: number, container: Value, name: string): Values {
    const { containers } = this.#engine;
    const rule = containers.rule(document, container, name);
    if (rule?.takes) return container.kind === 'map' ? container.value : containers.elementOf(container, undefined);
    const callback = rule?.callback;
    if (callback === undefined) return unknown;
    const parameters: Values[] = [];
    parameters[callback] = container.kind === 'map' ? container.value : containers.elementOf(container, undefined);
    return [{ kind: 'callable', parameters: Array.from(parameters, (one) => one ?? unknown), returns: unknown }];
  }
}

/** The parameter that takes the argument of this index, unless it is for another one. */
function takenBy(
  parameters: readonly Parameter[],
  index: number,
  wanted: ArgumentFor | undefined,
): Parameter | undefined {
  const last = parameters.at(-1);
  if (wanted === 'last') return last;
  const named = wanted && parameters.find(({ name }) => name === wanted.name);
  return named ?? parameters[index] ?? (last?.rest ? last : undefined);
}

/** What is asked for says nothing of itself. */
function withoutOne(args: readonly Expr[], index: number): Expr[] {
  return args.map<Expr>((arg, each) => (each === index ? { kind: 'unknown' } : arg));
}
