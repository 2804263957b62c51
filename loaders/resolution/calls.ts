import type { Call, Definition, Expr, TypeExpr } from '../facts/fact.ts';
import { isClass } from './documents.ts';
import type { DefinitionRef } from './definition-ref.ts';
import type { Engine } from './engine.ts';
import {
  beyond,
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

type Around = Pick<
  Engine,
  | 'documents'
  | 'memory'
  | 'trace'
  | 'ancestors'
  | 'members'
  | 'generics'
  | 'inference'
  | 'types'
  | 'containers'
  | 'overloads'
  | 'signatures'
  | 'names'
  | 'expressions'
>;

/** What calling a value gives. */
export class Calls {
  readonly #engine: Around;

  constructor(engine: Around) {
    this.#engine = engine;
  }

  of(
    document: number,
    { callee, args, types = [], isNew, isRead }: Pick<Call, 'callee' | 'args' | 'isNew' | 'types' | 'isRead'>,
  ): Values {
    const values = this.#engine.expressions.evaluate(document, callee);
    // What holds a value is read, and not called.
    const called = isRead ? values.filter(({ kind }) => kind === 'function') : values;
    const given = unite(called.map((value) => this.ofValue(document, value, args, types, isNew)));
    return given.some(({ kind }) => kind !== 'external') ? given : (this.#ofAny(document, callee) ?? given);
  }

  /** What a method gives that every value has, or one type alone. */
  #ofAny(document: number, callee: Expr): Values | undefined {
    const { resultsOfAny } = this.#engine.documents.at(document).semantics;
    if (!resultsOfAny || callee.kind !== 'member') return undefined;
    const { object, name } = callee;
    const ofType = object.kind === 'name' ? `${object.name.replace(/^String$/, 'string')}.${name}` : name;
    const type = [ofType, name].find((one) => Object.hasOwn(resultsOfAny, one));
    if (type === undefined) return undefined;
    const result = resultsOfAny[type] ?? '';
    const { names, documents } = this.#engine;
    // A class of the repository that has the name is another one.
    const isOwn = (one: Value) => 'document' in one && !documents.at(one.document).library;
    const found = names.lookUp(document, 0, result, 'type');
    return found.some(isOwn) ? [{ kind: 'external', name: result, args: [] }] : found;
  }

  /** What calling this value gives, with arguments and type arguments as `document` writes them. */
  ofValue(document: number, value: Value, args: readonly Expr[], types: readonly TypeExpr[], isNew: boolean): Values {
    const { documents, generics, containers } = this.#engine;
    const { kind } = value;
    const isHeld = kind === 'instance' || kind === 'array' || kind === 'map' || kind === 'tuple';
    if (isHeld && !isNew && args.length === 0 && documents.at(document).semantics.readsByCall) return [value];
    switch (value.kind) {
      case 'class':
        return this.#ofClass(document, value, args, types, isNew);
      case 'array':
      case 'map': {
        const name = this.#engine.documents.at(document).semantics.callMember;
        const rule = name === null ? undefined : containers.rule(document, value, name);
        return rule ? containers.given(document, value, rule, args) : unknown;
      }
      case 'function':
        if (isNew) return [{ kind: 'instance', document: value.document, definition: value.definition, args: [] }];
        return this.ofFunction(document, value, args, types);
      case 'instance':
        return this.#ofInstance(document, value, args, types, isNew);
      case 'callable':
        return value.returns;
      case 'container_method': {
        const rule = containers.rule(document, value.container, value.name);
        return rule ? containers.given(document, value.container, rule, args) : unknown;
      }
      case 'variable':
        return unite(generics.boundOf(value).map((one) => this.ofValue(document, one, args, types, isNew)));
      case 'external':
        return this.#ofExternal(document, value, args, types, isNew);
      default:
        return unknown;
    }
  }

  #ofClass(
    document: number,
    value: ClassValue,
    args: readonly Expr[],
    types: readonly TypeExpr[],
    isNew: boolean,
  ): Values {
    const { documents, members } = this.#engine;
    const { classCallMember } = documents.at(document).semantics;
    if (!isNew && classCallMember !== undefined) {
      const makers = members
        .of(document, value, classCallMember)
        .filter((one) => one.kind === 'function' && members.isCalledByClass(value, one));
      const made = unite(makers.map((maker) => this.ofValue(document, maker, args, types, false)));
      if (made.length > 0) return made;
    }
    return [this.instance(document, value, args, types)];
  }

  /** What `new` makes of a class: its type arguments are given, or learnt from what the constructor takes. */
  instance(document: number, value: ClassValue, args: readonly Expr[], types: readonly TypeExpr[]): InstanceValue {
    const { documents, ancestors, inference, types: typing, expressions } = this.#engine;
    const { typeParameters } = documents.definition(value.document, value.definition);
    const instance: InstanceValue = { ...value, kind: 'instance', args: [] };
    if (typeParameters.length === 0) return instance;
    if (types.length > 0) return { ...instance, args: types.map((type) => typing.of(document, type)) };
    const constructor = ancestors.constructorOf(value);
    if (!constructor) return instance;
    const learnt: Values[] = typeParameters.map(() => unknown);
    const { parameters } = documents.definition(constructor.document, constructor.definition);
    args.forEach((arg, index) => {
      const type = parameters[Math.min(index, parameters.length - 1)]?.type;
      if (!type) return;
      const pattern = typing.of(constructor.document, type);
      inference.learn(pattern, expressions.evaluate(document, arg), learnt, value);
    });
    return learnt.some((values) => values.length > 0) ? { ...instance, args: learnt } : instance;
  }

  /** What a function gives back, its type parameters replaced by what is known of them. */
  ofFunction(document: number, value: FunctionValue, args: readonly Expr[], types: readonly TypeExpr[]): Values {
    const { documents, generics, overloads, signatures, expressions } = this.#engine;
    if (documents.at(value.document).semantics.overloads) value = overloads.choose(value, args, document, types.length);
    const chosen = signatures.of(value, args, document);
    const definition = documents.definition(value.document, chosen);
    // Among the functions that a class is called by may be the class itself.
    if (isClass(definition)) return [this.instance(document, { ...value, kind: 'class' }, args, types)];
    const { returnType } = definition;
    if (returnType?.kind === 'typeof' && returnType.value.kind === 'self' && value.self) return [value.self];
    const signature = { document: value.document, definition: chosen };
    const returned = this.#returned(signature, definition);
    // What a function hands back of its parameters is what this call passed.
    const handed = returnType ? [] : definition.returns.filter((one) => isOwnParameter(one, chosen));
    if (handed.length > 0) {
      const values = handed.map((one) => {
        const arg = args[one.index];
        return arg ? expressions.evaluate(document, arg) : expressions.evaluate(value.document, one);
      });
      return unite([...values, returned]);
    }
    // What a method gives back of itself is the object that it was called on, not its own class's instance.
    const fluent =
      value.self && !returnType && definition.returns.some((one) => one.kind === 'self') ? [value.self] : unknown;
    const results = fluent.length > 0 ? unite([fluent, returned.filter((one) => one.kind !== 'instance')]) : returned;
    if (!results.some((one) => isOpen(one))) return results;
    const outer = value.self ? generics.ofMethod(value) : [];
    return generics.substitute(
      generics.substitute(results, [generics.ofCall(document, signature, args, types, null, value)]),
      outer,
    );
  }

  /** What a function gives back, whatever is passed, to one who waits for it. */
  awaitedResult(value: FunctionValue): Values {
    const { containers } = this.#engine;
    return unite(this.ofFunction(value.document, value, [], []).map((one) => containers.awaited(one)));
  }

  /** What the declaration says, or else the body; in terms of its own type parameters. */
  #returned({ document, definition: chosen }: DefinitionRef, definition: Definition): Values {
    const { memory, types, expressions, trace } = this.#engine;
    return memory.cycles.remember<Definition, Values>(memory.returns, definition, unknown, () => {
      trace?.result(document, definition);
      if (definition.returnType) return types.of(document, definition.returnType);
      const results = unite(
        definition.returns.map((one) => (isOwnParameter(one, chosen) ? unknown : expressions.evaluate(document, one))),
      );
      return definition.isGenerator && results.length > 0 ? [{ kind: 'array', element: results }] : results;
    });
  }

  #ofInstance(
    document: number,
    value: InstanceValue,
    args: readonly Expr[],
    types: readonly TypeExpr[],
    isNew: boolean,
  ): Values {
    const { documents, types: typing, members } = this.#engine;
    const { callMember, classesAreCalled } = documents.at(document).semantics;
    const name = isNew ? 'new()' : callMember;
    if (name === null) return typing.ofMeanings(value, (one) => this.ofValue(document, one, args, types, isNew));
    const called = members.of(document, value, name);
    // What has nothing to be called by is another name of the class.
    if (called.length === 0 && classesAreCalled && !isNew) return [value];
    return unite(called.map((one) => this.ofValue(document, one, args, types, false)));
  }

  #ofExternal(
    document: number,
    value: ExternalValue,
    args: readonly Expr[],
    types: readonly TypeExpr[],
    isNew: boolean,
  ): Values {
    const { documents, types: typing, containers, expressions } = this.#engine;
    const native = documents.at(document).semantics.functions[value.name];
    const [first] = args;
    if (native && first)
      return unite(expressions.evaluate(document, first).map((one) => containers.given(document, one, native, args)));
    const made = isNew ? value : beyond(value, `${value.name}()`, '()');
    return [types.length > 0 ? { ...made, args: types.map((type) => typing.of(document, type)) } : made];
  }
}

function isOwnParameter(expr: Expr, definition: number): expr is Extract<Expr, { kind: 'parameter' }> {
  return expr.kind === 'parameter' && expr.function.kind === 'definition' && expr.function.definition === definition;
}
