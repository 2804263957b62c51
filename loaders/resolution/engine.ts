import { Ancestors } from './ancestors.ts';
import { ArgumentInference } from './argument-inference.ts';
import { Calls } from './calls.ts';
import { Classes } from './classes.ts';
import { Containers } from './containers.ts';
import { ContextualTypes } from './contextual-types.ts';
import { Conversions } from './conversions.ts';
import { type Document, Documents } from './documents.ts';
import { Expressions } from './expressions.ts';
import { Extensions } from './extensions.ts';
import { Generics } from './generics.ts';
import { Inference } from './inference.ts';
import { Members } from './members.ts';
import { Memory } from './memory.ts';
import { Modules } from './modules.ts';
import { Names } from './names.ts';
import { Narrowing } from './narrowing.ts';
import { Overloads } from './overloads.ts';
import { Packages } from './packages.ts';
import { Scopes } from './scopes.ts';
import { Signatures } from './signatures.ts';
import { StarImports } from './star-imports.ts';
import { type Step, Trace } from './trace.ts';
import { Types } from './types.ts';

/**
 * Says what expressions stand for, over all files of one repository. It is a dozen rooms that know each other through it: each asks
 * the others for what it does not know itself, so a question goes from room to room until the facts answer it. All that is
 * remembered lies in `memory`; see README.md.
 */
export class Engine {
  readonly documents: Documents;
  readonly memory = new Memory();
  /** Where the steps of an answer are written down; null as long as nobody wants to see them. */
  trace: Trace | null = null;

  // What files say together, by place: filled once, before the first question.
  readonly classes: Classes = new Classes(this);
  readonly packages: Packages = new Packages(this);
  readonly starImports: StarImports = new StarImports(this);
  readonly extensions: Extensions = new Extensions(this);
  readonly argumentInference: ArgumentInference;

  // What things stand for.
  readonly expressions: Expressions = new Expressions(this);
  readonly scopes: Scopes = new Scopes(this);
  readonly names: Names = new Names(this);
  readonly modules: Modules = new Modules(this);
  readonly types: Types = new Types(this);
  readonly members: Members = new Members(this);
  readonly ancestors: Ancestors = new Ancestors(this);
  readonly containers: Containers = new Containers(this);
  readonly narrowing: Narrowing = new Narrowing(this);

  // Calls.
  readonly calls: Calls = new Calls(this);
  readonly contextualTypes: ContextualTypes = new ContextualTypes(this);
  readonly generics: Generics = new Generics(this);
  readonly inference: Inference = new Inference(this);
  readonly signatures: Signatures = new Signatures(this);
  readonly overloads: Overloads = new Overloads(this);
  readonly conversions: Conversions = new Conversions(this);

  /** `visit` is shown each document, too, so that they are gone through once less. */
  constructor(documents: readonly Document[], visit?: (one: Document, document: number) => void) {
    this.documents = new Documents(documents);
    this.argumentInference = new ArgumentInference(this);
    const withReceivers: number[] = [];
    const withBases: number[] = [];
    documents.forEach((one, document) => {
      const { definitions } = one.facts;
      this.packages.add(one, document);
      this.starImports.add(one);
      this.argumentInference.add(one, document);
      this.classes.addParts(one, document);
      visit?.(one, document);
      if (definitions.some(({ receiver }) => receiver)) withReceivers.push(document);
      definitions.forEach(({ isConversion }, definition) => {
        if (isConversion) this.extensions.addConversion(document, definition);
      });
      if (!one.library && definitions.some(({ bases }) => bases.length > 0)) withBases.push(document);
      this.memory.release(one);
    });
    this.classes.joinParts();
    for (const document of withReceivers) {
      this.classes.attachReceivers(document);
      this.memory.release(this.documents.at(document));
    }
    // All ancestors first: met deep inside an expression, they would be cut off with it, and remembered so.
    for (const document of withBases) {
      this.#findAncestors(document);
      this.memory.forgetIfMany();
      this.memory.release(this.documents.at(document));
    }
  }

  #findAncestors(document: number): void {
    const { facts, semantics } = this.documents.at(document);
    facts.definitions.forEach(({ bases }, definition) => {
      if (bases.length === 0) return;
      const { list } = this.ancestors.of(document, definition);
      if (semantics.selfMayBeBelow)
        for (const above of list.slice(1)) this.classes.addBelow(above, { document, definition });
      if (!semantics.mixins) return;
      for (const { expr, how } of bases) {
        if (how !== 'implements') continue;
        for (const value of this.expressions.evaluate(document, expr))
          if (value.kind === 'class') this.classes.addUser(value, { document, definition });
      }
    });
  }

  /** Between two documents: forgets what was remembered of single expressions, and all else with the facts that it was remembered of. */
  forget(): void {
    this.memory.expressions.clear();
    this.memory.forgetIfMany();
    const [first] = this.documents.list;
    if (first) this.memory.release(first);
  }

  /** Answers anew what `ask` asks, with the steps by which the answers are found. */
  traced<Answer>(ask: (trace: Trace) => Answer): { answer: Answer; steps: readonly Step[] } {
    const { cycles } = this.memory;
    this.memory.forgetAnswers();
    const trace = new Trace(this.documents, () => cycles.depth);
    this.trace = trace;
    cycles.onCut = (why) => trace.cut(why);
    try {
      return { answer: ask(trace), steps: trace.steps };
    } finally {
      this.trace = null;
      cycles.onCut = null;
    }
  }
}
