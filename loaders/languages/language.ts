import type { PackageName } from '../../src/model/snapshot.ts';
import type { FileFacts } from '../facts/fact.ts';
import type { Node } from '../facts/syntax-tree.ts';
import type { DeclaredRules } from './reading/declared-names.ts';

/**
 * One programming language: all that anything here has to know of it. Adding one is one file of this shape beside this one, its
 * folder, and its line in index.ts: extraction is pure (tree in, facts out); `modules` says how an import's text leads to files of the same repository.
 */
export interface Language {
  /** As linguist names it, in lower case: `typescript`. */
  id: string;
  /** As linguist names it: `TypeScript`, which the measures of a file go by. */
  linguist: string;
  extensions: readonly string[];
  /** File names without an extension that are of this language. */
  filenames?: readonly string[];
  /** Module specifier of the grammar's wasm: `tree-sitter-python/tree-sitter-python.wasm`. */
  grammar: string;
  /** Languages whose definitions it can see: TypeScript and JavaScript are one family. */
  family: string;
  /** Whose packages its imports name; nobody's where it has none. */
  ecosystem?: PackageName['ecosystem'];
  /** How it writes comments and strings: what is a line of code. */
  comments: CommentSyntax;
  /** Its functions and what branches in them; without it, functions are not measured. */
  branches?: BranchRules;
  /** Paths of tests by its own runners' conventions, besides those that all languages share. */
  tests?: readonly RegExp[];
  /** Nothing is imported without a word for it: `import`, `require`, `load`; in others a type's full name may stand anywhere. */
  importsByWord?: true;
  /** Loads what reads its files, for a thread that meets one. */
  extractor(): Promise<Extract>;
  /** What declares names that are neither functions nor classes; without it, none of its are found. */
  declared?: DeclaredRules;
  /** Where what one file says changes how others are to be read: C's macros. The same object in all languages that hear each other. */
  preprocessor?: Preprocessor;
  /** Blanks or joins what the grammar can't read though the language allows it; every character keeps its place. */
  legible?(source: string): string;
  modules: ModuleResolution;
  /** Facts of what the language itself brings, which make no nodes: types and members that programs build on. */
  library?(): readonly { path: string; facts: FileFacts }[];
  semantics: Semantics;
}

/** What files say to all others before any of them is read. */
export interface Preprocessor {
  /** Whether other files hear what this one says. */
  isHeard(path: string): boolean;
  /** What one file says, a line each. */
  collect(source: string): readonly string[];
  /** Makes what rewrites sources by what all files say. */
  open(collected: readonly string[]): Rewriter;
}

/** Rewrites sources by what all files say. */
export interface Rewriter {
  /** Every line keeps its place. `ask` hears each word that is looked up in what all say; equal answers to all of them make an equal text. */
  rewrite(source: string, ask?: (word: string) => void): string;
  /** What all files say of a word, equal for what is equal; null where they say nothing. */
  answer(word: string): string | null;
}

/** How a language writes comments and strings; texts as they stand in the source. */
export interface CommentSyntax {
  line: readonly string[];
  block: readonly (readonly [open: string, close: string])[];
  quotes: readonly (readonly [open: string, close: string])[];
  /** Strings that are comments where they stand alone: Python's docstrings. */
  docstrings?: readonly string[];
  /** Block comments may hold block comments. */
  nested?: true;
}

/** The syntax nodes that are functions, and those that are branches; what lizard counts by their tokens. */
export interface BranchRules {
  functions: readonly string[];
  branches: readonly string[];
  /** Tokens: each stands for one more way through. */
  operators: readonly string[];
  /** Counted only where their text is such: a `case`, not a `default`. */
  cases?: { node: string; is: RegExp };
  /** Counted only where they have this field: a parameter with a default is a decision whether to take it. */
  having?: Readonly<Record<string, string>>;
  /** Choices among branches that are counted: of several ways one needs no decision. */
  choices?: readonly string[];
}

/** What has the members of classes of the language itself. */
export type OpenKind = 'object' | 'class' | 'array' | 'map';

