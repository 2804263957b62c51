import type { Member, TypeExpr } from '../facts/fact.ts';
import { type DefinitionRef, DefinitionLists, pairKey, sameDefinition } from './definition-ref.ts';
import { type Document, isClass, isFunction } from './documents.ts';
import type { Engine } from './engine.ts';
import { packageKey } from './packages.ts';
import type { ClassValue, InstanceValue, Value, Values } from './value.ts';

/** Of a trait's implementations for types from outside, each of which is asked at a call of its methods. */
const maxImplementations = 200;

/** A member, and the document that says so. */
export interface FoundMember {
  document: number;
  member: Member;
}

/** One of the declarations of a class. */
interface Part extends DefinitionRef {
  readonly isExpected: boolean;
  readonly hasBases: boolean;
  readonly isUnlikely: boolean;
}

/**
 * Classes as wholes: one may be declared in several parts (C#'s partial classes, Ruby's reopened ones), have methods that are
 * written apart from it (Go's receivers, Rust's `impl`), and be a mixin of others. What holds for the whole repository is kept by
 * place, so that it outlives the facts it was read from.
 */
export class Classes {
  readonly #engine: Pick<Engine, 'documents' | 'memory' | 'names' | 'types' | 'extensions'>;
  /** By family of languages: the names of all classes. */
  readonly #names = new Set<string>();
  /** By package, name and number of type parameters: the parts of a class, until they are joined. */
  readonly #partsByName = new Map<string, Part[]>();
  /** Of every declaration but the first of one class, the first, which stands for all. */
  readonly #firstParts = new Map<number, DefinitionRef>();
  /** The other declarations of a class. */
  readonly #otherParts = new DefinitionLists();
  /** By family of languages and whole name: classes that are written in one that may lie outside, `class Net::HTTP::Pool`. */
  readonly #inOthers = new Map<string, DefinitionRef>();
  readonly #methodsApart = new DefinitionLists();
  /** Definitions whose bases a class has too: its other declarations, `impl Trait for Class`. */
  readonly #basesApart = new DefinitionLists();
  /** By trait: its implementations for types from outside. */
  readonly #implementations = new Map<number, DefinitionRef[]>();
  /** The classes that a mixin is mixed into. */
  readonly #usersOf = new DefinitionLists();
  /** The classes below a class or a mixin. */
  readonly #below = new DefinitionLists();

  constructor(engine: Pick<Engine, 'documents' | 'memory' | 'names' | 'types' | 'extensions'>) {
    this.#engine = engine;
  }

