import { ecosystemById } from '../../src/model/ecosystems/index.ts';
import type {
  Boundary,
  BoundaryRow,
  OutsideReference,
  PackageName,
  Requirement,
  Surface,
} from '../../src/model/snapshot.ts';
import type { Document } from '../facts/document.ts';
import type { Resolution } from '../resolution/resolution.ts';
import { type Origin, wayOf } from '../resolution/value.ts';
import { ecosystemOf } from '../manifests/count-imports.ts';
import type { SymbolIds } from './symbol-ids.ts';

/**
 * What links the symbols of a repository with those of others: what the packages that it publishes give, and what it uses of
 * those that it needs. Names of definitions are without the repository's. Gone through once.
 */
export function* boundary(
  {
    documents,
    resolution,
    publishes,
    requires,
  }: {
    documents: readonly Document[];
    resolution: Pick<Resolution, 'outside' | 'surface'>;
    publishes: readonly PackageName[];
    requires: readonly Requirement[];
  },
  { nameAt, numberOf, size }: SymbolIds,
): Generator<BoundaryRow> {
  yield* resolution.surface({
    published: (language, module) => moduleKey(publishes, language, { module, path: [] }, 'published'),
    required: (language, origin) => moduleKey(requires, language, origin, 'needed'),
    definition: nameAt,
    numberOf,
    size,
  });
  for (const { type, from, language, origin, line, weight, arguments: count } of resolution.outside) {
    const module = moduleKey(requires, language, origin, 'needed');
    const source = type === 'IMPORTS' ? '' : nameAt(from);
    const file = documents[from.document]?.path ?? '';
    if (module !== null && source !== null)
      yield { reference: { type, from: source, ...wayOf(module, origin), file, line, weight, arguments: count } };
  }
}

/** A boundary of its pieces. */
export function gatherBoundary(rows: Iterable<BoundaryRow>): Boundary {
  const surface: Surface = { modules: {}, classes: {}, results: {}, outside: {} };
  const references: OutsideReference[] = [];
  for (const row of rows) {
    if ('module' in row) surface.modules[row.module] = row.names;
    else if ('class' in row) surface.classes[row.class] = { bases: row.bases, members: row.members };
    else if ('function' in row) surface.results[row.function] = row.result;
    else if ('outside' in row) surface.outside[row.outside] = row.ways;
    else references.push(row.reference);
  }
  return { surface, references };
}

/** The module with its ecosystem, where it may be of one of these packages; else null. */
function moduleKey(
  packages: readonly PackageName[],
  language: string,
  { module, path: [first = ''] }: Origin,
  packagesAre: 'published' | 'needed',
): string | null {
  const ecosystem = ecosystemById(ecosystemOf(language));
  if (!ecosystem) return null;
  const { id, isModuleOf, mayBegin, languageModules, modulesAreNamedFreely: free } = ecosystem;
  const mayBeAny = free === 'always' || (free === 'published' && packagesAre === 'published');
  const isOf = ({ name, ...of }: PackageName) =>
    of.ecosystem === id && (module === '' ? mayBegin(name, first) : mayBeAny || isModuleOf(module, name));
  return packages.some(isOf) && !languageModules?.test(module || `${first}.`) ? `${id} ${module}` : null;
}
