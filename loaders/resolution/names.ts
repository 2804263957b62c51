import type { Binding, Definition, Scope, TypeExpr } from '../facts/fact.ts';
import { isClass, isFunction } from './documents.ts';
import type { Engine } from './engine.ts';
import {
  asTypes,
  beyond,
  type ClassValue,
  type ExternalValue,
  unite,
  unknown,
  type Value,
  type Values,
} from './value.ts';

/** Where a name is used: it may be a type and a value at once. */
export type NamePosition = 'value' | 'type' | 'all';

/** One object, so that who meets it in a circle knows it. */
const unfinished: Readonly<Record<NamePosition, Values>> = { value: unknown, type: unknown, all: unknown };

type Around = Pick<
  Engine,
  | 'documents'
  | 'memory'
  | 'trace'
  | 'scopes'
  | 'packages'
  | 'starImports'
  | 'modules'
  | 'classes'
  | 'members'
  | 'ancestors'
  | 'types'
  | 'expressions'
  | 'calls'
  | 'extensions'
>;

/** A name on its way outwards, scope by scope. */
interface Search {
  readonly document: number;
  readonly name: string;
  readonly position: NamePosition;
  /** A function was left on the way: what a class binds may be hidden from it. */
  insideFunction: boolean;
  readonly isCalled: boolean;
  /** Bases outside the repository of the first class on the way, which may have the name. */
  inherited: readonly ExternalValue[];
}

/** What names stand for: scope by scope, then by what the language adds. */
export class Names {
  readonly #engine: Around;

  constructor(engine: Around) {
    this.#engine = engine;
  }

