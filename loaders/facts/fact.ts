import type { DeclaredKind } from '../../src/model/declared-name.ts';

/**
 * What one file says by itself, as plain data: it crosses threads and is cached by blob id. Nothing here knows another file;
 * `resolve` brings the facts of all files together. Lines are from 1. The words are SCIP's: document, definition, reference.
 */
export interface FileFacts {
  /** Id of the language, see loaders/languages. */
  language: string;
  /** Of the whole file. */
  lines: number;
  /** The parser met text that it could not read; the rest of the file is still here. */
  syntaxErrors: number;
  /** Lines of such text in which nothing was found, in their order: first and last, both among them. */
  unparsed: [first: number, last: number][];
  /** Java's and Go's package clause. */
  packageName: string | null;
  /** What the package itself inherits, so that members of these are its names: Scala's package objects. */
  packageBases?: TypeExpr[];
  /** The usual build leaves it out; where another file of its package says the same, that one counts. */
  conditional?: boolean;
  definitions: Definition[];
  /** Lexical scopes; the first is the file's. */
  scopes: Scope[];
  imports: Import[];
  /** What the file gives to others where that is not simply its scope: `export`, `module.exports`, `__all__`. */
  exports: Export[];
  calls: Call[];
  /** Names that are neither functions nor classes, in the order of their lines; parameters and locals are none. */
  declared: DeclaredName[];
}

/** A constant, a variable of a file or package, a field of a class, a member of an enum, another name of a type, a macro. */
export interface DeclaredName {
  kind: DeclaredKind;
  /** As written: `@count`, `#secret`; of PHP's variables without `$`. */
  name: string;
  line: number;
  /** Qualified name of the class around it; empty where there is none. */
  around: string;
}

export type FunctionKind = 'function' | 'method' | 'constructor';
export type ClassKind = 'class' | 'interface' | 'struct' | 'enum' | 'record' | 'annotation' | 'type';

/** A function or a class; an object literal whose functions people call counts as `kind: 'object'` and makes no node. */
export interface Definition {
  kind: FunctionKind | ClassKind | 'object';
  /** Empty for an anonymous one, which makes no node: what it calls belongs to the nearest named one around it. */
  name: string;
  qualifiedName: string;
  /** Of the identifier that names it. */
  line: number;
  endLine: number;
  /** Index of the definition around it; -1 at the top of the file. */
  owner: number;
  /**
   * Index of its own scope: parameters, body and, for its signature's types, type parameters. A function or class with type
   * parameters has one even without a body, so that they are found; -1 where there is nothing to look up.
   */
  scope: number;
  exported: boolean;
  /** Static member: belongs to the class, not to its instances. */
  isStatic: boolean;
  /** Has no body: an overload's signature, an interface's or abstract method. */
  isAbstract: boolean;
  /** Getter: reading the member is what calls it. */
  isProperty: boolean;
  signature: string | null;
  doc: string | null;
  /** Of a class: what it extends, implements, embeds, in the order written. */
  bases: Base[];
  /** Of a class or function: type parameters with their bounds. */
  typeParameters: { name: string; bound: TypeExpr | null }[];
  parameters: Parameter[];
  /** Declared; null where not. Of a `kind: 'type'` that only renames or combines types: the type it stands for. */
  returnType: TypeExpr | null;
  /** What its `return` statements give, at most a few; for types that nobody wrote down. */
  returns: Expr[];
  /** Of a generator or async function: what the caller gets is wrapped. */
  isAsync: boolean;
  isGenerator: boolean;
  /** Of a class, object or constructor function: members by name; several of one name are overloads or alternatives. */
  members: Member[];
  /** The class whose member it is, where it is written apart from that class: Go's receivers, extension methods. */
  receiver?: TypeExpr;
  /** It adds a method to its receiver, which may lie anywhere. `parameter`: called as a function, it takes that as its first argument. */
  extension?: 'parameter' | 'receiver';
  /** A function of one parameter that is called without being written, where a value lacks a member that its result has. */
  isConversion?: true;
  /** Other declarations of its name in its package are the same class: Ruby's reopened classes, C#'s partial ones. */
  isPart?: boolean;
  /** A class of which there is one instance, called by the class's name: an `object` of Scala that is no class's companion. */
  isSingleton?: true;
  /** Classes are made of it, and it makes no instances: Ruby's modules. */
  isMixin?: true;
  /** It may be called on what is constant, and is meant there: C++'s `int size() const`. */
  isConst?: true;
  /** It is called on an lvalue, or on an rvalue: C++'s `void f() &`, `void f() &&`. */
  refQualifier?: 'lvalue' | 'rvalue';
  /** What it gives is an lvalue, `T& f()` of C++, or an rvalue, `T f()` and `T&& f()`, if `T` is no other name, which may be a reference's. */
  resultCategory?: 'lvalue' | 'rvalue';
  /** How unlikely an ordinary build takes it, where the source has several of its name for several builds: C's `#ifdef`. */
  unlikely?: number;
  /** It only says what others have to give: Kotlin's `expect`. Where one declaration alone gives it, that one counts. */
  isExpected?: true;
  /** No source can call it, only what was compiled before: Kotlin's `DeprecationLevel.HIDDEN`. */
  isUncallable?: true;
  /** Of a module inside a file: what has the names that it gives to others as its own, `pub use crate::table::*` of Rust. */
  handsOn?: Expr[];
}

