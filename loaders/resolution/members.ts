import type { Definition } from '../facts/fact.ts';
import type { OpenKind, Semantics } from '../languages/language.ts';
import { type DefinitionRef, sameDefinition } from './definition-ref.ts';
import type { Ancestor } from './ancestors.ts';
import { isClass } from './documents.ts';
import type { Engine } from './engine.ts';
import type { FoundMember } from './classes.ts';
import {
  beyond,
  type ClassValue,
  type ExternalValue,
  type FunctionValue,
  type InstanceValue,
  type ModuleValue,
  type SuperValue,
  unite,
  unknown,
  type Value,
  type Values,
} from './value.ts';

/** A mixin of more classes than these finds nothing in them. */
const maxUsers = 12;
/** A mixin that is mixed into a mixin is followed so far. */
const maxMixins = 2;
/** What stands for another may stand for one that does so, too; so far it is followed. */
const maxTargets = 3;

type Around = Pick<
  Engine,
  | 'documents'
  | 'memory'
  | 'trace'
  | 'classes'
  | 'ancestors'
  | 'generics'
  | 'modules'
  | 'packages'
  | 'types'
  | 'containers'
  | 'calls'
  | 'expressions'
>;

type OpenClasses = Readonly<Record<OpenKind, readonly DefinitionRef[]>>;

/** One object, so that who meets it in a circle knows it. */
const noOpenClasses: OpenClasses = { object: [], class: [], array: [], map: [] };

/** What has members of its own classes: itself, or seen through `super`. */
type Owner = InstanceValue | ClassValue | FunctionValue | SuperValue;

/** What a value has under a name: looked for in its class and the classes above, in a module, in a container. */
export class Members {
  readonly #engine: Around;
  /** How many mixins are being followed into the classes that use them. */
  #mixins = 0;
  /** How many are being followed to what they stand for. */
  #targets = 0;

  constructor(engine: Around) {
    this.#engine = engine;
  }

  /** What a value has under this name, for one who asks from this document. */
  of(document: number, value: Value, name: string): Values {
    return this.find(document, value, name, false) ?? unknown;
  }

  /** Likewise of a member that is called: where a language lets a field have the name of a method, the method. */
  called(document: number, value: Value, name: string): Values {
    if (value.kind === 'instance' || value.kind === 'class' || value.kind === 'super') {
      const method = this.methodOf(value, name);
      if (method) return method;
    }
    return this.of(document, value, name);
  }

  /** The method of this name, where a class has a field of the same name, too. */
  methodOf(value: InstanceValue | ClassValue | SuperValue, name: string): Values | undefined {
    const { documents, classes, ancestors } = this.#engine;
    const { list } = ancestors.of(value.document, value.definition);
    for (const { document, definition } of value.kind === 'super' ? list.slice(1) : list) {
      const all = classes.members(document, definition).get(name);
      if (!all) continue;
      const methods = all.filter((one) => {
        if (one.member.definition < 0) return false;
        const { isProperty } = documents.definition(one.document, one.member.definition);
        return !isProperty;
      });
      if (methods.length === all.length) return undefined;
      if (methods.length > 0) return this.#valuesOf(methods, value.kind === 'super' ? value.self : value);
    }
    return undefined;
  }

  /** The class of this name that a class has, where it has a method of the same name, too. */
  classOf(value: InstanceValue, name: string): Values | undefined {
    const { documents, classes, ancestors } = this.#engine;
    for (const { document, definition } of ancestors.of(value.document, value.definition).list) {
      const found = (classes.members(document, definition).get(name) ?? []).filter(
        (one) => one.member.definition >= 0 && isClass(documents.definition(one.document, one.member.definition)),
      );
      if (found.length > 0) return found.map((one) => classes.valueOf(one.document, one.member.definition));
    }
    return undefined;
  }