  /** What a name that is used in scope `from` stands for; where nobody here has it, something external. */
  lookUp(document: number, from: number, name: string, position: NamePosition): Values {
    const values = this.#search(document, from, name, position, null);
    const isNoType = position === 'type' && this.#engine.documents.at(document).semantics.functionsAreNoTypes;
    return isNoType && values.length > 1 ? values.filter((one) => !this.#isFunction(one)) : values;
  }

  /** Likewise of a name that is called: what can't be is another of the same name. */
  called(document: number, from: number, name: string): Values {
    let nearest: Values | undefined;
    const values = this.#search(document, from, name, 'value', (found) => {
      if (found.some((one) => this.#isCallable(document, one))) return true;
      nearest ??= found;
      return false;
    });
    const called = nearest && values.every(({ kind }) => kind === 'external') ? nearest : values;
    return unite([called.map((value) => this.#ofReceiver(document, from, name, value))]);
  }

  /** An extension that is called by its bare name extends what is received here. */
  #ofReceiver(document: number, from: number, name: string, value: Value): Value {
    const { documents, classes, types, extensions } = this.#engine;
    if (value.kind !== 'function' || value.self) return value;
    if (documents.definition(value.document, value.definition).extension !== 'receiver') return value;
    const { scopes, definitions } = documents.at(document).facts;
    for (let index = from; index >= 0; index = scopes[index]?.parent ?? -1) {
      const { receiver, definition = -1 } = scopes[index] ?? {};
      const owner = definitions[definition];
      const received = receiver
        ? types.of(document, receiver)
        : owner && isClass(owner)
          ? [classes.instanceOf(document, definition)]
          : unknown;
      for (const self of received) {
        const [best] = extensions.of(document, self, name);
        if (best) return { kind: 'function', ...best, self };
      }
    }
    return value;
  }

  /** Scope by scope outwards, up to what is accepted. */
  #search(
    document: number,
    from: number,
    name: string,
    position: NamePosition,
    isCallable: ((values: Values) => boolean) | null,
  ): Values {
    const { documents, packages, starImports, trace } = this.#engine;
    const { facts } = documents.at(document);
    const { scopes } = facts;
    const search: Search = {
      document,
      name,
      position,
      insideFunction: false,
      isCalled: isCallable !== null,
      inherited: [],
    };
    const isNoType = position === 'type' && documents.at(document).semantics.functionsAreNoTypes === true;
    const accepts = isCallable ?? ((values: Values) => !isNoType || values.some((one) => !this.#isFunction(one)));
    const receivers: TypeExpr[] = [];
    for (let index = from; index >= 0;) {
      const scope = scopes[index];
      if (!scope) break;
      // What is declared around a function comes before what its receiver has, and a class around both comes last.
      if (scope.parent < 0 || facts.definitions[scope.definition]?.kind === 'class') {
        const received = this.#ofReceivers(search, receivers.splice(0));
        if (received && accepts(received)) return received;
      }
      const values = this.#inScope(search, index, scope, accepts);
      if (values) return search.isCalled && scope.parent < 0 ? this.#withPackage(search, values) : values;
      if (scope.receiver) receivers.push(scope.receiver);
      index = scope.parent;
    }
    const inPackage = packages.member(document, name, position);
    if (inPackage && accepts(inPackage)) {
      trace?.package(document, name, inPackage);
      return inPackage;
    }
    return (
      starImports.named(document, name, position) ??
      packages.imported(document, name) ??
      this.#foreign(document, name, from, search.inherited)
    );
  }

  /** A class and functions of its name may be of one package and of several files, and the arguments tell which is meant. */
  #withPackage({ document, name, position }: Search, values: Values): Values {
    const { documents, packages } = this.#engine;
    const { packageScope, callMakesInstance, strictArity } = documents.at(document).semantics;
    if (packageScope !== 'name' || !callMakesInstance || !strictArity) return values;
    const all = unite([values, packages.member(document, name, position) ?? unknown]);
    const isMadeBy = ({ document: place, definition }: ClassValue) =>
      documents.definition(place, definition).members.some((one) => one.name === 'new()');
    const classes = all.filter((one) => one.kind === 'class');
    const areBoth = classes.length > 0 && all.some(({ kind }) => kind === 'function');
    return areBoth && !classes.some(isMadeBy) ? all : values;
  }

  /** Also as what a function would make, were it a type. */
  #isFunction(value: Value): boolean {
    if (value.kind === 'function') return true;
    return value.kind === 'instance' && isFunction(this.#engine.documents.definition(value.document, value.definition));
  }

  #isCallable(document: number, value: Value): boolean {
    if (value.kind !== 'instance') return ['function', 'class', 'callable', 'external'].includes(value.kind);
    const { documents, members } = this.#engine;
    const { callMember } = documents.at(document).semantics;
    return callMember !== null && members.of(document, value, callMember).some(({ kind }) => kind === 'function');
  }

  /** What these bindings of one name stand for where it is used as a value, as a type, or as either. */
  bound(document: number, bindings: Binding[], position: NamePosition): Values {
    const { documents, memory, classes } = this.#engine;
    if (position === 'type') {
      // What is written as a type needs no look at values, which may be declared by it.
      const written = bindings.filter(
        ({ definition }) => definition >= 0 && isClass(documents.definition(document, definition)),
      );
      if (written.length > 0) return asTypes(written.map(({ definition }) => classes.valueOf(document, definition)));
    }
    const values = memory.cycles.remember(memory.bindings, bindings, unfinished, () => {
      const all = this.#ofBindings(document, bindings);
      return { value: this.preferred(all, false), type: asTypes(this.preferred(all, true)), all };
    });
    return values[position];
  }

  /** Of a name that is both a type and a value, the one that the position asks for. */
  preferred(values: Values, type: boolean): Values {
    if (values.length < 2) return values;
    const { documents } = this.#engine;
    const isType = (value: Value) =>
      value.kind === 'class' &&
      ['interface', 'type'].includes(documents.definition(value.document, value.definition).kind);
    const chosen = values.filter((value) => isType(value) === type || (type && value.kind === 'class'));
    return chosen.length > 0 ? chosen : values;
  }

  /** What a scope has that is accepted: what it binds, then, of a class, its members. */
  #inScope(search: Search, index: number, scope: Scope, accepts: (values: Values) => boolean): Values | undefined {
    const { documents, scopes } = this.#engine;
    const { document, name, position } = search;
    const { facts, semantics } = documents.at(document);
    const owner = scope.definition >= 0 ? facts.definitions[scope.definition] : undefined;
    const ofClass = owner !== undefined && isClass(owner);
    if (owner && position === 'type') {
      const parameter = owner.typeParameters.findIndex((each) => each.name === name);
      if (parameter >= 0) {
        this.#engine.trace?.typeParameter(document, owner, name);
        return [{ kind: 'variable', document, definition: scope.definition, index: parameter }];
      }
    }
    if (!(ofClass && search.insideFunction && semantics.classScopeHidden)) {
      const bindings = scopes.table(document, index).get(name);
      if (bindings) {
        this.#engine.trace?.bindings(document, owner, bindings);
        const values = this.bound(document, bindings, position);
        if (accepts(values)) return values;
      }
    }
    if (owner && semantics.membersAreNames) {
      const values = ofClass ? this.#asMember(search, scope.definition) : this.#asMemberApart(search, scope, owner);
      if (values && accepts(values)) return values;
    }
    const atTop = this.#withPrefixes(search, scope, accepts);
    if (atTop) return atTop;
    if (owner && !ofClass && owner.kind !== 'object') search.insideFunction = true;
    return undefined;
  }

  /** What the top has under the name with something before it. */
  #withPrefixes({ document, name, position }: Search, scope: Scope, accepts: (values: Values) => boolean) {
    for (const prefix of scope.prefixes ?? []) {
      // The bare name comes last: what stands around a class or function hides it.
      if (prefix === '' && scope.definition >= 0) continue;
      const values = this.#engine.packages.member(document, prefix + name, position);
      if (values && accepts(values)) return values;
    }
    return undefined;
  }

