import type { Base } from '../facts/fact.ts';
import { type DefinitionRef, sameDefinition } from './definition-ref.ts';
import type { Engine } from './engine.ts';
import { firstOfEach, mergeC3 } from './linearise.ts';
import { type ExternalValue, type ModuleValue, unite, unknown, type Value, type Values } from './value.ts';

/** A base of a class in the order of member look-up; `args` are in terms of the class that was asked for. */
export interface Ancestor extends DefinitionRef {
  readonly args: readonly Values[];
  /** Steps up from the class that was asked for. */
  readonly depth: number;
  /** Instances have none of its members. */
  readonly isOfClass?: true;
}

/** A class, it itself first, and all above it in the order of member look-up. */
export interface Ancestry {
  readonly list: readonly Ancestor[];
  /** Modules whose names are members too: `{ ...module }`. */
  readonly modules: readonly ModuleValue[];
  /** A base lies outside the repository. */
  readonly external: boolean;
  /** Those of them that an import leads to. */
  readonly outside: readonly ExternalValue[];
}

type Around = Pick<Engine, 'documents' | 'memory' | 'classes' | 'expressions' | 'generics' | 'calls'>;

/** What is above a class, and in which order members are looked for there. */
export class Ancestors {
  readonly #engine: Around;

  constructor(engine: Around) {
    this.#engine = engine;
  }

  /** The class and all above it. */
  of(part: number, ofPart: number): Ancestry {
    const { documents, memory, classes } = this.#engine;
    const whole = classes.firstPart(part, ofPart);
    const { document, definition } = whole;
    const key = `${document} ${definition}`;
    const known = memory.ancestors.get(key);
    if (known) return known;
    const owner = documents.definition(document, definition);
    const own: Ancestor = { document, definition, args: [], depth: 0 };
    const apart = classes
      .basesApart(whole)
      .flatMap((other) =>
        documents
          .definition(other.document, other.definition)
          .bases.map((base) => ({ document: other.document, base })),
      );
    const unfinished: Ancestry = { list: [own], modules: [], external: false, outside: [] };
    if (owner.bases.length === 0 && apart.length === 0) return memory.made(memory.alone, owner, () => unfinished);
    return memory.cycles.remember(memory.ancestors, key, unfinished, () =>
      this.#merge(own, [...owner.bases.map((base) => ({ document, base })), ...apart]),
    );
  }

  /** The bases whose constructor `super(…)` is: not the interfaces. */
  superclasses(document: number, definition: number): Values {
    const { documents, expressions } = this.#engine;
    return unite(
      documents
        .definition(document, definition)
        .bases.filter(({ how }) => how === 'extends')
        .map((base) => expressions.evaluate(document, base.expr)),
    );
  }

