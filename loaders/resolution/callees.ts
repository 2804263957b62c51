import type { Call, Expr, FileFacts } from '../facts/fact.ts';
import type { Semantics } from '../languages/language.ts';
import { ofSameBuild } from './builds.ts';
import type { DefinitionRef } from './definition-ref.ts';
import { isFunction } from './documents.ts';
import type { Engine } from './engine.ts';
import type { Strategy } from './resolution.ts';
import type { ClassValue, FunctionValue, InstanceValue, Value, Values } from './value.ts';

/** An instance that is called as a function may give another; so far they are followed. */
const maxInstances = 2;
/** A method that more classes than these have in their own way stands for itself alone. */
const maxOverriding = 8;

type Around = Pick<
  Engine,
  | 'documents'
  | 'calls'
  | 'classes'
  | 'ancestors'
  | 'members'
  | 'names'
  | 'signatures'
  | 'overloads'
  | 'expressions'
  | 'types'
>;

/** The functions and classes that a call reaches, whose callee has these values. */
export function calleesOf(engine: Around, document: number, call: Call, values: Values): readonly DefinitionRef[] {
  const { documents, calls, classes, ancestors, members, names, signatures, overloads, types, expressions } = engine;
  const {
    callMember,
    callMakesInstance,
    newMember,
    oneOfSeveral,
    strictArity,
    classCallMember,
    selfMayBeBelow,
    classesAreCalled,
  } = documents.at(document).semantics;
  const found = new Map<string, DefinitionRef>();
  const add = (one: DefinitionRef) => found.set(`${one.document} ${one.definition}`, one);
  const visit = (value: Value, level: number): void => {
    if (value.kind === 'function') {
      visitFunction(value, level);
    } else if (call.isRead) {
      // Only a method is called by its name alone.
    } else if (value.kind === 'class' && (call.isNew || callMakesInstance)) {
      visitClass(value, level);
    } else if (value.kind === 'super') {
      for (const base of ancestors.superclasses(value.document, value.definition))
        if (isDefined(base)) add({ document: base.document, definition: base.definition });
    } else if (value.kind === 'instance' && level < maxInstances) {
      visitInstance(value, level);
    }
  };
  function visitFunction(value: FunctionValue, level: number): void {
    const made = classesAreCalled && !call.isNew ? classMadeBy(value) : undefined;
    if (made) return visitClass(made, level);
    const reached = signatures.reached(value, document, call.args, call.types?.length ?? 0);
    if (!strictArity && !extendsLibrary(reached)) add(reached);
    else if (overloads.takes(reached, call.args, document)) add(reached);
    // A method that takes nothing is called by its name, and the arguments are for what it gives: `unit(1)`.
    const { parameters } = documents.definition(reached.document, reached.definition);
    if (classCallMember !== undefined && parameters.length === 0 && call.args.length > 0 && level < maxInstances)
      for (const one of calls.ofFunction(document, reached, [], [])) if (one.kind === 'instance') visit(one, level + 1);
  }
  function visitInstance(value: InstanceValue, level: number): void {
    // Where `new` is a message, only classes understand it.
    if (call.isNew && newMember !== undefined) return;
    const name = call.isNew ? 'new()' : callMember;
    const inside = name === null ? [] : members.of(document, value, name);
    for (const inner of inside) visit(inner, level + 1);
    // What has nothing to be called by is another name of the class.
    if (classesAreCalled && inside.length === 0) visitClass({ ...value, kind: 'class' }, level + 1);
  }
  /** What stands in place of a method in classes below the one that calls it; of many nobody knows which are meant. */
  function belowOf(value: Value): readonly DefinitionRef[] {
    if (value.kind !== 'function') return [];
    const { document: place, definition, self } = value;
    const { kind, isStatic, name } = documents.definition(place, definition);
    if (kind !== 'method' || self?.kind !== (isStatic ? 'class' : 'instance')) return [];
    const found = classes.overriding(self, name, isStatic);
    return found.length > maxOverriding ? [] : found;
  }
  /** What `new` gives is of that very class, unless a variable holds it, and `super` lies above. */
  function mayBeBelow(receiver: Expr): boolean {
    const made = receiver.kind === 'result' ? documents.at(document).facts.calls[receiver.call] : undefined;
    return receiver.kind !== 'super' && !(made?.isNew && /^(?:\p{Lu}|$)/u.test(nameOf(made.callee)));
  }
  /** A method that only classes below the receiver's have. */
  function onlyBelow(receiver: Expr, name: string): readonly DefinitionRef[] {
    const found = expressions
      .evaluate(document, receiver)
      .flatMap((one) =>
        one.kind === 'instance' || one.kind === 'class' ? classes.overriding(one, name, one.kind === 'class') : [],
      );
    return found.length > maxOverriding ? [] : found;
  }
  /** The class whose constructor this is. */
  function classMadeBy({ document: place, definition }: FunctionValue): ClassValue | undefined {
    const { kind, owner } = documents.definition(place, definition);
    if (kind !== 'constructor') return undefined;
    const made =
      classes.receiver(place, definition) ?? (owner >= 0 ? { document: place, definition: owner } : undefined);
    return made && { kind: 'class', document: made.document, definition: made.definition };
  }
  function extendsLibrary({ document: place, definition, self }: FunctionValue): boolean {
    const { extension } = documents.definition(place, definition);
    return extension !== undefined && self?.kind === 'instance' && documents.at(self.document).library;
  }
  /** What a class is made by, or the class itself; another name of a class makes that one, which may lie outside. */
  function visitClass(value: ClassValue, level: number): void {
    const { kind, returnType } = documents.definition(value.document, value.definition);
    const meant = kind === 'type' && returnType?.kind === 'reference' ? types.of(value.document, returnType) : [];
    if (meant.length > 0) {
      const inside = level < maxInstances ? meant.filter((one) => one.kind === 'instance') : [];
      for (const one of inside) visitClass({ ...one, kind: 'class' }, level + 1);
      return;
    }
    const maker = call.isNew ? newMember : (classCallMember ?? newMember);
    const own = maker === undefined ? [] : members.of(document, value, maker);
    const functions = own.filter((one) => one.kind === 'function');
    const makers = functions.filter((one) =>
      maker === classCallMember
        ? members.isCalledByClass(value, one)
        : documents.definition(one.document, one.definition).isStatic,
    );
    for (const one of makers) add(signatures.reached(one, document, call.args));
    // An object makes no instances, and nor does a trait: what it is called by lies outside.
    const { kind: ownKind, isSingleton } = documents.definition(value.document, value.definition);
    const isMade = call.isNew || classCallMember === undefined || (!isSingleton && ownKind !== 'interface');
    if (makers.length === 0 && isMade) add({ document: value.document, definition: value.definition });
  }
  for (const value of values) visit(value, 0);
  // A member that can't be called so hides nothing that is further out.
  if (found.size === 0 && strictArity && call.callee.kind === 'name' && values.some(({ kind }) => kind === 'function'))
    for (const value of names.lookUp(document, 0, call.callee.name, 'value'))
      if (value.kind === 'function') visit(value, 0);
  if (selfMayBeBelow && call.callee.kind === 'member' && mayBeBelow(call.callee.object)) {
    const { object, name } = call.callee;
    const below = values.length === 0 ? onlyBelow(object, name) : values.flatMap(belowOf);
    for (const one of below) add(one);
  }
  const all = ofSameBuild(documents, document, call, [...found.values()]);
  if (all.length > 1 && callMakesInstance && strictArity) return overloads.classOrFunction(all, call.args, document);
  return all.length > 1 && oneOfSeveral ? overloads.likeliest(all, call.args, document) : all;
}

