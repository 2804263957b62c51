import type { Expr } from '../facts/fact.ts';
import { type DefinitionRef, sameDefinition } from './definition-ref.ts';
import type { Engine } from './engine.ts';
import { type InstanceValue, isOpen, unite, unknown, type Value, type Values } from './value.ts';

/** Types inside types are laid beside each other so far. */
const maxNesting = 3;

type Around = Pick<
  Engine,
  'documents' | 'ancestors' | 'generics' | 'types' | 'containers' | 'calls' | 'expressions' | 'extensions'
>;

/** What is learnt: by index the arguments of this definition's type parameters. */
interface Learning {
  readonly learnt: Values[];
  readonly owner: DefinitionRef;
  readonly nesting: number;
}

/** Learns type arguments by laying what is passed beside what is declared. */
export class Inference {
  readonly #engine: Around;

  constructor(engine: Around) {
    this.#engine = engine;
  }

  /** Lays each argument of a call in `document` beside its parameter; adds what it says of the function's own type parameters to `learnt`. */
  fromArguments(
    signature: DefinitionRef,
    document: number,
    args: readonly Expr[],
    learnt: Values[],
    asFunction = false,
  ): void {
    const { types, expressions, extensions } = this.#engine;
    const parameters = extensions.parametersOf(signature, asFunction);
    args.forEach((arg, index) => {
      const inPlace = parameters[Math.min(index, parameters.length - 1)];
      // What is written behind the parentheses is for the last one.
      const isLast = arg.kind === 'definition' && index === args.length - 1 && inPlace?.type?.kind !== 'function';
      const last = parameters.at(-1);
      const parameter = isLast && last?.type?.kind === 'function' ? last : inPlace;
      if (!parameter?.type) return;
      const declared = types.of(signature.document, parameter.type);
      const inner = parameter.rest && declared[0]?.kind === 'array' ? declared[0].element : declared;
      this.learn(inner, expressions.evaluate(document, arg), learnt, signature);
    });
  }

  /** Lays a value beside a pattern; adds what stands where the pattern has one of `owner`'s type parameters to `learnt`. */
  learn(pattern: Values, actual: Values, learnt: Values[], owner: DefinitionRef): void {
    this.#lay(pattern, actual, { learnt, owner, nesting: 0 });
  }

  #lay(pattern: Values, actual: Values, learning: Learning): void {
    if (learning.nesting > maxNesting || actual.length === 0) return;
    for (const wanted of pattern) {
      if (wanted.kind === 'variable') {
        const { learnt, owner } = learning;
        if (sameDefinition(wanted, owner)) learnt[wanted.index] = unite([learnt[wanted.index] ?? unknown, actual]);
        continue;
      }
      if (!isOpen(wanted)) continue;
      const inside = { ...learning, nesting: learning.nesting + 1 };
      for (const value of actual) this.#laySingle(wanted, value, inside);
    }
  }

  #laySingle(wanted: Value, value: Value, learning: Learning): void {
    const go = (inner: Values | undefined, given: Values | undefined) =>
      this.#lay(inner ?? unknown, given ?? unknown, learning);
    switch (wanted.kind) {
      case 'instance':
        if (value.kind === 'instance') this.#layInstance(wanted, value, learning);
        else if (value.kind === 'class' && this.#isObject(value))
          this.#layInstance(wanted, { ...value, kind: 'instance', args: [] }, learning);
        else if (value.kind === 'function' || value.kind === 'class') this.#layFunction(wanted, value, learning);
        return;
      case 'external':
        if (value.kind === 'external') wanted.args.forEach((inner, index) => go(inner, value.args[index]));
        else go(wanted.args.at(-1), value.kind === 'array' ? value.element : unknown);
        return;
      case 'array':
        return go(wanted.element, this.#elementOf(value, learning.owner.document));
      case 'map':
        if (value.kind !== 'map') return;
        go(wanted.key, value.key);
        return go(wanted.value, value.value);
      case 'tuple':
        if (value.kind === 'tuple') wanted.elements.forEach((inner, index) => go(inner, value.elements[index]));
        return;
      case 'callable':
        return go(wanted.returns, this.#givenBy(value));
      default:
    }
  }

  /** Where a class's name stands for a value, it is the class's one object. */
  #isObject({ document }: DefinitionRef): boolean {
    return this.#engine.documents.at(document).semantics.classNamesAreObjects === true;
  }

  /** The type arguments of a value's class, seen as the class that is wanted. */
  #layInstance(wanted: InstanceValue, value: InstanceValue, learning: Learning): void {
    const { ancestors, generics } = this.#engine;
    const { list } = ancestors.of(value.document, value.definition);
    const ancestor = list.find((one) => sameDefinition(one, wanted));
    if (!ancestor) return;
    const outer = [{ document: value.document, definition: value.definition, args: value.args }];
    const same = sameDefinition(value, wanted);
    wanted.args.forEach((inner, index) =>
      this.#lay(
        inner,
        (same ? value.args[index] : generics.substitute(ancestor.args[index] ?? unknown, outer)) ?? unknown,
        learning,
      ),
    );
  }

  /** A function where an interface with one method is wanted: what it gives, beside what that method gives. */
  #layFunction(wanted: InstanceValue, value: Value, learning: Learning): void {
    const { documents, ancestors, generics, types, calls } = this.#engine;
    if (value.kind !== 'function' && value.kind !== 'class') return;
    const method = ancestors.functionalMethod(wanted);
    const type = method && documents.definition(method.document, method.definition).returnType;
    if (!method || !type) return;
    const pattern = generics.substitute(
      types.of(method.document, type),
      generics.ofMethod({ kind: 'function', ...method, self: wanted }),
    );
    // As seen from the document whose type parameters are learnt.
    this.#lay(pattern, calls.ofValue(learning.owner.document, value, [], [], value.kind === 'class'), learning);
  }

  #elementOf(value: Value, document: number): Values {
    const { containers } = this.#engine;
    const found = containers.elementOf(value, undefined);
    return found.length > 0 || value.kind !== 'instance' ? found : containers.iterate(document, value);
  }

  /** What calling a value gives. */
  #givenBy(value: Value): Values {
    if (value.kind === 'callable') return value.returns;
    if (value.kind === 'function') return this.#engine.calls.ofFunction(value.document, value, [], []);
    return value.kind === 'class' ? [{ ...value, kind: 'instance', args: [] }] : unknown;
  }
}
