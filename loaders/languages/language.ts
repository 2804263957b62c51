import type { Node } from 'web-tree-sitter';
import type { FileFacts } from '../facts/fact.ts';

/**
 * One programming language. Adding one is one file of this shape beside this one, and its line in index.ts:
 * extraction is pure (tree in, facts out); `modules` says how an import's text leads to files of the same repository.
 */
export interface Language {
  /** As linguist names it, in lower case: `typescript`. */
  id: string;
  extensions: readonly string[];
  /** File names without an extension that are of this language. */
  filenames?: readonly string[];
  /** Module specifier of the grammar's wasm: `tree-sitter-python/tree-sitter-python.wasm`. */
  grammar: string;
  /** Languages whose definitions it can see: TypeScript and JavaScript are one family. */
  family: string;
  extract(root: Node, source: string, path: string): FileFacts;
  modules: ModuleResolution;
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
}
