/**
 * One framework or format whose endpoints or data models are found. Adding one is one file of this shape beside this one, and its
 * line in index.ts. A detector is patterns over the text of a file, which has been parsed already: what follows an annotation,
 * and what is around a place, is known from the facts.
 */
export interface Detector {
  /** Its file's name. */
  id: string;
  /** As its makers write it. */
  title: string;
  /** Linguist's names of the languages that it is used in; none for a format of its own (`files`). */
  languages: readonly string[];
  /** Only in files with such paths; these are read even where their language is no programming language. */
  files?: RegExp;
  /** In the text of every file in which anything is found; looked for first, so that other files cost nothing. */
  hint: RegExp;
  /** The modules that a file imports where this is used; in other files nothing is found. Absent for what can't be mistaken. */
  uses?: RegExp;
  /** Its objects are handed to files that import nothing of it: there, a package of this name in a manifest is enough. */
  handedOn?: true;
  /** Variables that are routers though the file does not say so: parameters, imports. Absent: any. */
  routers?: RegExp;
  /** The address that a file has by its place alone; null for one that has none. */
  location?(path: string): string | null;
  /** A class below a model is one too. */
  inherited?: true;
  /** The class does not name the model's fields. */
  fieldless?: true;
  patterns?: readonly Pattern[];
  /** For documents that are data: everything that one of them says. Throws on what it can't parse. */
  read?(text: string, path: string): readonly Found[];
}

/** What the named groups of a pattern have matched. */
export type Groups = Readonly<Record<string, string | undefined>>;

/**
 * A global regular expression; named groups say what was found, all of them optional but those in brackets.
 * - `endpoint`: `method`, `path`, `router` on which it is declared, `handler`: what follows the path, up to the end of the call
 * - `router`: a variable (`router`) that is one, under `prefix`, of the router `on`
 * - `mount`: (`router`), a variable, a module, a function that gives one or is given one, is found under `prefix` of the router `on`,
 *   or of `given`, which must be known as a router of this file
 * - `scope`: all endpoints in what follows, or in the block that begins here, are under `prefix`
 * - `request`: `method`, and `url`: what gives the address, up to the end of the call
 * - `model`: `name`, `table`, and `body`, in which `fields` finds the names of its fields
 */
export interface Pattern {
  gives: 'endpoint' | 'router' | 'mount' | 'scope' | 'model' | 'request';
  expression: RegExp;
  /** An annotation: it speaks of the definition that follows. */
  annotates?: true;
  /** In `arguments` or after the path: the methods' names, `['GET', 'POST']`. */
  methods?: RegExp;
  /** Methods where none is written. */
  otherwise?: readonly string[];
  /** Methods are called one after another on what was found, each with its handler: `.route('/x').get(a).post(b)`. */
  chained?: true;
  /** Methods are called in the argument, each with its handler: `get(list).post(create)`. */
  calls?: RegExp;
  /** Several endpoints for which one line stands, with the handlers' names: `resources :users`. */
  expands?(groups: Groups): readonly { method: string; path: string; handler: string | null }[];
  /** The prefix of a scope, where it is not simply what is written. */
  prefixOf?(groups: Groups): string;
  /** Finds a field's name in group 1, in the text of the model's body. */
  fields?: RegExp;
  /** Names the handler as definitions are named: `users#show` is `UsersController.show`. */
  handlerName?(handler: string): string | null;
}

/** What a file says; `definition` and `within` are indexes of its facts' definitions, -1 where there is none. */
export type Found =
  | {
      gives: 'endpoint';
      method: string;
      /** As a template: `/users/{id}`; below its router's prefixes. */
      path: string;
      line: number;
      router: string | null;
      /** A chain of names as written. */
      handler: string | null;
      /** The handler, where it stands here. */
      definition: number;
      /** The definition around. */
      within: number;
    }
  | { gives: 'router'; router: string; prefix: string; on: string | null; line: number }
  | { gives: 'mount'; router: string; prefix: string; on: string | null; line: number; within: number }
  /** `path` has `{}` for what is computed. */
  | { gives: 'request'; method: string; host: string | null; path: string; line: number }
  | { gives: 'model'; name: string; table: string | null; fields: string[]; line: number; definition: number };

/** What one detector found in one file. */
export interface Detection {
  detector: string;
  /** The file itself imports what is used. */
  imported: boolean;
  found: Found[];
}