  /** What each base in a class's head stands for. */
  bases(document: number, definition: number): readonly Values[] {
    const { documents, expressions } = this.#engine;
    // First all ancestors: a name in a class's head is looked up among its inherited members too, and they rest on this.
    this.of(document, definition);
    return documents.definition(document, definition).bases.map(({ expr }) => {
      const values = expressions.evaluate(document, expr);
      // What a call gives is the base where it is a class; an object is at most something that makes one.
      return expr.kind === 'result' || expr.kind === 'call'
        ? unite(values.map((value) => this.#constructed(document, value))).filter(({ kind }) => kind !== 'instance')
        : values;
    });
  }

  /** The method that makes a class's instances, its own or the nearest one inherited. */
  constructorOf({ document, definition }: DefinitionRef): DefinitionRef | null {
    const { documents, classes } = this.#engine;
    for (const ancestor of this.of(document, definition).list) {
      for (const { member, document: place } of [
        ...classes.members(ancestor.document, ancestor.definition).values(),
      ].flat()) {
        if (member.definition >= 0 && documents.definition(place, member.definition).kind === 'constructor')
          return { document: place, definition: member.definition };
      }
    }
    return null;
  }

  /** The one abstract method of an interface, where a function can stand for it. */
  functionalMethod({ document, definition }: DefinitionRef): DefinitionRef | null {
    const { documents } = this.#engine;
    const { semantics } = documents.at(document);
    if (!semantics.functionalInterfaces) return null;
    if (documents.definition(document, definition).kind !== 'interface') return null;
    const known = new Set<string>();
    const methods: DefinitionRef[] = [];
    for (const one of this.of(document, definition).list) {
      for (const member of documents.definition(one.document, one.definition).members) {
        if (member.definition < 0) continue;
        const { name, kind, isAbstract, parameters } = documents.definition(one.document, member.definition);
        const key = `${name} ${parameters.length}`;
        if (kind !== 'method' || semantics.builtins.has(name) || known.has(key)) continue;
        known.add(key);
        if (isAbstract) methods.push({ document: one.document, definition: member.definition });
      }
    }
    return methods.length === 1 ? (methods[0] ?? null) : null;
  }

  #merge(own: Ancestor, bases: readonly { document: number; base: Base }[]): Ancestry {
    const { documents, expressions } = this.#engine;
    let external = false;
    const outside: ExternalValue[] = [];
    const modules: ModuleValue[] = [];
    const lines: Ancestor[][] = [];
    const direct: Ancestor[] = [];
    for (const { document, base } of bases) {
      const values = unite(
        expressions.evaluate(document, base.expr).map((value) => this.#constructed(document, value)),
      );
      if (values.length === 0) external = true;
      for (const value of values) {
        if (value.kind === 'module') {
          modules.push(value);
          continue;
        }
        if (value.kind !== 'class' && value.kind !== 'instance' && value.kind !== 'function') {
          external = true;
          if (value.kind === 'external' && value.origins) outside.push(value);
          continue;
        }
        if (sameDefinition(value, own)) continue;
        const args = value.kind === 'instance' ? value.args : [];
        const above = this.of(value.document, value.definition);
        // What of a library's classes is not listed lies outside; of the class above all others nothing is left out.
        modules.push(...above.modules);
        outside.push(...above.outside);
        external ||= above.external || (documents.at(value.document).library && above.list.length > 1);
        direct.push({ document: value.document, definition: value.definition, args, depth: 1 });
        const line = this.#lineOf(value, args, above.list);
        lines.push(base.isOfClass ? line.map((one) => ({ ...one, isOfClass: true })) : line);
      }
    }
    const { memberOrder } = documents.at(own.document).semantics;
    const merged = memberOrder === 'c3' ? mergeC3([...lines, direct]) : null;
    const flat = lines.flat();
    if (memberOrder === 'breadth_first') flat.sort((a, b) => a.depth - b.depth);
    return { list: [own, ...(merged ?? firstOfEach(flat))], modules, external, outside };
  }

  /** A base and what is above it, in terms of the class whose base it is. */
  #lineOf(base: DefinitionRef, args: readonly Values[], above: readonly Ancestor[]): Ancestor[] {
    const { generics } = this.#engine;
    const own = { document: base.document, definition: base.definition, args };
    return above.map((ancestor, index) => ({
      ...ancestor,
      depth: ancestor.depth + 1,
      args:
        index === 0
          ? args
          : args.length > 0
            ? ancestor.args.map((arg) => generics.substitute(arg, [own]))
            : ancestor.args,
    }));
  }

  /** Of a value whose type says what `new` makes of it, that; of a class the class itself. */
  #constructed(document: number, value: Value): Values {
    const { documents, classes, calls } = this.#engine;
    if (value.kind === 'callable') return value.returns;
    if (value.kind !== 'instance' || documents.definition(value.document, value.definition).kind !== 'interface')
      return [value];
    const made = classes.members(value.document, value.definition).has('new()')
      ? calls.ofValue(document, value, [], [], true)
      : unknown;
    return made.length > 0 ? made : [value];
  }
}
