import type { Expr } from '../facts/fact.ts';
import type { ContainerMember } from '../languages/language.ts';
import type { Engine } from './engine.ts';
import { beyond, type ExternalValue, type InstanceValue, unite, unknown, type Value, type Values } from './value.ts';

type Around = Pick<
  Engine,
  'documents' | 'members' | 'ancestors' | 'generics' | 'types' | 'calls' | 'contextualTypes' | 'expressions'
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
        return [rule.as === undefined || container.kind !== 'array' ? container : arrayOf(container.element, rule)];
      case 'element':
        return element;
      case 'entry':
        return [{ kind: 'tuple', elements: [key, element] }];
      case 'elements':
        return [arrayOf(element, rule)];
      case 'keys':
        return [{ kind: 'array', element: key }];
      case 'entries':
        return [{ kind: 'array', element: [{ kind: 'tuple', elements: [key, element] }] }];
      case 'mapped':
        return [arrayOf(this.#mapped(document, args), rule)];
      case 'unknown':
        return unknown;
    }
  }

  /** What a container has under a name without being called; undefined where that is nothing. */
  held(document: number, container: Value, name: string): Values | undefined {
    const { held } = this.#engine.documents.at(document).semantics;
    if (!held) return undefined;
    if (container.kind === 'tuple') {
      const at = Object.hasOwn(held.tuple, name) ? held.tuple[name] : undefined;
      return at === undefined ? undefined : (container.elements[at] ?? unknown);
    }
    if (container.kind !== 'map' && container.kind !== 'array') return undefined;
    const rule = Object.hasOwn(held[container.kind], name) ? held[container.kind][name] : undefined;
    return rule && this.given(document, container, rule, []);
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
    const meant = types.ofMeanings(value, (one) => this.iterate(document, one));
    return meant.length > 0 || !semantics.openContainers ? meant : this.#heldByBases(document, value);
  }

  /** What iterating gives over a class that extends a container of the library: `class Rules : List<Rule>`. */
  #heldByBases(document: number, value: InstanceValue): Values {
    const { ancestors, generics } = this.#engine;
    const { list, external } = ancestors.of(value.document, value.definition);
    for (const ancestor of external ? list : []) {
      const held = unite(
        ancestors
          .bases(ancestor.document, ancestor.definition)
          .flat()
          .map((one) => (one.kind === 'array' || one.kind === 'map' ? this.iterate(document, one) : unknown)),
      );
      if (held.length > 0) return generics.substitute(held, generics.ofReceiver(value, ancestor));
    }
    return unknown;
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
    const found = this.#engine.members.of(document, iterator, name);
    // A property is what it holds.
    return unite(found.map((one) => (one.kind === 'instance' ? [one] : this.#called(document, one))));
  }

  #called(document: number, value: Value): Values {
    return this.#engine.calls.ofValue(document, value, [], [], false);
  }
}

/** What a container's method gives, by what its rule says. */
const arrayOf = (element: Values, { as }: ContainerMember): Value => ({ kind: 'array', element, ...(as && { as }) });
