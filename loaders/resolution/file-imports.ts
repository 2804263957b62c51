import type { Document as SpooledDocument } from '../facts/document.ts';
import type { FileImport } from '../facts/file-import.ts';
import type { RepositoryFiles } from '../languages/language.ts';
import { importsOutsideOf, pathsOfLibraries } from './import-edges.ts';
import type { Document } from './documents.ts';
import { prepare } from './prepare.ts';
import type { ExternalImport } from './resolution.ts';

/** What the imports alone say of a repository, for who needs not know who calls whom. */
export function importsOf(
  files: readonly SpooledDocument[],
  repository: Omit<RepositoryFiles, 'packageOf'>,
): { outside: ExternalImport[]; inside: FileImport[] } {
  const documents = prepare(files, repository);
  const libraryPaths = pathsOfLibraries(documents);
  const outside: ExternalImport[] = [];
  const inside: FileImport[] = [];
  for (const [index, document] of documents.entries()) {
    if (document.library) continue;
    outside.push(...importsOutsideOf(document, index, libraryPaths));
    inside.push(...importsInsideOf(document, libraryPaths));
    files[index]?.release?.();
  }
  return { outside, inside };
}

function* importsInsideOf(
  { facts, modules, path, semantics }: Document,
  libraryPaths: ReadonlySet<string>,
): Generator<FileImport> {
  for (const { module, name, line, typeOnly } of facts.imports) {
    if (line === 0) continue;
    const submodule = /^\**$/.test(name) ? null : semantics.submodule(module, name);
    const inSubmodule = (submodule !== null && modules.resolve(submodule, path)) || [];
    const found = inSubmodule.length > 0 ? inSubmodule : (modules.resolve(module, path) ?? []);
    const to = found.filter((other) => other !== path && !libraryPaths.has(other));
    if (to.length > 0) yield { path, line, to: to.length > 1 ? named(to, name) : to, typeOnly };
  }
}

/** Of a package’s files the one that is called as what is asked for, where there is one. */
function named(paths: readonly string[], name: string): readonly string[] {
  const one = paths.find((path) => path.slice(path.lastIndexOf('/') + 1).startsWith(`${name}.`));
  return one === undefined ? paths : [one];
}