/** Member under which a class keeps what converts to it, or from it, without being asked; no function can have that name. */
export const conversionName = 'implicit()';

/** What a definition is where the file says nothing more of it; fresh lists, to be filled. */
export function plainDefinition() {
  return {
    isStatic: false,
    isAbstract: false,
    isProperty: false,
    signature: null,
    doc: null,
    bases: [],
    typeParameters: [],
    parameters: [],
    returnType: null,
    returns: [],
    isAsync: false,
    isGenerator: false,
    members: [],
  } satisfies Partial<Definition>;
}

export interface Base {
  expr: Expr;
  line: number;
  /** Go's embedding, Java's implements …: how, where the language tells; `subscripts`: `class A(B[T])`, a base that is computed. */
  how: 'extends' | 'implements' | 'embeds' | 'subscripts';
  /** Not the class extends it, but the object of its name: Scala's companions. */
  isOfCompanion?: true;
  /** The class itself has its members, and its instances have none of them: Ruby's `base.extend Finders`. */
  isOfClass?: true;
  /** By convention alone: its members are found, but nobody wrote down that the class inherits from it. */
  isUnwritten?: true;
}

export interface Parameter {
  name: string;
  type: TypeExpr | null;
  default: Expr | null;
  rest: boolean;
  optional: boolean;
}

/** A member of a class, an object or (in `exports`) a module: a definition, or a value or type known of a field. */
export interface Member {
  name: string;
  definition: number;
  value: Expr | null;
  type: TypeExpr | null;
  isStatic: boolean;
  /** Another name of its type: C++'s `using` and `typedef` in a class. */
  isAlias?: true;
}

export interface Scope {
  /** Index; -1 for the file's. */
  parent: number;
  /** The function or class whose body it is; -1 for a block or the file. */
  definition: number;
  bindings: Binding[];
  /** What a value of this type has is a name here, as in a function that extends it. */
  receiver?: TypeExpr;
  /** A name may also stand at the top with one of these before it: C++'s namespaces, the scope's own first. */
  prefixes?: string[];
}

/** A name in a scope; several of one name are all possible (assigned twice, branches). */
export interface Binding {
  name: string;
  /** What it is bound to; -1 where it is not a definition or an import. */
  definition: number;
  import: number;
  /** What was assigned, and the type written down. */
  value: Expr | null;
  type: TypeExpr | null;
  line: number;
  /** Handed on from elsewhere: what another file defines under the name comes first. */
  isHandedOn?: true;
}

export interface Import {
  /** As written: `./router`, `koa`, `..models`, `java.util.List`. */
  module: string;
  /** The name asked for; `*` for the module itself (a namespace), `**` for all its names, `default` for the default export. */
  name: string;
  /** The name it has here; empty where it has none (side effects, `**`). */
  local: string;
  line: number;
  /** Only types come over it. */
  typeOnly: boolean;
  /** Holds for all files of this folder and those below, too: C#'s `global using`. */
  everywhere?: boolean;
  /** What the names may be taken from that is no module: Scala's `import x._` of an object or a value. */
  holder?: Expr;
}

export interface Export {
  /** The name outside; `default`; `*` for all names of `from` (a barrel); `=` for the whole module (`module.exports = …`). */
  name: string;
  value: Expr | null;
  /** Re-exported from this module, as written; null when from here. */
  from: string | null;
  /** The name there, for a re-export. */
  imported: string | null;
  line: number;
}

export interface Call {
  callee: Expr;
  args: Expr[];
  /** Arguments passed by name. */
  named?: { name: string; value: Expr }[];
  /** What some of its arguments stand for is any number of them: `f(*xs)`. */
  spreads?: true;
  /** Type arguments as written: `make<User>()`. */
  types?: TypeExpr[];
  /** What the place asks for that takes the result, where it is written down: `const user: User = make()`. */
  expected?: TypeExpr;
  isNew: boolean;
  /** Reading what is a call only where that is a method: a member (Scala), an element (Ruby). */
  isRead?: boolean;
  /** The definition in whose body it stands, anonymous ones included; -1 at the top of the file. */
  caller: number;
  /** Where names are looked up. */
  scope: number;
  line: number;
}