/** How a call's callee was found, whose first target lies in `target`. */
export function strategyOf(engine: Around, document: number, { callee }: Call, target: number): Strategy {
  const { facts, semantics } = engine.documents.at(document);
  const hasPackages = semantics.packageScope !== 'none';
  if (callee.kind === 'name') {
    if (target === document) return 'same_file';
    const isImported = facts.imports.some(({ local, name }) => local === callee.name || name.endsWith('**'));
    return isImported ? 'import' : hasPackages ? 'same_package' : 'value';
  }
  // Written out with its namespace or class: `port::Compress()`.
  if (callee.kind === 'union' && callee.first === true && hasPackages)
    return target === document ? 'same_file' : 'same_package';
  if (callee.kind === 'super') return 'super';
  if (callee.kind !== 'member') return 'value';
  if (callee.object.kind === 'self') return 'self';
  if (callee.object.kind === 'super') return 'super';
  const receiver = engine.expressions.evaluate(document, callee.object);
  return receiver.some(({ kind }) => kind === 'module') ? 'import' : 'receiver_type';
}

/** The name that is called; empty where it is none. */
export function nameOf(callee: Expr): string {
  // Where methods have a name space of their own, facts write `name()`.
  return callee.kind === 'name' || callee.kind === 'member' ? callee.name.replace(/\(\)$/, '') : '';
}

/** Does a definition stand behind it that can be called or extended? */
export function isDefined(value: Value): value is Extract<Value, { kind: 'class' | 'instance' | 'function' }> {
  return value.kind === 'class' || value.kind === 'instance' || value.kind === 'function';
}

/** What an anonymous function calls belongs to the nearest named function around it; -1 at the top of a file. */
export function namedCaller(facts: FileFacts, caller: number, { callMakesInstance }: Semantics): number {
  for (let index = caller; index >= 0;) {
    const definition = facts.definitions[index];
    if (!definition) return -1;
    // `new` goes to the class, so what its constructor calls comes from the class; elsewhere the constructor is a method like others.
    if (definition.kind === 'constructor' && definition.owner >= 0 && !callMakesInstance) return definition.owner;
    if (isFunction(definition) && definition.name !== '') return index;
    index = definition.owner;
  }
  return -1;
}
