import type { Call, Expr, FileFacts } from '../facts/fact.ts';
import type { Semantics } from '../languages/language.ts';
import { namedCaller, nameOf } from './callees.ts';
import { type DefinitionRef, pairKey, sameDefinition } from './definition-ref.ts';
import { isClass } from './documents.ts';
import type { Engine } from './engine.ts';
import type { Namesakes } from './namesakes.ts';
import type { Strategy } from './resolution.ts';
import type { Value, Values } from './value.ts';

/** More methods of one name than these are too many for all of them to be meant. */
const maxMeant = 3;
/** Of more methods of one name it is not looked which of them takes what a call gives: there may be as many calls as methods. */
const maxNamesakes = 100;
/** Of more methods that take what a call gives it is not looked which of them is told. */
const maxLookedAt = 20;
/** Of so many classes below a method's own it is looked what else they understand. */
const maxBelow = 60;

/** What a call is taken for whose receiver nobody knows. */
export interface Guess {
  readonly strategy: Strategy;
  readonly methods: readonly DefinitionRef[];
}

/** What calls on receivers that nobody knows may mean: methods of their name, by what else the call says. */
export class Guesses {
  readonly #engine: Engine;
  readonly #methods: Namesakes;
  /** Of the document that was asked for last: the names of what is called on each variable. */
  #asked: { document: number; byVariable: ReadonlyMap<string, readonly string[]> } | null = null;
  /** Likewise, by class: the members of it and of each class below, by where they are. */
  readonly #membersBelow = new Map<number, readonly (readonly Pick<Set<string>, 'has'>[])[]>();

  constructor(engine: Engine, methods: Namesakes) {
    this.#engine = engine;
    this.#methods = methods;
  }

