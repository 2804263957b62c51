import type { Call, Expr, FileFacts } from '../facts/fact.ts';
import type { Semantics } from '../languages/language.ts';
import { calleesOf, nameOf, strategyOf } from './callees.ts';
import type { CompilerAnswers } from './compiler-answers.ts';
import { type DefinitionRef, sameDefinition } from './definition-ref.ts';
import { isFunction } from './documents.ts';
import type { Engine } from './engine.ts';
import type { Findings } from './findings.ts';
import type { Namesakes } from './namesakes.ts';
import { type CallOutcome, confidences, type Strategy } from './resolution.ts';
import { unknown, type Value, type Values } from './value.ts';

/** More methods of one name than these are too many for all of them to be meant. */
const maxFamily = 3;
/** Of more methods of one name it is not looked which of them takes what a call gives: there may be as many calls as methods. */
const maxNamesakes = 100;

/** Says where each call leads, and makes the edges. */
export class CallEdges {
  readonly #engine: Engine;
  readonly #findings: Findings;
  readonly #compiler: CompilerAnswers;
  readonly #methods: Namesakes;

  constructor(engine: Engine, findings: Findings, compiler: CompilerAnswers, methods: Namesakes) {
    this.#engine = engine;
    this.#findings = findings;
    this.#compiler = compiler;
    this.#methods = methods;
  }

  add(document: number, call: Call): CallOutcome {
    const { documents, expressions } = this.#engine;
    const { facts, semantics } = documents.at(document);
    const from = { document, definition: namedCaller(facts, call.caller, semantics) };
    const values = expressions.evaluate(document, call.callee);
    const found = calleesOf(this.#engine, document, call, values);
    const said = this.#compiler.of(document, call.line, nameOf(call.callee), found);
    const targets = said ?? found;
    if (targets.length > 0 && targets.every((to) => documents.at(to.document).library)) {
      this.#engine.trace?.library(targets);
      return 'external';
    }
    if (targets.length > 0) {
      this.#addTargets(from, call, targets, said !== null);
      return 'resolved';
    }
    this.#addOutside(from, call, values);
    if (said) return 'external';
    // A class that is called without making an instance converts a value.
    if (values.some(({ kind }) => kind === 'external' || kind === 'container_method' || kind === 'class')) {
      this.#engine.trace?.leadsOut(values);
      return 'external';
    }
    this.#engine.trace?.leadsNowhere(call, values, this.#receiver(document, call));
    if (values.length === 0) this.#guess(from, call);
    return 'unresolved';
  }

  #addTargets(from: DefinitionRef, call: Call, targets: readonly DefinitionRef[], isSaid: boolean): void {
    const { documents, trace } = this.#engine;
    const strategy = isSaid ? 'scip' : this.#strategy(from.document, call, targets);
    // Of three that are equally likely each is more likely wrong than right.
    const several = documents.at(from.document).semantics.oneOfSeveral && targets.length > 2 ? 0.5 : 0.75;
    const confidence = confidences[strategy] * (targets.length > 1 ? several : 1);
    for (const to of targets) {
      if (documents.isNode(to)) this.#addEdge(from, to, call, strategy, confidence);
      if (from.definition < 0 || !documents.isNode(to)) trace?.noEdge(from, to);
    }
  }

  /** What the object is on which a method is called. */
  #receiver(document: number, { callee }: Call): Values {
    return callee.kind === 'member' ? this.#engine.expressions.evaluate(document, callee.object) : unknown;
  }

  #strategy(document: number, call: Call, targets: readonly DefinitionRef[]): Strategy {
    return strategyOf(this.#engine, document, call, targets[0]?.document ?? document);
  }

  #addEdge(from: DefinitionRef, to: DefinitionRef, call: Call, strategy: Strategy, confidence: number): void {
    const { line } = call;
    this.#findings.addEdge({ type: 'CALLS', from, to, line, strategy, confidence, name: nameOf(call.callee) });
    if (from.definition >= 0) this.#engine.trace?.edge(from, to, strategy, confidence);
  }

  #addOutside(from: DefinitionRef, call: Call, values: Values): void {
    if (from.definition < 0) return;
    const use = { type: 'CALLS', from, line: call.line, arguments: call.args.length } as const;
    for (const value of values.flatMap((one) => this.#outsideOf(one, call))) this.#findings.addOutside(use, value);
  }

  /** What a call of this value calls outside: `super()` the bases that lie there. */
  #outsideOf(value: Value, call: Call): Values {
    if (value.kind !== 'super') return [value];
    return call.callee.kind === 'super' ? this.#engine.ancestors.superclasses(value.document, value.definition) : [];
  }

  /** Of a receiver that nobody knows: the only method of that name, or those of one family of classes. */
  #guess(from: DefinitionRef, call: Call): void {
    const { family, semantics } = this.#engine.documents.at(from.document);
    const name = nameOf(call.callee);
    if (from.definition < 0 || call.isRead || call.callee.kind !== 'member' || semantics.builtins.has(name)) return;
    const named = this.#methods.get(family, name, semantics.namesTellMethods ? maxNamesakes : 1);
    const methods = semantics.namesTellMethods ? named.filter((one) => this.#mayTake(one, call)) : named;
    // A method among many or of a known receiver, and what may be no method, are guessed without telling.
    const isTold = semantics.namesTellMethods && this.#mayBeAnything(from.document, call.callee.object);
    const mayBeHeld = call.args.length === 0 && this.#methods.isHeld(family, name);
    const isMeant = isTold && !mayBeHeld && (methods.length === 1 || this.#isFamily(methods));
    const strategy = !isMeant ? 'unique_name' : methods.length === 1 ? 'only_name' : 'family_name';
    if (!isMeant && methods.length !== 1) return;
    for (const one of methods) this.#addEdge(from, one, call, strategy, confidences[strategy]);
  }

  /** A method that takes nothing is given nothing, and one that has to be given something is. */
  #mayTake({ document, definition }: DefinitionRef, { args }: Call): boolean {
    const { parameters } = this.#engine.documents.definition(document, definition);
    return args.length > 0 ? parameters.length > 0 : parameters.every(({ optional }) => optional);
  }

  /** Do all of their classes inherit from one class, or mix one in? */
  #isFamily(methods: readonly DefinitionRef[]): boolean {
    if (methods.length < 2 || methods.length > maxFamily) return false;
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