  /** Whether any class of the repository has this name, in the language's family. */
  isDeclared(document: number, name: string): boolean {
    const own = name.replace(/^.*[.:]|`.*/g, '');
    return this.#names.has(`${this.#engine.documents.at(document).family} ${own}`);
  }

  /** Several declarations of one class have all their members and bases together. */
  addParts(one: Document, document: number): void {
    one.facts.definitions.forEach((part, definition) => {
      if (isClass(part) && !one.library) this.#names.add(`${one.family} ${part.name}`);
      if (!part.isPart) return;
      const key = `${packageKey(one) ?? one.path} ${part.qualifiedName} ${part.typeParameters.length}`;
      const known = this.#partsByName.get(key);
      const { isExpected = false, bases, unlikely = 0 } = part;
      const added = { document, definition, isExpected, hasBases: bases.length > 0, isUnlikely: unlikely > 0 };
      if (known) known.push(added);
      else this.#partsByName.set(key, [added]);
      const inOther = `${one.family} ${part.qualifiedName}`;
      if (part.receiver && isClass(part) && !this.#inOthers.has(inOther)) this.#inOthers.set(inOther, added);
    });
  }

  /** All parts are there: the first of each class that an ordinary build takes stands for all, but for one that waits for the only other. */
  joinParts(): void {
    for (const parts of this.#partsByName.values()) {
      if (parts.length < 2) continue;
      const given = parts.filter(({ isExpected }) => !isExpected);
      const [first] =
        given.length === 1 ? given : parts.toSorted((a, b) => Number(a.isUnlikely) - Number(b.isUnlikely));
      for (const part of parts) {
        if (!first || part === first) continue;
        this.#firstParts.set(pairKey(part.document, part.definition), first);
        this.#otherParts.add(first, part);
        if (part.hasBases) this.#basesApart.add(first, part);
      }
    }
    this.#partsByName.clear();
  }

  /** Methods that are written apart from their class become its members. All parts are there. */
  attachReceivers(document: number): void {
    const { documents, memory, extensions } = this.#engine;
    documents.at(document).facts.definitions.forEach((definition, index) => {
      if (!definition.receiver) return;
      const method = { document, definition: index };
      if (definition.extension === 'parameter') {
        extensions.add(document, index);
        return;
      }
      const owners = this.receivers(document, index).filter((owner) => !documents.at(owner.document).library);
      if (definition.extension && owners.length === 0) extensions.add(document, index);
      if (definition.name === '' && owners.length === 0) this.#extendByTrait(method);
      const [first] = owners;
      // What has a name has its own bases, though it stands in another class.
      if (definition.bases.length > 0 && definition.name === '' && first) this.#basesApart.add(first, method);
      if (definition.name === '') return;
      for (const owner of owners) {
        const known = memory.memberTables.get(documents.definition(owner.document, owner.definition));
        if (known) this.#addMethodApart(known, owner.document, method);
        this.#methodsApart.add(owner, method);
      }
    });
  }

  /** A trait that is implemented for a type from outside gives it all its methods. */
  #extendByTrait(implementation: DefinitionRef): void {
    const { documents, types, extensions } = this.#engine;
    const { document, definition } = implementation;
    const [base] = documents.definition(document, definition).bases;
    if (base?.expr.kind !== 'typed') return;
    for (const trait of types.of(document, base.expr.type)) {
      if (trait.kind !== 'instance') continue;
      const key = pairKey(trait.document, trait.definition);
      const known = this.#implementations.get(key);
      if (known) {
        if (known.length < maxImplementations) known.push(implementation);
        continue;
      }
      const all = [implementation];
      this.#implementations.set(key, all);
      for (const { definition: method } of documents.definition(trait.document, trait.definition).members) {
        if (method < 0) continue;
        const { isAbstract, isStatic } = documents.definition(trait.document, method);
        if (!isAbstract && !isStatic) extensions.add(trait.document, method, all);
      }
    }
  }

  addUser(mixin: DefinitionRef, user: DefinitionRef): void {
    this.#usersOf.add(mixin, this.firstPart(user.document, user.definition));
  }

  addBelow(above: DefinitionRef, { document, definition }: DefinitionRef): void {
    const known = this.#below.of(above.document, above.definition);
    const below = this.firstPart(document, definition);
    if (!known.some((one) => sameDefinition(one, below))) this.#below.add(above, below);
  }

  /** The classes below a class or a mixin, one step. */
  below({ document, definition }: DefinitionRef): readonly DefinitionRef[] {
    return this.#below.of(document, definition);
  }

  /** The methods that classes below have in place of the one of this name: objects' own, or classes'. */
  overriding(owner: DefinitionRef, name: string, ofClass: boolean): readonly DefinitionRef[] {
    const { documents } = this.#engine;
    return this.below(owner)
      .flatMap((one) => this.members(one.document, one.definition).get(name) ?? [])
      .filter(({ member, document }) => {
        if (member.definition < 0 || member.isStatic !== ofClass) return false;
        return documents.definition(document, member.definition).kind === 'method';
      })
      .map(({ document, member }) => ({ document, definition: member.definition }));
  }

  /** The class of this whole name that is written in one outside. */
  inOther(family: string, name: string): ClassValue | undefined {
    const found = this.#inOthers.get(`${family} ${name}`);
    return found && { kind: 'class', ...this.firstPart(found.document, found.definition) };
  }

  /** The classes that a mixin is mixed into. */
  usersOf({ document, definition }: DefinitionRef): readonly DefinitionRef[] {
    return this.#usersOf.of(document, definition);
  }

  /** Where a class's bases stand that are not in its own head. */
  basesApart({ document, definition }: DefinitionRef): readonly DefinitionRef[] {
    return this.#basesApart.of(document, definition);
  }

  /** The declaration that stands for all of one class. */
  firstPart(document: number, definition: number): DefinitionRef {
    return this.#firstParts.get(pairKey(document, definition)) ?? { document, definition };
  }

  /** A class's own members by name: of all its parts, and those written apart from it. */
  members(document: number, definition: number): ReadonlyMap<string, readonly FoundMember[]> {
    const { documents, memory } = this.#engine;
    const key = documents.definition(document, definition);
    const known = memory.memberTables.get(key);
    if (known) return known;
    const own = key.members.map((member) => ({ document, member }));
    const parts = this.#otherParts
      .of(document, definition)
      .flatMap((part) =>
        documents
          .definition(part.document, part.definition)
          .members.map((member) => ({ document: part.document, member })),
      );
    const table = Map.groupBy<string, FoundMember>([...own, ...parts], ({ member }) => member.name);
    for (const method of this.#methodsApart.of(document, definition)) this.#addMethodApart(table, document, method);
    memory.memberTables.set(key, table);
    return table;
  }

  #addMethodApart(table: Map<string, FoundMember[]>, document: number, method: DefinitionRef): void {
    const { documents } = this.#engine;
    const { name, isStatic } = documents.definition(method.document, method.definition);
    const member: Member = { name, definition: method.definition, value: null, type: null, isStatic };
    const all = [...(table.get(name) ?? []), { document: method.document, member }];
    table.set(name, documents.ofUsualBuild(document, all));
  }

  /** The class that a method belongs to which is written apart from it; undefined for any other definition. */
  receiver(document: number, definition: number): InstanceValue | undefined {
    return this.receivers(document, definition)[0];
  }

  /** All that its receiver's type may name. */
  receivers(document: number, definition: number): InstanceValue[] {
    const { receiver } = this.#engine.documents.definition(document, definition);
    return receiver ? this.#receiversBy(document, receiver) : [];
  }

  #receiversBy(document: number, receiver: TypeExpr): InstanceValue[] {
    if (receiver.kind === 'library') {
      // Where what is added is chosen among extensions that are seen, it is no member that hides the others: Kotlin's `Flow<T>.map`.
      if (!this.#engine.documents.at(document).semantics.extensionsAreExact) return [];
      const own = this.isDeclared(document, receiver.own.name) ? this.#receiversBy(document, receiver.own) : [];
      return own.length > 0 ? own : this.#receiversBy(document, receiver.type);
    }
    if (receiver.kind !== 'reference') return [];
    const values = receiver.name.includes('.')
      ? this.#engine.types.of(document, receiver)
      : this.#engine.names.lookUp(document, receiver.scope, receiver.name, 'type');
    return values.filter((value) => value.kind === 'instance');
  }

  /** The definition itself, as a value: the function, the class, the one object of an object literal. */
  valueOf(document: number, definition: number): Value {
    const found = this.#engine.documents.definition(document, definition);
    if (found.kind === 'object') return { kind: 'instance', document, definition, args: [] };
    if (isFunction(found)) return { kind: 'function', document, definition, self: null };
    return { kind: 'class', ...this.firstPart(document, definition) };
  }

  /** The class seen from inside: its type arguments are its own parameters. */
  instanceOf(part: number, ofPart: number): InstanceValue {
    const { document, definition } = this.firstPart(part, ofPart);
    const args = this.#engine.documents
      .definition(document, definition)
      .typeParameters.map<Values>((_, index) => [{ kind: 'variable', document, definition, index }]);
    return { kind: 'instance', document, definition, args };
  }
}
