import type { Expr } from '../facts/fact.ts';
import type { DefinitionRef } from './definition-ref.ts';
import { isClass } from './documents.ts';
import type { Engine } from './engine.ts';
import { firstKnown } from './narrowing.ts';
import { type ModuleValue, unite, unknown, type Value, type Values } from './value.ts';

/** Not a constant's, which is all in capitals. */
const className = /^\p{Lu}\w*\p{Ll}/u;

type MemberExpr = Extract<Expr, { kind: 'member' }>;

type Around = Pick<
  Engine,
  | 'documents'
  | 'memory'
  | 'names'
  | 'classes'
  | 'modules'
  | 'members'
  | 'extensions'
  | 'types'
  | 'containers'
  | 'calls'
  | 'contextualTypes'
  | 'argumentInference'
  | 'narrowing'
  | 'signatures'
>;

/** What expressions stand for: each kind leads to the room that knows it. */
export class Expressions {
  readonly #engine: Around;

  constructor(engine: Around) {
    this.#engine = engine;
  }

  evaluate(document: number, expr: Expr): Values {
    const { memory, names, types, classes } = this.#engine;
    switch (expr.kind) {
      case 'unknown':
        return unknown;
      case 'name':
        if (expr.isCalled) return names.called(document, expr.scope, expr.name);
        if (!expr.isType) return ofConst(expr, names.lookUp(document, expr.scope, expr.name, 'value'));
        return names
          .lookUp(document, expr.scope, expr.name, 'type')
          .map((value) =>
            value.kind === 'instance'
              ? { kind: 'class', document: value.document, definition: value.definition }
              : value,
          );
      case 'typed':
        return types.of(document, expr.type);
      case 'named':
        return this.evaluate(document, expr.value);
      case 'definition':
        return [classes.valueOf(document, expr.definition)];
      case 'self':
        return this.#self(document, expr.definition);
      case 'module':
        return this.#module(document);
      case 'super':
        return this.#self(document, expr.definition).map((value) =>
          value.kind === 'instance' || value.kind === 'class'
            ? { kind: 'super', document: value.document, definition: value.definition, self: value }
            : value,
        );
      default:
        return memory.cycles.remember(memory.expressions, expr, unknown, () => this.#once(document, expr));
    }
  }

