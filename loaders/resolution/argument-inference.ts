import { LRUCache } from 'lru-cache';
import type { Definition, Parameter } from '../facts/fact.ts';
import { type CallSite, callsByName, createCallSites, maxSites } from './call-sites.ts';
import { type DefinitionRef, sameDefinition } from './definition-ref.ts';
import type { Document } from './documents.ts';
import type { Engine } from './engine.ts';
import { unite, unknown, type Value, type Values } from './value.ts';

type Around = Pick<Engine, 'documents' | 'memory' | 'trace' | 'classes' | 'ancestors' | 'expressions'>;

/**
 * What the calls of a function pass for a parameter: how a parameter without a type learns what it can be. Only calls by the
 * function's or class's own name are looked for.
 */
export class ArgumentInference {
  readonly #engine: Around;
  readonly #sites = createCallSites();
  /** Of the documents that were asked last: a function's parameters are, one by one. */
  readonly #calls = new LRUCache<number, Map<string, CallSite[]>>({ max: 64 });
  /** Families of languages in which arguments tell parameters. */
  readonly #families: ReadonlySet<string>;

  constructor(engine: Around) {
    this.#engine = engine;
    const telling = engine.documents.list.filter(({ semantics }) => semantics.argumentsTellParameters);
    this.#families = new Set(telling.map(({ family }) => family));
  }

  /** Its calls are looked at from now on. */
  add({ family, facts }: Document, document: number): void {
    if (!this.#families.has(family)) return;
    for (const [name, own] of callsByName(facts, document))
      for (const site of own) this.#sites.add(`${family} ${name}`, site);
  }

  /** What is passed for the parameter at this index. */
  passed(document: number, definition: number, index: number): Values {
    const { cycles, passedArguments } = this.#engine.memory;
    return cycles.remember(passedArguments, `${document} ${definition} ${index}`, unknown, () =>
      this.#find(document, definition, index),
    );
  }

  #find(document: number, definition: number, index: number): Values {
    const { documents, trace, expressions } = this.#engine;
    const { facts } = documents.at(document);
    const own = facts.definitions[definition];
    const parameter = own?.parameters[index];
    if (!own || !parameter || own.name === '') return unknown;
    const owner = own.kind === 'constructor' ? facts.definitions[own.owner]?.name : undefined;
    const candidates = [...(owner === undefined ? [] : [owner]), own.name].flatMap((name) =>
      this.#nearest(document, name),
    );
    const results: Values[] = [];
    for (const site of candidates) {
      const call = documents.at(site.document).facts.calls[site.call];
      if (!call) continue;
      const shift = this.#shift(expressions.evaluate(site.document, call.callee), document, definition, own);
      if (shift === null) continue;
      trace?.passed(parameter.name, site.document, call);
      const given = call.named?.find(({ name }) => name === parameter.name)?.value;
      for (const arg of given ? [given] : argumentsFor(parameter, call.args, index + shift))
        results.push(expressions.evaluate(site.document, arg));
    }
    return unite(results);
  }

  /** What is assigned to a member of objects of this class, or of the class, where the receiver is known. */
  assigned(document: number, definition: number, name: string): Values {
    const { documents, expressions } = this.#engine;
    const results: Values[] = [];
    for (const site of this.#nearest(document, name)) {
      const { callee, args } = documents.at(site.document).facts.calls[site.call] ?? {};
      const [given] = args ?? [];
      if (!given || callee?.kind !== 'member' || callee.object.kind === 'self') continue;
      const receivers = expressions.evaluate(site.document, callee.object);
      if (receivers.some((one) => this.#isOfClass(one, { document, definition })))
        results.push(expressions.evaluate(site.document, given));
    }
    return unite(results);
  }

  /** Is this an object of the class, of one below or above it, or such a class itself? */
  #isOfClass(value: Value, wanted: DefinitionRef): boolean {
    const { ancestors, classes } = this.#engine;
    if (value.kind !== 'instance' && value.kind !== 'class') return false;
    const own = classes.firstPart(wanted.document, wanted.definition);
    return (
      ancestors.of(value.document, value.definition).list.some((one) => sameDefinition(one, own)) ||
      ancestors.of(own.document, own.definition).list.some((one) => sameDefinition(one, value))
    );
  }

  /** Calls by a name, those in the document first; of each kind in their order. */
  #nearest(document: number, name: string): CallSite[] {
    const { family, facts } = this.#engine.documents.at(document);
    if (!this.#families.has(family)) return [];
    let byName = this.#calls.get(document);
    if (!byName) this.#calls.set(document, (byName = callsByName(facts, document)));
    const elsewhere = this.#sites
      .of(`${family} ${name}`)
      .filter((site) => site.document !== document)
      .slice(0, maxSites);
    return [...(byName.get(name) ?? []), ...elsewhere].slice(0, maxSites);
  }

  /** How many arguments come before the first parameter; null where the call is of something else. */
  #shift(values: Values, document: number, definition: number, own: Definition): number | null {
    const { ancestors } = this.#engine;
    for (const value of values) {
      const called = value.kind === 'class' ? ancestors.constructorOf(value) : value.kind === 'function' ? value : null;
      if (!called) continue;
      if (!sameDefinition(called, { document, definition }) && !this.#isInPlaceOf({ document, definition }, called))
        continue;
      return value.kind === 'function' && value.self?.kind === 'class' && !own.isStatic ? 1 : 0;
    }
    return null;
  }

  /** A method is called, too, where one is that it has the place of in a class below. */
  #isInPlaceOf(below: DefinitionRef, called: DefinitionRef): boolean {
    const { documents, ancestors } = this.#engine;
    if (!documents.at(below.document).semantics.selfMayBeBelow) return false;
    const own = documents.definition(below.document, below.definition);
    const above = documents.definition(called.document, called.definition);
    if (own.kind !== 'method' || own.name !== above.name || own.owner < 0 || own.isStatic !== above.isStatic)
      return false;
    const owner = { document: called.document, definition: above.owner };
    return ancestors.of(below.document, own.owner).list.some((one) => sameDefinition(one, owner));
  }
}

/** The arguments that a parameter takes: one, or all from there on. */
function argumentsFor<Argument>(parameter: Parameter, args: readonly Argument[], start: number): readonly Argument[] {
  return parameter.rest ? args.slice(start) : args.slice(start, start + 1);
}