  /** The type that a class, or one above it, has another name for; undefined where it has none of this name. */
  aliasOf(value: InstanceValue, name: string): Values | undefined {
    const { classes, ancestors, generics, types } = this.#engine;
    for (const ancestor of ancestors.of(value.document, value.definition).list) {
      const found = classes.members(ancestor.document, ancestor.definition).get(name) ?? [];
      const alias = found.find(({ member }) => member.isAlias);
      if (alias?.member.type)
        return generics.substitute(types.of(alias.document, alias.member.type), generics.ofReceiver(value, ancestor));
    }
    return undefined;
  }

  /** Is this member what a class is called by? An object's may be inherited; of a companion, which nobody inherits, likewise. */
  isCalledByClass(value: ClassValue, { document, definition }: FunctionValue): boolean {
    const { documents } = this.#engine;
    const { isSingleton } = documents.definition(value.document, value.definition);
    const { isStatic, owner } = documents.definition(document, definition);
    if (isSingleton === true) return true;
    if (document === value.document && owner === value.definition) return isStatic;
    return this.#isAboveCompanion(value, { document, definition: owner });
  }

  #isAboveCompanion({ document, definition }: ClassValue, above: DefinitionRef): boolean {
    const { documents, ancestors } = this.#engine;
    const { bases } = documents.definition(document, definition);
    if (!bases.some(({ isOfCompanion }) => isOfCompanion)) return false;
    return ancestors
      .bases(document, definition)
      .some(
        (values, index) =>
          bases[index]?.isOfCompanion &&
          values.some(
            (one) =>
              (one.kind === 'instance' || one.kind === 'class') &&
              ancestors.of(one.document, one.definition).list.some((each) => sameDefinition(each, above)),
          ),
      );
  }

  /** Likewise; undefined when it certainly has nothing of ours. `nameOnly`: asked for by a bare name, which nothing outside answers. */
  find(document: number, value: Value, name: string, nameOnly: boolean): Values | undefined {
    const { documents, classes, modules, generics } = this.#engine;
    switch (value.kind) {
      case 'instance':
        if (name === documents.at(document).semantics.classMember) return [{ ...value, kind: 'class' }];
        return this.#ofClass(document, value, value, name, nameOnly);
      case 'class':
        return this.#ofClass(document, value, value, name, nameOnly);
      case 'super':
        return this.#ofClass(document, value, value.self, name, nameOnly);
      case 'function':
        if (documents.definition(value.document, value.definition).members.length > 0) {
          const found = this.#ofClass(document, value, value, name, nameOnly);
          if (found) return found;
        }
        return [{ kind: 'external', name, args: [] }];
      case 'module':
        return modules.member(value, name) ?? modules.whole(value)?.flatMap((whole) => this.of(document, whole, name));
      case 'variable': {
        const bound = generics.boundOf(value);
        return bound.length > 0 ? unite(bound.map((one) => this.of(document, one, name))) : undefined;
      }
      case 'external': {
        if (documents.at(document).semantics.unwraps?.called.has(name)) return giving(value);
        const whole = `${value.name}.${name}`;
        const own = classes.inOther(documents.at(document).family, whole);
        return [own ?? beyond(value, whole, name)];
      }
      case 'array':
      case 'map':
      case 'tuple': {
        const held = this.#engine.containers.held(document, value, name);
        if (held) return held;
        const added = this.#added(document, value, name);
        return added.length > 0 ? added : [{ kind: 'container_method', container: value, name }];
      }
      case 'callable':
      case 'container_method':
        return [{ kind: 'external', name, args: [] }];
    }
  }

  /** In a class and those above it; of `super` only in those above. `receiver` is what the member is taken from. */
  #ofClass(document: number, owner: Owner, receiver: Value, name: string, nameOnly: boolean): Values | undefined {
    const { documents, classes, ancestors, generics, types, trace } = this.#engine;
    const { list, modules: mixed, external, outside } = ancestors.of(owner.document, owner.definition);
    for (const ancestor of owner.kind === 'super' ? list.slice(1) : list) {
      const all = this.#seenFrom(receiver, ancestor, classes.members(ancestor.document, ancestor.definition).get(name));
      if (!all) continue;
      trace?.member(owner, ancestor, all, name);
      const values = this.#valuesOf(all, receiver);
      if (ancestor.args.length === 0 && !(receiver.kind === 'instance' && receiver.args.length > 0)) return values;
      return generics.substitute(values, generics.ofReceiver(receiver, ancestor));
    }
    const definition = documents.definition(owner.document, owner.definition);
    if (definition.kind === 'type' && definition.returnType) {
      const values = types.of(owner.document, definition.returnType).filter((value) => value.kind !== 'external');
      if (values.length > 0) {
        const found = values.map((value) => this.find(document, value, name, nameOnly));
        return found.every((one) => one === undefined) ? undefined : unite(found.map((one) => one ?? unknown));
      }
    }
    const ofModules = this.#ofModules(owner, mixed, name);
    if (ofModules) return ofModules;
    const ofTarget = receiver.kind === 'instance' ? this.#ofTarget(document, receiver, name) : unknown;
    if (ofTarget.length > 0) return ofTarget;
    const ofUsers = nameOnly ? [] : this.#ofUsers(document, owner, receiver, name);
    if (ofUsers.length > 0 || nameOnly) return ofUsers.length > 0 ? ofUsers : undefined;
    const added = owner.kind === 'super' ? unknown : this.#added(document, receiver, name);
    if (added.length > 0) return added;
    trace?.noMember(owner, name, external);
    const unwrapped = this.#unwrapped(document, receiver, name, external);
    if (unwrapped) return unwrapped;
    return (
      this.#elsewhere(document, definition, name, outside) ??
      (external ? this.#outside(document, receiver, name, outside) : undefined)
    );
  }

  /** What a type that is read as what it holds has of its own; of the language's types no member is listed, but none has one of these. */
  #unwrapped(document: number, receiver: Value, name: string, external: boolean): Values | undefined {
    const { documents } = this.#engine;
    const { unwraps } = documents.at(document).semantics;
    if (!unwraps || receiver.kind !== 'instance') return undefined;
    // Its other parts may lie where nobody looks: they are generated.
    const isPart = documents.definition(receiver.document, receiver.definition).isPart === true;
    if (isPart || (external && !documents.at(receiver.document).library)) return undefined;
    if (unwraps.called.has(name)) return giving(receiver);
    return unwraps.read.has(name) ? [receiver] : undefined;
  }

  /** What is mixed in by way of modules or, of a module in a file, what that hands on of others. */
  #ofModules(owner: DefinitionRef, mixed: readonly ModuleValue[], name: string): Values | undefined {
    for (const module of mixed) {
      const values = this.#engine.modules.member(module, name);
      if (values) return values;
    }
    const handedOn = this.#handedOn(owner, name);
    return handedOn.length > 0 ? handedOn : undefined;
  }

  /** What a module in a file has of those that it hands on whole; these may do so in a circle. */
  #handedOn({ document, definition }: DefinitionRef, name: string): Values {
    const { documents, memory, expressions } = this.#engine;
    const { handsOn: wholes } = documents.definition(document, definition);
    if (!wholes) return unknown;
    return memory.cycles.remember(memory.moduleMembers, `${document}#${definition} ${name}`, unknown, () => {
      const found = wholes.flatMap((whole) =>
        expressions.evaluate(document, whole).map((one) => this.find(document, one, name, true) ?? unknown),
      );
      const inside = found.find((values) => values.some(({ kind }) => kind !== 'external'));
      return inside ?? unite(found);
    });
  }

  /** What a module may have in another repository's part of it, or in what is mixed into it there. */
  #elsewhere(
    document: number,
    { isMixin, qualifiedName }: Definition,
    name: string,
    mixedIn: readonly ExternalValue[],
  ): Values | undefined {
    const { modulesGoOnOutside } = this.#engine.documents.at(document).semantics;
    if (!isMixin || !modulesGoOnOutside || !/^[A-Z]/u.test(name)) return undefined;
    const origins = [{ module: '', path: qualifiedName.split('.') }, ...mixedIn.flatMap((one) => one.origins ?? [])];
    return [beyond({ kind: 'external', name: qualifiedName, args: [], origins }, name, name)];
  }

  /** What a class may have under a name from bases that lie outside. */
  #outside(document: number, receiver: Value, name: string, bases: readonly ExternalValue[]): Values {
    const elements = this.#elementsOf(document, receiver, name);
    if (elements.length > 0)
      return [{ kind: 'container_method', container: { kind: 'array', element: elements }, name }];
    return bases.length > 0 ? bases.map((base) => beyond(base, name, name)) : [{ kind: 'external', name, args: [] }];
  }

  /** What the repository adds to classes of the language itself; what it has at the top of files is added to every object. */
  #added(document: number, receiver: Value, name: string): Values {
    const { documents, classes, packages } = this.#engine;
    const { openClasses } = documents.at(document).semantics;
    const names = openClasses && packages.namesAround(document);
    if (!names) return unknown;
    const { kind } = receiver;
    // What is being found out is asked for again, so that the circle is noted.
    const known = this.#engine.memory.openClasses.get(document);
    const open = known && known !== noOpenClasses ? known : this.#openClasses(document, openClasses);
    const as = kind === 'tuple' ? 'array' : kind === 'class' || kind === 'array' || kind === 'map' ? kind : 'object';
    for (const one of open[as]) {
      const all = classes.members(one.document, one.definition).get(name);
      if (all) return this.#valuesOf(all, receiver);
    }
    const found = names.has(name) ? packages.member(document, name, 'value') : undefined;
    return found?.filter((value) => value.kind === 'function') ?? unknown;
  }

  /** What a document's package has of classes of the language itself, with all that is mixed into them. */
  #openClasses(document: number, openClasses: NonNullable<Semantics['openClasses']>): OpenClasses {
    const { memory, ancestors, packages } = this.#engine;
    const names = packages.namesAround(document);
    const of = (kind: OpenKind) =>
      openClasses[kind]
        .flatMap((name) => (names?.has(name) ? packages.member(document, name, 'value') : null) ?? unknown)
        .flatMap((one) => (one.kind === 'class' ? ancestors.of(one.document, one.definition).list : []));
    return memory.cycles.remember(memory.openClasses, document, noOpenClasses, () => ({
      object: of('object'),
      class: of('class'),
      array: of('array'),
      map: of('map'),
    }));
  }

  /** Where an instance has no methods of its class, it is asked further up. */
  #seenFrom(
    receiver: Value,
    { isOfClass }: Ancestor,
    all: readonly FoundMember[] | undefined,
  ): readonly FoundMember[] | undefined {
    const { documents } = this.#engine;
    if (receiver.kind !== 'instance' || !all || !documents.at(receiver.document).semantics.classMethodsApart)
      return all;
    if (isOfClass) return undefined;
    const seen = all.filter(
      ({ document, member }) =>
        !member.isStatic ||
        member.definition < 0 ||
        documents.definition(document, member.definition).kind !== 'method',
    );
    return seen.length > 0 ? seen : undefined;
  }

  /** Of a class that can be iterated over and inherits a container's method of this name from outside: its elements. */
  #elementsOf(document: number, receiver: Value, name: string): Values {
    const { openContainers, arrayMembers, iterationMembers } = this.#engine.documents.at(document).semantics;
    if (!openContainers || receiver.kind !== 'instance' || !Object.hasOwn(arrayMembers, name)) return unknown;
    // What iterating asks for would lead here again.
    if (iterationMembers.includes(name)) return unknown;
    return this.#engine.containers.iterate(document, receiver);
  }

  /** What an instance stands for has members that its own class has not. */
  #ofTarget(document: number, receiver: InstanceValue, name: string): Values {
    const { documents, classes, calls } = this.#engine;
    const { derefMember } = documents.at(receiver.document).semantics;
    if (derefMember === undefined || name === derefMember || this.#targets >= maxTargets) return unknown;
    this.#targets++;
    const functions = (classes.members(receiver.document, receiver.definition).get(derefMember) ?? []).flatMap((one) =>
      this.#valueOf(one, receiver).filter((value) => value.kind === 'function'),
    );
    const targets = unite(functions.map((one) => calls.ofFunction(document, one, [], [])));
    const found = targets.map((target) => this.of(document, target, name));
    this.#targets--;
    return unite(found).filter(({ kind }) => kind !== 'external');
  }

  /** What a mixin finds in the classes that it is mixed into; of many, nobody knows which is meant. */
  #ofUsers(document: number, owner: Owner, receiver: Value, name: string): Values {
    const { classes } = this.#engine;
    const users = classes.usersOf(owner);
    if (receiver.kind !== 'instance' || users.length > maxUsers || this.#mixins >= maxMixins) return unknown;
    this.#mixins++;
    const found = users.map((user) => {
      const instance = classes.instanceOf(user.document, user.definition);
      const values = owner.kind === 'super' ? this.#above(owner, instance, name) : this.of(document, instance, name);
      return values.filter(({ kind }) => kind !== 'external');
    });
    this.#mixins--;
    return unite(found);
  }

  /** What `super` in a mixin reaches in a class that it is mixed into: what comes after the mixin there. */
  #above(mixin: SuperValue, user: InstanceValue, name: string): Values {
    const { classes, ancestors } = this.#engine;
    const { list } = ancestors.of(user.document, user.definition);
    const after = list.findIndex((one) => sameDefinition(one, mixin)) + 1;
    for (const { document, definition } of after > 0 ? list.slice(after) : []) {
      const all = classes.members(document, definition).get(name);
      if (all) return this.#valuesOf(all, user);
    }
    return unknown;
  }

  #valuesOf(all: readonly FoundMember[], receiver: Value): Values {
    const { classes } = this.#engine;
    const wanted = all.filter(({ member }) => member.isStatic === (receiver.kind === 'class'));
    const found = wanted.length > 0 ? wanted : all;
    const [first] = found;
    // Which of several declarations is meant is said by the call.
    if (first && this.#isOverloaded(first)) {
      const value = classes.valueOf(first.document, first.member.definition);
      return [value.kind === 'function' ? { ...value, self: receiver } : value];
    }
    return unite(this.#declaring(found).map((one) => this.#valueOf(one, receiver)));
  }

  /** Reading a property is no call of it, so it has no overloads. */
  #isOverloaded({ document, member }: FoundMember): boolean {
    const { documents } = this.#engine;
    if (member.definition < 0 || !documents.at(document).semantics.overloads) return false;
    return !documents.definition(document, member.definition).isProperty;
  }

  /** Of several declarations of one member those that say most: a type that is written down, a body. */
  #declaring(found: readonly FoundMember[]): readonly FoundMember[] {
    const { documents } = this.#engine;
    const withBody = found.filter(
      ({ document, member }) => member.definition < 0 || !documents.definition(document, member.definition).isAbstract,
    );
    const typed = found.filter(({ member }) => member.definition < 0 && member.type);
    const defined = found.filter(({ member }) => member.definition >= 0);
    // Of declarations without a body the first stands for all; the call's arguments choose.
    const declared = defined.length === found.length ? found.slice(0, 1) : found;
    return typed.length > 0 && defined.length === 0 ? typed : withBody.length > 0 ? withBody : declared;
  }

  #valueOf({ document, member }: FoundMember, receiver: Value): Values {
    const { documents, classes, calls, types, expressions } = this.#engine;
    if (member.definition >= 0) {
      const value = classes.valueOf(document, member.definition);
      if (value.kind !== 'function') return [value];
      const method: FunctionValue = { ...value, self: receiver };
      return documents.definition(document, member.definition).isProperty
        ? calls.ofFunction(document, method, [], [])
        : [method];
    }
    if (member.type) return types.of(document, member.type);
    return member.value ? expressions.evaluate(document, member.value) : unknown;
  }
}

/** Something that gives a value when it is called. */
const giving = (value: Value): Values => [{ kind: 'callable', parameters: [], returns: [value] }];