  /** What a receiver has under the name, the innermost first. */
  #ofReceivers({ document, name, position }: Search, receivers: readonly TypeExpr[]): Values | undefined {
    if (position === 'type') return undefined;
    const { types, members } = this.#engine;
    for (const receiver of receivers) {
      const found = types.of(document, receiver).map((value) => members.find(document, value, name, true) ?? unknown);
      const values = unite(found).filter(({ kind }) => kind !== 'external');
      if (values.length > 0) return values;
    }
    return undefined;
  }

  /** Inside a class, its members are names too. */
  #asMember(search: Search, definition: number): Values | undefined {
    const { classes, members, ancestors } = this.#engine;
    const { document, name, position } = search;
    const self = classes.instanceOf(document, definition);
    const method = search.isCalled ? members.methodOf(self, name) : undefined;
    const values = method ?? members.find(document, self, name, true);
    if (values && position === 'value') return values;
    if (position === 'value' && search.inherited.length === 0)
      search.inherited = ancestors.of(document, definition).outside;
    const inner = (values ?? unknown).filter((value) => value.kind === 'class');
    if (inner.length === 0 && values && position === 'type') {
      const found = members.classOf(self, name);
      if (found) return asTypes(found);
      return members.aliasOf(self, name);
    }
    return inner.length > 0 ? asTypes(inner) : undefined;
  }

  /** Of a method apart from its class, the members of that class. */
  #asMemberApart({ document, name, position }: Search, scope: Scope, owner: Definition): Values | undefined {
    if (position === 'all' || !owner.receiver || owner.owner >= 0) return undefined;
    // What is extended gives no types; a receiver whose own name may be a type parameter is looked up from here.
    const isClassFromOutside =
      owner.receiver.kind === 'reference' && owner.receiver.scope === scope.parent && !owner.extension;
    if (position === 'type' && !isClassFromOutside) return undefined;
    const { classes, members } = this.#engine;
    const around = classes.receiver(document, scope.definition);
    if (!around || position === 'value') return around && members.find(document, around, name, true);
    const inner = members.classOf(around, name);
    return inner ? asTypes(inner) : members.aliasOf(around, name);
  }

  /** What nobody here has: inherited, where a base lies outside, or of what is imported whole. */
  #foreign(document: number, name: string, from: number, inherited: readonly ExternalValue[]): Values {
    const { documents, modules: found, starImports, trace } = this.#engine;
    const { semantics, modules, path } = documents.at(document);
    const mayBeModule =
      semantics.packagesAreNames || (semantics.foreignNames === 'paths' && semantics.packageScope === 'none');
    if (mayBeModule && (modules.resolve(name, path) ?? []).length > 0) return found.of(document, name);
    trace?.foreign(document, name);
    const around = semantics.modulesGoOnOutside && /^[A-Z]/u.test(name) ? this.#around(document, from) : [];
    const foreign = starImports.foreignOrigins(document);
    const origins = [
      ...inherited.flatMap((one) => one.origins ?? []),
      ...(around.length > 0 ? foreign.map((one) => ({ ...one, around })) : foreign),
    ];
    const whole: ExternalValue = { kind: 'external', name: '', args: inherited[0]?.args ?? [], origins };
    return [beyond(whole, name, name)];
  }

  /** The modules around a place, the innermost first: another repository may have the rest of each. */
  #around(document: number, from: number): string[] {
    const { scopes, definitions } = this.#engine.documents.at(document).facts;
    const found: string[] = [];
    for (let index = from; index >= 0; index = scopes[index]?.parent ?? -1) {
      const owner = definitions[scopes[index]?.definition ?? -1];
      if (owner?.isMixin) found.push(owner.qualifiedName);
    }
    return found;
  }

  #ofBindings(document: number, bindings: readonly Binding[]): Values {
    const { documents, classes, types, modules, expressions } = this.#engine;
    const defined = bindings.filter((binding) => binding.definition >= 0);
    // A class is never without one: a namespace of the name of an abstract one goes on with it.
    const withBody = defined.filter(({ definition }) => {
      const one = documents.definition(document, definition);
      return !one.isAbstract || isClass(one);
    });
    const results = (withBody.length > 0 ? withBody : defined).map<Values>((binding) => [
      classes.valueOf(document, binding.definition),
    ]);
    const typed = bindings.filter((binding) => binding.definition < 0 && binding.type);
    for (const { type } of typed) if (type) results.push(types.of(document, type));
    for (const binding of bindings) {
      if (binding.definition >= 0) continue;
      const wanted = binding.import >= 0 ? documents.at(document).facts.imports[binding.import] : undefined;
      if (wanted) results.push(modules.import(document, wanted));
      else if (typed.length === 0 && binding.value)
        results.push(this.#heldBy(document, expressions.evaluate(document, binding.value)));
    }
    return unite(results);
  }

  /** What a variable that was given these values stands for. */
  #heldBy(document: number, values: Values): Values {
    const { documents, types, calls } = this.#engine;
    if (!documents.at(document).semantics.variablesHoldTypes) return values;
    return values.map((value): Value => {
      if (value.kind !== 'function') return value;
      const { parameters } = documents.definition(value.document, value.definition);
      return {
        kind: 'callable',
        parameters: parameters.map(({ type }) => (type ? types.of(value.document, type) : unknown)),
        returns: calls.ofFunction(document, value, [], []),
      };
    });
  }
}