/** How names and members are found in this language, where languages differ; the resolution engine names no language. */
export interface Semantics {
  /** A module gives what `exports` lists (JavaScript), or every name of its file scope (Python, Go, Java). */
  explicitExports: boolean;
  /** Files with one package clause see each other's top-level names: within one folder (Go), or wherever they are (Java). */
  packageScope: 'none' | 'folder' | 'name';
  /** Of several definitions of one name those in the nearest folder are meant: one repository, several programs (C, C#). */
  nearestWins?: boolean;
  /**
   * Where a name may come from that the repository has not: what is imported whole, and with `paths` it may also begin a way in
   * full, `serde::Serialize`.
   */
  foreignNames?: 'imported_whole' | 'paths';
  /** What is for a class and those below it is told by its name alone: `_keep` (Python). */
  namesHide?: true;
  /** Other repositories may open the same modules, and have in them what is named without them here (Ruby). */
  modulesGoOnOutside?: true;
  /** Inside a class, its members, also inherited ones and those of outer classes, are names (Java). */
  membersAreNames: boolean;
  /** What `implements` names is mixed in, and calls what the classes have that it is mixed into (Ruby). */
  mixins?: boolean;
  /** An instance has none of the methods that are its class's own: `def self.make` (Ruby). */
  classMethodsApart?: true;
  /** Who calls a method of its own reaches what the classes below have in its place: in Ruby all that a class is for. */
  selfMayBeBelow?: true;
  /** A class body's names are hidden from the functions inside it (Python). */
  classScopeHidden: boolean;
  /** Calling a class makes an instance, without `new` (Python). */
  callMakesInstance: boolean;
  /** A variable says nothing but its type, as it may hold another function of that type when it is called (Go). */
  variablesHoldTypes?: boolean;
  /** Declarations of one name with different parameters are different functions, chosen by the arguments (Java). */
  overloads: boolean;
  /** The type of what gives nothing, where a function that is written in place and gives something may not be asked for: C#'s `void`. */
  nothing?: string;
  /** A type parameter may stand for a number, in arrays, too: `T[]` takes `byte[]` (C#). */
  parametersTakePrimitives?: true;
  /** What overrides a method has its defaults (Kotlin). */
  defaultsAreInherited?: true;
  /** What is private at the top of a file is seen in that file alone (Kotlin). */
  filesHide?: true;
  /** A function is never meant where a type is written, whatever its name. */
  functionsAreNoTypes?: true;
  /** What extends a trait extends the class that the trait extends (Scala). */
  superclassThroughTraits?: true;
  /** A call with another number of arguments than a declaration takes never means it. */
  strictArity?: true;
  /** An array is only taken for a parameter that takes any number where a word says so: Kotlin's `*xs`. */
  spreadsByWord?: true;
  /** A type may implement one trait for several types, and the arguments tell which is meant: `From<A>` and `From<B>`. */
  oneOfSeveral?: boolean;
  /** A function may stand where an interface with one abstract method is asked for (Java). */
  functionalInterfaces: boolean;
  /** Order in which bases are searched. */
  memberOrder: 'c3' | 'depth_first' | 'breadth_first';
  /** A parameter without a type is what the function's callers pass (Python). */
  argumentsTellParameters?: boolean;
  /** Member that is called when an instance is called: `__call__`. */
  callMember: string | null;
  /** A member is read by a call without arguments, whether it is a method or holds a value: Ruby's accessors. */
  readsByCall?: true;
  /** A call of a class's other name, or of the name of its constructor inside it, makes an instance: C++. */
  classesAreCalled?: true;
  /** Method of a class that is called in place of making an instance, where the class has one: Ruby's `self.new`. */
  newMember?: string;
  /** Member of a class that is called in place of making an instance, where the class is called without `new`: Scala's `apply`. */
  classCallMember?: string;
  /** A class's name as a value is an object with what the class's companion inherits: Scala, Kotlin. */
  classNamesAreObjects?: true;
  /** A package that is there by a part of its name is a name, too. */
  packagesAreNames?: true;
  /** What holds elements are classes like others: a class whose bases are not all known may be a container. */
  openContainers?: true;
  /** A method that one trait alone has is meant on a receiver that nobody knows: who calls it must name the trait. */
  traitsTellMethods?: true;
  /** An array, a list and what can be iterated over are types of their own, of which overloads take one: C#. */
  containersDiffer?: true;
  /** What methods give that every value has, or that one type alone has: `ToString`, `string.Join`. */
  resultsOfAny?: Readonly<Record<string, string>>;
  /** Members that containers have without being called: `pair.Value`, `map.Values`; of a tuple by the element's place. */
  held?: {
    readonly tuple: Readonly<Record<string, number>>;
    readonly map: Readonly<Record<string, ContainerMember>>;
    readonly array: Readonly<Record<string, ContainerMember>>;
  };
  /** Types that are read as what they hold: without arguments they hold nothing, and what is known to be held is none. */
  wrappers?: ReadonlySet<string>;
  /** What a type that is read as what it holds has: `task.Result`, and with parentheses `task.ConfigureAwait()`. */
  unwraps?: { readonly read: ReadonlySet<string>; readonly called: ReadonlySet<string> };
  /** A function that is written in place has all its parameters, but for one that has none of a list. */
  lambdasListParameters?: true;
  /** What is added to a type from outside is only meant where it is called: C#. */
  extensionsAreCalled?: true;
  /** Methods that are added to a type from outside are of that very type, and not of what converts to it: Rust's implementations of traits. */
  extensionsAreExact?: true;
  /** What is held by what another repository gives is asked of that one: types say so there. */
  elementsFromOutside?: true;
  /** Method whose result has the members that an instance's own class has not: Rust's `deref`. */
  derefMember?: string;
  /** Classes of the language itself to which a repository can add members, the inmost first, by what has their members: Ruby's. */
  openClasses?: Readonly<Record<OpenKind, readonly string[]>>;
  /** Member that holds an instance's class: `__class__`. */
  classMember?: string;
  /** Member that is called where an instance is indexed: `__getitem__`. */
  indexMember?: string;
  /** The member that stands for all that are got by a key, `{ [key: string]: T }`; absent where nothing does. */
  indexType?: string;
  /** Members that are called to iterate over an instance: `__iter__`. */
  iterationMembers: readonly string[];
  /** Member of an iterator that gives its next element: `next`. */
  nextMember?: string;
  /** What iterating over a map gives. */
  mapIteration: 'keys' | 'entries';
  /** On a receiver that nobody knows a method is meant whose name nothing else has: where no receiver has a type (Ruby). */
  namesTellMethods?: true;
  /** Members of every class that lie outside the repository and that make no guess: `toString`, `append`. */
  builtins: ReadonlySet<string>;
  /** Members that every value has: no extension is called for them. */
  ofEvery?: ReadonlySet<string>;
  /** What methods of the language's own containers give. */
  arrayMembers: Readonly<Record<string, ContainerMember>>;
  mapMembers: Readonly<Record<string, ContainerMember>>;
  /** What the language's own functions give: `list(xs)`, `sorted(xs)`; seen only where nothing else has the name. */
  functions: Readonly<Record<string, ContainerMember>>;
  /** The specifier of a module inside a module, `pkg.sub`; null where modules have none. */
  submodule(specifier: string, name: string): string | null;
}

