import type { Call } from '../facts/fact.ts';
import { calleesOf, namedCaller, nameOf, strategyOf } from './callees.ts';
import type { CompilerAnswers } from './compiler-answers.ts';
import type { DefinitionRef } from './definition-ref.ts';
import type { Engine } from './engine.ts';
import type { Findings } from './findings.ts';
import { Guesses } from './guesses.ts';
import type { Namesakes } from './namesakes.ts';
import { type CallOutcome, confidences, type Strategy } from './resolution.ts';
import { unknown, type Value, type Values } from './value.ts';

/** Says where each call leads, and makes the edges. */
export class CallEdges {
  readonly #engine: Engine;
  readonly #findings: Findings;
  readonly #compiler: CompilerAnswers;
  readonly #guesses: Guesses;

  constructor(engine: Engine, findings: Findings, compiler: CompilerAnswers, methods: Namesakes) {
    this.#engine = engine;
    this.#findings = findings;
    this.#compiler = compiler;
    this.#guesses = new Guesses(engine, methods);
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
      this.#guess(from, call, values);
      return 'external';
    }
    this.#engine.trace?.leadsNowhere(call, values, this.#receiver(document, call));
    if (values.length === 0) this.#guess(from, call, values);
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

  /** Of a receiver that nobody knows. */
  #guess(from: DefinitionRef, call: Call, values: Values): void {
    if (from.definition < 0) return;
    const guess = this.#guesses.of(from.document, call, values);
    if (!guess) return;
    const { strategy, methods } = guess;
    for (const one of methods) this.#addEdge(from, one, call, strategy, confidences[strategy]);
  }
}
