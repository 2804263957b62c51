import type { Expr } from '../facts/fact.ts';
import type { ContainerMember } from '../languages/language.ts';
import type { Engine } from './engine.ts';
import { beyond, type ExternalValue, type InstanceValue, unite, unknown, type Value, type Values } from './value.ts';

type Around = Pick<
  Engine,
  'documents' | 'members' | 'generics' | 'types' | 'calls' | 'contextualTypes' | 'expressions'
>;

/** Arrays, maps, tuples and what acts like them: elements, iteration, and what their own methods give. */
export class Containers {
  readonly #engine: Around;

  constructor(engine: Around) {
    this.#engine = engine;
  }

  /** How the language's own containers answer a method of this name. */
  rule(document: number, container: Value, name: string): ContainerMember | undefined {
    const { semantics } = this.#engine.documents.at(document);
    return (container.kind === 'map' ? semantics.mapMembers : semantics.arrayMembers)[name];
  }

  /** What calling a container's own method, or one of the language's functions with it, gives by this rule. */
  given(document: number, container: Value, rule: ContainerMember, args: readonly Expr[]): Values {
    const element = container.kind === 'map' ? container.value : this.elementOf(container, undefined);
    const key = container.kind === 'map' ? container.key : unknown;
    switch (rule.gives) {
      case 'self':
        return [container];
      case 'element':
        return element;
      case 'entry':
        return [{ kind: 'tuple', elements: [key, element] }];
      case 'elements':
        return [{ kind: 'array', element }];
      case 'keys':
        return [{ kind: 'array', element: key }];
      case 'entries':
        return [{ kind: 'array', element: [{ kind: 'tuple', elements: [key, element] }] }];
      case 'mapped':
        return [{ kind: 'array', element: this.#mapped(document, args) }];
      case 'unknown':
        return unknown;
    }
  }

  /** An element, where `index` says which from 0; of a tuple without it any. */
  elementOf(value: Value, index: number | undefined): Values {
    switch (value.kind) {
      case 'array':
        return value.element;
      case 'map':
        return value.value;
      case 'tuple':
        return index === undefined ? unite(value.elements) : (value.elements[index] ?? unknown);
      case 'external':
        // One of several results of a function outside is from outside too; the first is the one that is named by the function.
        return (
          value.args.at(-1) ??
          (index === undefined ? unknown : [index === 0 ? value : { kind: 'external', name: value.name, args: [] }])
        );
      case 'variable':
        return unite(this.#engine.generics.boundOf(value).map((one) => this.elementOf(one, index)));
      case 'instance':
        return this.#indexed(value, index);
      // `make[User]`: the function itself, for one type.
      case 'function':
      case 'class':
        return [value];
      default:
        return unknown;
    }
  }

  /** The same of what lies outside: what it holds is known where it is from. */
  elementOutside(document: number, value: ExternalValue, index: number | undefined): Values {
    const elements = this.elementOf(value, index);
    const { elementsFromOutside } = this.#engine.documents.at(document).semantics;
    if (elements.length > 0 || !elementsFromOutside || (value.origins ?? []).length === 0) return elements;
    return [beyond(value, `${value.name}[]`, '[]')];
  }

  /** What iterating gives: `for (const x of xs)`. */
  iterate(document: number, value: Value): Values {
    const { documents, types, members } = this.#engine;
    const { semantics } = documents.at(document);
    if (value.kind === 'map')
      return semantics.mapIteration === 'entries' ? [{ kind: 'tuple', elements: [value.key, value.value] }] : value.key;
    if (value.kind === 'external') return this.elementOutside(document, value, undefined);
    if (value.kind !== 'instance') return this.elementOf(value, undefined);
    for (const name of semantics.iterationMembers) {
      const methods = members.of(document, value, name).filter((one) => one.kind === 'function');
      if (methods.length === 0) continue;
      const handed = unite(methods.map((one) => this.#handed(document, one)));
      if (handed.length > 0) return handed;
      return unite(
        methods
          .flatMap((one) => this.#called(document, one))
          .map((one) => (one.kind === 'instance' ? this.#next(document, one) : this.elementOf(one, undefined))),
      );
    }
    return types.ofMeanings(value, (one) => this.iterate(document, one));
  }

  /** What waiting for a value gives. */
  awaited(value: Value): Values {
    if (value.kind === 'external' && value.args.length > 0) return value.args.at(-1) ?? unknown;
    return [value];
  }

  /** What the callback among the arguments gives. */
  #mapped(document: number, args: readonly Expr[]): Values {
    const { expressions } = this.#engine;
    const callback = args.find((arg) => expressions.evaluate(document, arg).some((one) => one.kind === 'function'));
    if (!callback) return unknown;
    return unite(expressions.evaluate(document, callback).map((one) => this.#called(document, one)));
  }

  #indexed(value: InstanceValue, index: number | undefined): Values {
    const { documents, types, members } = this.#engine;
    const meaning = types.meaningOf(value);
    const { indexMember: name, indexType } = documents.at(value.document).semantics;
    if (meaning.length === 0 && indexType !== undefined)
      return members.find(value.document, value, indexType, true) ?? unknown;
    if (meaning.length > 0 || name === undefined) return types.ofMeanings(value, (one) => this.elementOf(one, index));
    const methods = members.of(value.document, value, name).filter(({ kind }) => kind === 'function');
    return unite(methods.map((one) => this.#called(value.document, one)));
  }

  /** What a method hands the block that it takes. */
  #handed(document: number, value: Value): Values {
    const block = this.#engine.contextualTypes.parameter(document, value, 0, { args: [], for: 'last' });
    return unite(block.map((one) => (one.kind === 'callable' ? (one.parameters[0] ?? unknown) : unknown)));
  }

  #next(document: number, iterator: InstanceValue): Values {
    const name = this.#engine.documents.at(document).semantics.nextMember;
    if (name === undefined) return unknown;
    return unite(this.#engine.members.of(document, iterator, name).map((one) => this.#called(document, one)));
  }

  #called(document: number, value: Value): Values {
    return this.#engine.calls.ofValue(document, value, [], [], false);
  }
}