/** The parameter that takes an argument where its place in the list does not say so: one by its name, or the last. */
export type ArgumentFor = { name: string } | 'last';

/** A value, as far as it can be said without running anything. */
export type Expr =
  /**
   * `isType`: it can only be the name of a class, as in `new Url()`, where a language lets a variable have the same name;
   * `isCalled`: likewise of something that can be called; `ofConst`: the object whose member it may be is constant; `category`: how that
   * is written, `p->f()`, `std::move(x).f()`.
   */
  | { kind: 'name'; name: string; scope: number; isType?: true; isCalled?: true; ofConst?: true }
  | { kind: 'member'; object: Expr; name: string; isCalled?: true; ofConst?: true; category?: 'lvalue' | 'rvalue' }
  /** An element of a container: `xs[i]`; `at` from 0 where the place is known: `[a, b] = f()` takes `at` 0 and 1 of `f()`. */
  | { kind: 'index'; object: Expr; at?: number }
  /** What iterating gives: `for (const x of xs)`. */
  | { kind: 'iterate'; object: Expr }
  /** `types`: type arguments as written, `make<User>()`. */
  | { kind: 'call'; callee: Expr; args: Expr[]; isNew: boolean; types?: TypeExpr[] }
  /** The module that `imports[import]` asks for, in place: `require('./x')`. */
  | { kind: 'import'; import: number }
  /** `value` where `test(value)` holds: what the test's predicate says, if it is one. */
  | { kind: 'tested'; test: Expr; value: Expr }
  /** `value` where it is known to be no instance of `type`. */
  | { kind: 'without'; value: Expr; type: TypeExpr }
  /** This file itself as a module: `module.exports`, also where it stands for all that the file gives. */
  | { kind: 'module' }
  /** What `calls[call]` gives: where a call is part of another expression, so that nothing is written down twice. */
  | { kind: 'result'; call: number }
  /** What the callee of `calls[call]` expects as its argument of this index. */
  | { kind: 'argument'; call: number; index: number; for?: ArgumentFor }
  /** The parameter of this index (-1 for `this`) of a function value or type: how an unannotated callback learns its parameters' types. */
  | { kind: 'parameter'; function: Expr; index: number }
  /** What is assigned to objects of a class by a member of this name, wherever that is: of `x.size = 1`, where `size=` is called. */
  | { kind: 'assigned'; definition: number; name: string }
  | { kind: 'await'; value: Expr }
  /** An argument that says which parameter it is for. */
  | { kind: 'named'; name: string; value: Expr }
  /** `this`, `self`, the receiver: by the definition in whose body it stands. */
  | { kind: 'self'; definition: number }
  | { kind: 'super'; definition: number }
  /** A function, class or object literal written in place. */
  | { kind: 'definition'; definition: number }
  | { kind: 'array'; elements: Expr[] }
  /** A dictionary written in place. */
  | { kind: 'map'; values: Expr[] }
  | { kind: 'tuple'; elements: Expr[] }
  /** One of these: `a ? b : c`, `a || b`. `first`: the first that is known, the others only stand in for it. */
  | { kind: 'union'; options: Expr[]; first?: boolean }
  /** A type's value: cast, assertion, literal (`string`, `number`). */
  | { kind: 'typed'; type: TypeExpr }
  | { kind: 'unknown' };

/** `name` may be dotted: `models.User`; looked up in `scope`. */
export interface TypeReference {
  kind: 'reference';
  name: string;
  scope: number;
  args: TypeExpr[];
}

export type TypeExpr =
  | TypeReference
  | { kind: 'array'; element: TypeExpr }
  /** What the language's library has by a name, `type`, where the repository has no type of that name: `own`. */
  | { kind: 'library'; own: TypeReference; type: TypeExpr }
  | { kind: 'map'; key: TypeExpr; value: TypeExpr }
  | { kind: 'tuple'; elements: TypeExpr[] }
  | { kind: 'union'; options: TypeExpr[] }
  /** `self`: what `this` is inside, where the type says so. */
  | { kind: 'function'; parameters?: (TypeExpr | null)[]; self?: TypeExpr; returns: TypeExpr | null }
  /** The type of a member: `User['address']`. */
  | { kind: 'member'; object: TypeExpr; name: string }
  /** `x is User`: where a function with this result says yes, its argument is of this type. */
  | { kind: 'predicate'; type: TypeExpr }
  /** A class itself, not its instances: `type[User]`, `typeof User`. */
  | { kind: 'typeof'; value: Expr }
  /** A type written in place with members. */
  | { kind: 'definition'; definition: number }
  | { kind: 'unknown' };
