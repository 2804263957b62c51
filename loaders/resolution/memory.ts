import type { Binding, Definition, Export, Expr, Import, TypeExpr } from '../facts/fact.ts';
import type { OpenKind } from '../languages/language.ts';
import type { Ancestor, Ancestry } from './ancestors.ts';
import { Cycles } from './cycles.ts';
import type { DefinitionRef } from './definition-ref.ts';
import type { Document } from './documents.ts';
import type { FoundMember } from './classes.ts';
import type { NamePosition } from './names.ts';
import type { FunctionValue, Origin, Values } from './value.ts';

/** So many answers are remembered; then all are forgotten: what a document needs is mostly near it. */
const maxRemembered = 150_000;

/**
 * All that the engine remembers. Every answer rests on the facts of some file, and the keys are those facts' own objects: when a
 * spool lets facts go, everything here goes with them.
 */
export class Memory {
  /** The question at hand, and how circles end. */
  readonly cycles = new Cycles();

  // ---- what a file says, arranged for look-up

  /** By document and scope: its bindings by name. */
  readonly scopeTables = new Map<number, Map<string, Binding[]>>();
  /** By document: what its top binds without imports. */
  readonly topTables = new Map<number, Map<string, Binding[]>>();
  /** By document: the name that a definition has at its top. */
  readonly topNames = new Map<number, ReadonlyMap<number, string>>();
  /** By document: imports of all names of a module, other files' too that hold here. */
  readonly starImports = new Map<number, readonly Import[]>();
  /** By document: the ways out of the repository that a name may come by which nobody here has. */
  readonly foreignOrigins = new Map<number, readonly Origin[]>();
  /** By document: its exports by name. */
  readonly exportTables = new Map<number, Map<string, Export[]>>();
  /** By document: its classes, the objects that it imports whole, and all above either. */
  readonly classesReached = new Map<number, ReadonlySet<number>>();
  /** By class: its own members by name, those written apart from it too. */
  readonly memberTables = new Map<Definition, Map<string, FoundMember[]>>();

  // ---- answers

  /** What an expression stands for. Forgotten after each document: expressions are seldom asked for from elsewhere. */
  readonly expressions = new Map<Expr, Values>();
  readonly types = new Map<TypeExpr, Values>();
  /** Of a name's bindings in one scope, by where the name is used. */
  readonly bindings = new Map<Binding[], Record<NamePosition, Values>>();
  readonly imports = new Map<Import, Values>();
  /** What imports take their names from that is no module. */
  readonly holders = new Map<Expr, Values>();
  /** By document and name: what the file gives under it. */
  readonly moduleMembers = new Map<string, Values>();
  /** What a function gives back, in terms of its own type parameters. */
  readonly returns = new Map<Definition, Values>();
  /** By document, definition and index: what callers pass for a parameter. */
  readonly passedArguments = new Map<string, Values>();
  /** Of classes with nothing above them. */
  readonly alone = new Map<Definition, Ancestry>();
  /** By document: where members are that the repository adds to classes of the language itself, by what has them. */
  readonly openClasses = new Map<number, Readonly<Record<OpenKind, readonly DefinitionRef[]>>>();

  // ---- what outlives the facts

  /**
   * By the place of a class. Found for all before the first question: found anew deep inside an expression it would be cut off with it,
   * and so depend on when facts were let go.
   */
  readonly ancestors = new Map<string, Ancestry>();

  // ---- what the collector of garbage forgets, with the facts that are the keys

  /** By a call's arguments, then by the function called: the overload that is meant. */
  overloads = new WeakMap<readonly Expr[], Map<string, FunctionValue>>();
  /** A list of ancestors by their distance. */
  readonly byDistance = new WeakMap<readonly Ancestor[], readonly Ancestor[]>();

  readonly #answers: readonly Map<unknown, unknown>[] = [
    this.expressions,
    this.types,
    this.bindings,
    this.imports,
    this.holders,
    this.moduleMembers,
    this.returns,
    this.passedArguments,
    this.openClasses,
  ];
  readonly #all: readonly Map<unknown, unknown>[] = [
    ...this.#answers,
    this.scopeTables,
    this.topTables,
    this.topNames,
    this.starImports,
    this.foreignOrigins,
    this.exportTables,
    this.classesReached,
    this.memberTables,
    this.alone,
  ];
  /** How often facts were let go when it was last looked. */
  #released = 0;

  /** What was made for this key before, or is made now; for tables, which rest on no other question. */
  made<K, V>(memory: Map<K, V>, key: K, make: () => V): V {
    const known = memory.get(key);
    if (known !== undefined) return known;
    const value = make();
    memory.set(key, value);
    return value;
  }

  /** A step is done: lets the facts go if there are too many. Only between two questions: within one, facts stay the same objects. */
  release({ release }: Document): void {
    const times = release?.() ?? this.#released;
    if (times === this.#released) return;
    this.#released = times;
    this.forgetAll();
  }

  forgetIfMany(): void {
    if (this.#all.reduce((count, { size }) => count + size, 0) > maxRemembered) this.forgetAll();
  }

  /** Answers, but no table and no ancestors: they are found again step by step. */
  forgetAnswers(): void {
    for (const memory of this.#answers) memory.clear();
    this.overloads = new WeakMap();
  }

  forgetAll(): void {
    for (const memory of this.#all) memory.clear();
  }
}