/** Reads one parsed file. */
export type Extract = (root: Node, source: string, path: string) => FileFacts;

/**
 * What calling a container's own method gives: the container itself, one element (a map's value), all its elements as an
 * array, a map's keys, one or all pairs of key and value, an array of what its callback gives; `callback` is the position of the element
 * among the parameters of a function passed to it.
 */
export interface ContainerMember {
  gives: 'self' | 'element' | 'entry' | 'elements' | 'keys' | 'entries' | 'mapped' | 'unknown';
  callback?: number;
  /** Its parameters are what is held: `list.Add(x)`. */
  takes?: true;
  /** What that is, where containers are of several types: no word for an array. */
  as?: string;
}

/** How an import's text leads to files, for all files of one repository. */
export interface ModuleResolution {
  /** Prepares look-ups for one repository: reads tsconfig paths, go.mod, package.json through `read`. */
  prepare(repository: RepositoryFiles): ModuleResolver;
}

export interface RepositoryFiles {
  /** Paths of all files in the snapshot, parsed or not, sorted. */
  paths: readonly string[];
  /** Text of a small configuration file; null when it is not there. */
  read(path: string): string | null;
  /** Package clauses of parsed files, for languages whose imports name packages. */
  packageOf(path: string): string | null;
}

export interface ModuleResolver {
  /**
   * Files that make up the module asked for (one, or a package's many); empty for one outside the repository,
   * null when it should be inside (a relative path) but is not there.
   */
  resolve(specifier: string, fromPath: string): readonly string[] | null;
  /** The modules that other repositories can ask for, as they write it, with their files. */
  published?(): Iterable<{ specifier: string; paths: readonly string[] }>;
}

/** Files that come with the sources of a package and are no part of it. */
export const isOutsidePackage = (path: string) =>
  /(?:^|\/)(?:tests?|testing|testdata|__tests__|specs?|_?examples?|docs?|bench(?:es|marks?)?|scripts|vendor|node_modules)\//u.test(
    path,
  );
