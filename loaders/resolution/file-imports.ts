import type { Import } from '../facts/fact.ts';
import type { Document as SpooledDocument } from '../facts/document.ts';
import type { FileImport, FileName } from '../facts/file-import.ts';
import type { RepositoryFiles } from '../languages/language.ts';
import { importsOutsideOf, pathsOfLibraries } from './import-edges.ts';
import type { Document } from './documents.ts';
import { prepare } from './prepare.ts';
import type { ExternalImport } from './resolution.ts';

/** What the imports alone say of a repository, for who needs not know who calls whom. */
export function importsOf(
  files: readonly SpooledDocument[],
  repository: Omit<RepositoryFiles, 'packageOf'>,
): { outside: ExternalImport[]; inside: FileImport[]; names: FileName[] } {
  const documents = prepare(files, repository);
  const libraryPaths = pathsOfLibraries(documents);
  const outside: ExternalImport[] = [];
  const inside: FileImport[] = [];
  const names: FileName[] = [];
  for (const [index, document] of documents.entries()) {
    if (document.library) continue;
    outside.push(...importsOutsideOf(document, index, libraryPaths));
    const own = [...importsInsideOf(document, libraryPaths)];
    inside.push(...own.map(({ path, line, to, typeOnly }) => ({ path, line, to, typeOnly })));
    for (const each of namesIn(document, own)) names.push(each);
    files[index]?.release?.();
  }
  return { outside, inside, names };
}

interface ImportInside extends FileImport, Pick<Import, 'module' | 'name' | 'local'> {}

function* importsInsideOf(
  { facts, modules, path, semantics }: Document,
  libraryPaths: ReadonlySet<string>,
): Generator<ImportInside> {
  for (const { module, name, local, line, typeOnly } of facts.imports) {
    if (line === 0) continue;
    const submodule = /^\**$/.test(name) ? null : semantics.submodule(module, name);
    const inSubmodule = (submodule !== null && modules.resolve(submodule, path)) || [];
    const found = inSubmodule.length > 0 ? inSubmodule : (modules.resolve(module, path) ?? []);
    const to = found.filter((other) => other !== path && !libraryPaths.has(other));
    if (to.length > 0) yield { path, line, to: to.length > 1 ? named(to, name) : to, typeOnly, module, name, local };
  }
}

/** What a file calls what it has from others, and what it gives to others under another name. */
function* namesIn({ path, facts, semantics }: Document, inside: readonly ImportInside[]): Generator<FileName> {
  for (const { name, local, to } of inside) {
    const there = lastOf(name);
    // Elsewhere a module is nothing that can be called.
    if (local !== '' && (there !== '*' || semantics.explicitExports))
      yield { path, local: bare(local), name: bare(there), to };
  }
  const toOf = new Map(inside.map(({ module, to }) => [module, to]));
  for (const { name: local, from, imported, value } of facts.exports) {
    const of = from ?? (value?.kind === 'import' ? facts.imports[value.import]?.module : undefined);
    if (of !== undefined) {
      const to = toOf.get(of);
      if (to) yield { path, local, name: from === null ? '*' : (imported ?? local), to };
    } else if ((value?.kind === 'name' || value?.kind === 'member') && value.name !== local)
      yield { path, local, name: value.name, to: [path] };
  }
}

/** PHP has functions apart from classes. */
const bare = (name: string) => name.replace(/\(\)$/, '');
const lastOf = (name: string) => name.slice(name.lastIndexOf('.') + 1);

/** Of a package’s files the one that is called as what is asked for, where there is one. */
function named(paths: readonly string[], name: string): readonly string[] {
  const one = paths.find((path) => path.slice(path.lastIndexOf('/') + 1).startsWith(`${name}.`));
  return one === undefined ? paths : [one];
}