  /** Functions that are for lvalues or for rvalues know which of them the object is. */
  #ofCategory(document: number, { object, category }: MemberExpr, found: Values): Values {
    const { documents } = this.#engine;
    const isTold = (one: Value) =>
      one.kind === 'function' && documents.definition(one.document, one.definition).refQualifier !== undefined;
    if (!found.some(isTold)) return found;
    const known = category ?? this.#categoryOf(document, object);
    if (known === 'lvalue') return found;
    return found.map((one) => (one.kind === 'function' ? { ...one, category: known } : one));
  }

  /** What is made in place is an rvalue, and what a function gives may be either where that does not say so. */
  #categoryOf(document: number, object: Expr): 'lvalue' | 'rvalue' | 'unknown' {
    const { signatures } = this.#engine;
    if (object.kind === 'typed') return 'unknown';
    const [first] = object.kind === 'union' && object.first ? object.options : [object];
    const call = first?.kind === 'result' ? this.#callAt(document, first.call) : undefined;
    if (!call) return 'lvalue';
    const [callee, ...others] = this.evaluate(document, call.callee);
    if (callee?.kind === 'class' && others.length === 0) return 'rvalue';
    if (callee?.kind !== 'function') return 'unknown';
    return this.#resultCategory(signatures.reached(callee, document, call.args, call.types?.length ?? 0));
  }

  #resultCategory(reached: DefinitionRef): 'lvalue' | 'rvalue' | 'unknown' {
    const { resultCategory } = this.#engine.documents.definition(reached.document, reached.definition);
    return resultCategory === 'rvalue' && !this.#namesItsClass(reached) ? 'unknown' : (resultCategory ?? 'unknown');
  }

  /** The type that a function gives is written by the name of a class, and no other for it or a reference to it. */
  #namesItsClass({ document, definition }: DefinitionRef): boolean {
    const { documents, types } = this.#engine;
    const { returnType } = documents.definition(document, definition);
    if (returnType?.kind !== 'reference') return false;
    const name = returnType.name.slice(returnType.name.lastIndexOf(':') + 1);
    const values = types.of(document, returnType);
    return (
      values.length > 0 &&
      values.every((one) => one.kind === 'instance' && documents.definition(one.document, one.definition).name === name)
    );
  }

  #once(document: number, expr: Expr): Values {
    const { names, modules, members, extensions, containers, calls, contextualTypes, argumentInference, narrowing } =
      this.#engine;
    switch (expr.kind) {
      case 'member': {
        const object = this.evaluate(document, expr.object);
        const found = unite(
          object.map((value) =>
            expr.isCalled ? members.called(document, value, expr.name) : members.of(document, value, expr.name),
          ),
        );
        // A class outside that is called by its name is no instance that something could be added to.
        const { extensionsAreCalled } = this.#engine.documents.at(document).semantics;
        if (namesClassOutside(expr.object, object) || (extensionsAreCalled && !expr.isCalled))
          return names.preferred(found, false);
        const all = names.preferred(extensions.orMember(document, object, expr.name, found), false);
        return ofConst(expr, this.#ofCategory(document, expr, all));
      }
      case 'index':
        return unite(
          this.evaluate(document, expr.object).map((value) =>
            value.kind === 'external'
              ? containers.elementOutside(document, value, expr.at)
              : containers.elementOf(value, expr.at),
          ),
        );
      case 'iterate':
        return unite(this.evaluate(document, expr.object).map((value) => containers.iterate(document, value)));
      case 'await':
        return unite(this.evaluate(document, expr.value).map((value) => containers.awaited(value)));
      case 'call':
        return calls.of(document, expr);
      case 'tested':
        return narrowing.tested(document, expr);
      case 'without':
        return narrowing.without(document, expr);
      case 'import':
        return names.preferred(modules.imported(document, expr.import), false);
      case 'result': {
        const call = this.#callAt(document, expr.call);
        return call ? calls.of(document, call) : unknown;
      }
      case 'argument':
        return contextualTypes.argument(document, this.#callAt(document, expr.call), expr.index, expr.for);
      case 'parameter':
        return unite(
          this.evaluate(document, expr.function).map((value) =>
            contextualTypes.parameter(document, value, expr.index, null),
          ),
        );
      case 'assigned':
        return argumentInference.assigned(document, expr.definition, expr.name);
      case 'union':
        if (expr.first) return firstKnown(expr.options.map((option) => () => this.evaluate(document, option)));
        return unite(expr.options.map((option) => this.evaluate(document, option)));
      default:
        return this.#literal(document, expr);
    }
  }

  /** A container written in place. */
  #literal(document: number, expr: Expr): Values {
    const each = (exprs: readonly Expr[]) => exprs.map((one) => this.evaluate(document, one));
    switch (expr.kind) {
      case 'array':
        return [{ kind: 'array', element: unite(each(expr.elements)) }];
      case 'map':
        return [{ kind: 'map', key: unknown, value: unite(each(expr.values)) }];
      case 'tuple':
        return [{ kind: 'tuple', elements: each(expr.elements) }];
      default:
        return unknown;
    }
  }

  #callAt(document: number, call: number) {
    return this.#engine.documents.at(document).facts.calls[call];
  }

  /** The file itself, as a module. */
  #module(document: number): Values {
    const module: ModuleValue = { kind: 'module', documents: [document], specifier: '', from: document };
    return this.#engine.modules.whole(module) ?? [module];
  }

  /** `this` in the body of a definition. */
  #self(document: number, definition: number): Values {
    const { documents, classes } = this.#engine;
    for (let index = definition, isStatic = false; index >= 0;) {
      const around = documents.definition(document, index);
      if (isClass(around)) return [isStatic ? classes.valueOf(document, index) : classes.instanceOf(document, index)];
      if (around.kind === 'object') return [{ kind: 'instance', document, definition: index, args: [] }];
      // A constructor function: `this` in it, and in its prototype's methods, is what `new` makes of it.
      if (around.members.some((member) => !member.isStatic)) return [classes.instanceOf(document, index)];
      isStatic = around.isStatic;
      index = around.owner;
    }
    return unknown;
  }
}

/** What stands for a value of a type outside has not the type's own name. */
function namesClassOutside(expr: Expr, values: Values): boolean {
  if (expr.kind !== 'name' || !className.test(expr.name)) return false;
  return values.every(
    (one) => one.kind === 'external' && (one.name === expr.name || one.name.endsWith(`.${expr.name}`)),
  );
}

function ofConst(expr: { ofConst?: true }, values: Values): Values {
  if (!expr.ofConst) return values;
  return values.map((value) => (value.kind === 'function' ? { ...value, ofConst: true } : value));
}