  /** The methods that a call without targets may mean; `values` is what its callee can be. */
  of(document: number, call: Call, values: Values): Guess | null {
    const { family, semantics } = this.#engine.documents.at(document);
    if (call.isRead || call.callee.kind !== 'member') return null;
    const name = nameOf(call.callee);
    const isBuiltin = semantics.builtins.has(name);
    if (!semantics.namesTellMethods) {
      const declared =
        semantics.traitsTellMethods && !isBuiltin ? this.#ofOneTrait(semantics, family, call, values) : null;
      if (declared) return { strategy: 'only_name', methods: [declared] };
      const methods = values.length > 0 || isBuiltin ? [] : this.#methods.get(family, name, 1);
      return methods.length === 1 ? { strategy: 'unique_name', methods } : null;
    }
    if (!this.#methods.has(family, name) || (isBuiltin && !this.#saysMore(document, call))) return null;
    const named = this.#methods.get(family, name, isBuiltin ? maxLookedAt : maxNamesakes);
    if (named.length === 0 || !values.every((one) => this.#mayBeOurs(semantics, one))) return null;
    const methods = named.filter((one) => this.#mayTake(one, call));
    // Of a known receiver, a method that it has not is guessed without telling.
    if (values.length === 0 && !this.#mayBeAnything(document, call.callee.object))
      return methods.length === 1 && !isBuiltin ? { strategy: 'unique_name', methods } : null;
    return this.#told(document, call, methods, isBuiltin);
  }

  /** The method of the only trait that has the name, where all else of that name implements a trait. */
  #ofOneTrait(semantics: Semantics, family: string, { callee, args }: Call, values: Values): DefinitionRef | null {
    const { documents } = this.#engine;
    const name = nameOf(callee);
    // What is imported from elsewhere has methods of its own.
    const mayBe = (one: Value) =>
      one.kind === 'external'
        ? (one.origins ?? []).every(({ module }) => module === '')
        : this.#mayBeOurs(semantics, one);
    if (!values.every(mayBe)) return null;
    const declared: DefinitionRef[] = [];
    for (const method of this.#methods.get(family, name, maxNamesakes)) {
      const { owner, extension, isStatic } = documents.definition(method.document, method.definition);
      const around = owner < 0 ? null : documents.definition(method.document, owner);
      if (around?.kind === 'interface') declared.push(method);
      else if (!extension) return null;
      if (isStatic) return null;
    }
    const [only] = declared;
    if (!only || declared.length > 1) return null;
    return documents.definition(only.document, only.definition).parameters.length === args.length ? only : null;
  }

  /** Those of the methods that the call tells, by their number and by what else is called on the receiver. */
  #told(document: number, call: Call, methods: readonly DefinitionRef[], isBuiltin: boolean): Guess | null {
    const { family } = this.#engine.documents.at(document);
    const mayBeHeld = call.args.length === 0 && this.#methods.isHeld(family, nameOf(call.callee));
    const isSure = !isBuiltin && !mayBeHeld;
    if (methods.length === 0 || methods.length > maxLookedAt) return null;
    if (methods.length === 1 && isSure) return { strategy: 'only_name', methods };
    const likely = this.#likely(document, call, methods);
    if (likely?.length === 1) return { strategy: 'told_name', methods: likely };
    const meant = likely ?? methods;
    if (!isSure || meant.length > maxMeant || !this.#isFamily(meant)) return null;
    return { strategy: 'family_name', methods: meant };
  }

  /** Whether anything else is known of the receiver: what is called on it, or that it has a class's name. */
  #saysMore(document: number, { callee, caller }: Call): boolean {
    if (callee.kind !== 'member') return false;
    const { facts, semantics, family } = this.#engine.documents.at(document);
    if (this.#methods.isClass(family, wordOf(facts, callee.object))) return true;
    const variable = variableOf(facts, semantics, caller, callee.object);
    return variable !== null && this.#calledOn(document, variable).length > 0;
  }

  /** Those whose classes understand what else is called on the receiver, or else have its name; null where neither tells. */
  #likely(document: number, call: Call, methods: readonly DefinitionRef[]): readonly DefinitionRef[] | null {
    const { facts, semantics, family } = this.#engine.documents.at(document);
    if (call.callee.kind !== 'member') return null;
    const { object, name } = call.callee;
    const variable = variableOf(facts, semantics, call.caller, object);
    const others = variable === null ? [] : this.#calledOn(document, variable).filter((one) => one !== name);
    const knowing = others.length > 0 ? methods.filter((one) => this.#understands(one, others)) : [];
    if (knowing.length > 0) return knowing;
    const word = wordOf(facts, object);
    if (!this.#methods.isClass(family, word)) return null;
    const named = methods.filter((one) => this.#isNamed(one, word));
    // Where a class of another name above has the method, the word is no class's.
    const isTold = named.every((one) => !methods.some((other) => !named.includes(other) && this.#isAbove(other, one)));
    return named.length > 0 && isTold ? named : null;
  }

  /** Has the class of this method, or one below it, methods of all these names? */
  #understands({ document, definition }: DefinitionRef, names: readonly string[]): boolean {
    const { owner } = this.#engine.documents.definition(document, definition);
    if (owner < 0) return false;
    return this.#below(document, owner).some((all) => names.every((name) => all.some((members) => members.has(name))));
  }

  #below(document: number, definition: number): readonly (readonly Pick<Set<string>, 'has'>[])[] {
    const { classes, ancestors } = this.#engine;
    const first = classes.firstPart(document, definition);
    const key = pairKey(first.document, first.definition);
    const known = this.#membersBelow.get(key);
    if (known) return known;
    const all = new Map([[key, first]]);
    for (const one of all.values())
      for (const below of classes.below(one)) {
        if (all.size >= maxBelow) break;
        all.set(pairKey(below.document, below.definition), below);
      }
    const found = [...all.values()].map((one) =>
      ancestors.of(one.document, one.definition).list.map((each) => classes.members(each.document, each.definition)),
    );
    this.#membersBelow.set(key, found);
    return found;
  }

  /** Is this the name of the method's class, or of one above it, in small letters? */
  #isNamed({ document, definition }: DefinitionRef, word: string): boolean {
    const { documents, ancestors } = this.#engine;
    const { owner } = documents.definition(document, definition);
    return (
      owner >= 0 &&
      ancestors
        .of(document, owner)
        .list.some((one) => documents.definition(one.document, one.definition).name.toLowerCase() === word)
    );
  }

  /** Is the class of the first method above that of the second? */
  #isAbove(above: DefinitionRef, { document, definition }: DefinitionRef): boolean {
    const { documents, classes, ancestors } = this.#engine;
    const [upper, lower] = [
      documents.definition(above.document, above.definition).owner,
      documents.definition(document, definition).owner,
    ];
    if (upper < 0 || lower < 0) return false;
    const whole = classes.firstPart(above.document, upper);
    return ancestors.of(document, lower).list.some((one) => sameDefinition(one, whole));
  }

  /** The names of what is called on a variable, those that something here has and the language's own classes have not. */
  #calledOn(document: number, variable: string): readonly string[] {
    const { facts, semantics, family } = this.#engine.documents.at(document);
    if (this.#asked?.document !== document) {
      const byVariable = new Map<string, string[]>();
      const ours = new Map<string, boolean>();
      const isOurs = (name: string) =>
        !semantics.builtins.has(name) && (this.#methods.has(family, name) || this.#methods.isHeld(family, name));
      for (const { callee, caller, isNew } of facts.calls) {
        if (isNew || callee.kind !== 'member') continue;
        const known = ours.get(callee.name) ?? isOurs(callee.name);
        ours.set(callee.name, known);
        if (!known) continue;
        const key = variableOf(facts, semantics, caller, callee.object);
        if (key === null) continue;
        const names = byVariable.get(key);
        if (!names) byVariable.set(key, [callee.name]);
        else if (!names.includes(callee.name)) names.push(callee.name);
      }
      this.#asked = { document, byVariable };
      this.#membersBelow.clear();
    }
    return this.#asked.byVariable.get(variable) ?? [];
  }

  /** What a method from outside gives may be of a class of ours, and what no container understands is not asked of one. */
  #mayBeOurs({ arrayMembers, mapMembers }: Semantics, value: Value): boolean {
    if (value.kind === 'external') return /^[a-z_]\w*[?!]?\(\)/.test(value.name);
    return (
      value.kind === 'container_method' &&
      !Object.hasOwn(arrayMembers, value.name) &&
      !Object.hasOwn(mapMembers, value.name)
    );
  }

  /** A method that takes nothing is given nothing, and one that has to be given something is. */
  #mayTake({ document, definition }: DefinitionRef, { args }: Call): boolean {
    const { parameters } = this.#engine.documents.definition(document, definition);
    return args.length > 0 ? parameters.length > 0 : parameters.every(({ optional }) => optional);
  }

  /** Do all of their classes inherit from one class, or mix one in? */
  #isFamily(methods: readonly DefinitionRef[]): boolean {
    const { documents, ancestors } = this.#engine;
    const [first = [], ...others] = methods.map(({ document, definition }) => {
      const { owner } = documents.definition(document, definition);
      return owner < 0 ? [] : ancestors.of(document, owner).list;
    });
    return first.some((one) => others.every((list) => list.some((other) => sameDefinition(one, other))));
  }

  /** Nothing is known of this receiver: not what it is, or it is a mixin, which nobody knows the classes of. */
  #mayBeAnything(document: number, receiver: Expr): boolean {
    const { documents, expressions, classes } = this.#engine;
    if (receiver.kind === 'super') return false;
    const { classMember } = documents.at(document).semantics;
    const isOwn = receiver.kind === 'self' || (receiver.kind === 'member' && receiver.name === classMember);
    return expressions
      .evaluate(document, receiver)
      .every(
        (one) =>
          isOwn &&
          (one.kind === 'instance' || one.kind === 'class') &&
          documents.definition(one.document, one.definition).isMixin === true &&
          classes.usersOf(one).length === 0,
      );
  }
}

/** Where a receiver is a variable of a function, or one that an object keeps or reads by a name of its own: which one. */
function variableOf(facts: FileFacts, semantics: Semantics, caller: number, receiver: Expr): string | null {
  if (receiver.kind === 'name') return `${namedCaller(facts, caller, semantics)} ${receiver.name}`;
  const kept = receiver.kind === 'result' ? facts.calls[receiver.call]?.callee : receiver;
  if (kept?.kind !== 'member' || kept.object.kind !== 'self') return null;
  let owner = caller;
  while (owner >= 0 && facts.definitions[owner] && !isClass(facts.definitions[owner]!))
    owner = facts.definitions[owner]!.owner;
  return `${owner} @${kept.name.replace(/^@/, '')}`;
}

/** The name that a receiver has, as that of a class in small letters. */
function wordOf(facts: FileFacts, receiver: Expr): string {
  const callee = receiver.kind === 'result' ? facts.calls[receiver.call]?.callee : receiver;
  return callee ? nameOf(callee).replace(/[@_?!]/g, '') : '';
}
