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
import type { Origin } from '../resolution/value.ts';
import { ecosystemOf, isModuleOf } from '../manifests/count-imports.ts';
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
    published: (language, module) => moduleKey(publishes, language, { module, path: [] }, freelyNamed.surface),
    required: (language, origin) => moduleKey(requires, language, origin, freelyNamed.references),
    definition: nameAt,
    numberOf,
    size,
  });
  for (const { type, from, language, origin, line, weight, arguments: count } of resolution.outside) {
    const module = moduleKey(requires, language, origin, freelyNamed.references);
    const source = type === 'IMPORTS' ? '' : nameAt(from);
    const file = documents[from.document]?.path ?? '';
    if (module !== null && source !== null)
      yield { reference: { type, from: source, module, path: [...origin.path], file, line, weight, arguments: count } };
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

/** Modules of these are not always named as their packages are. */
const freelyNamed = {
  surface: new Set(['maven', 'pypi', 'nuget', 'rubygems']),
  references: new Set(['maven', 'nuget']),
};
/** What languages bring themselves. */
const isLanguages: Readonly<Record<string, RegExp>> = {
  // What all packages of a country or a kind begin with is nobody's.
  maven: /^(?:java|javax|jdk|kotlin|scala)(?:\.|$)|^(?:com|org|net|io|dev|app|co|me|edu|gov|[a-z]{2})$/,
  nuget:
    /^System(?:\.(?:Collections|Diagnostics|Globalization|IO|Linq|Net|Reflection|Runtime|Text|Threading)(?:\.\w+)?)?$/,
};

/** The module with its ecosystem, where it may be of one of these packages; else null. */
function moduleKey(
  packages: readonly PackageName[],
  language: string,
  { module, path: [first = ''] }: Origin,
  free: ReadonlySet<string>,
): string | null {
  const ecosystem = ecosystemOf(language);
  const isOf = ({ name, ...of }: PackageName) =>
    of.ecosystem === ecosystem &&
    (module === ''
      ? mayBegin(of.ecosystem, name, first)
      : free.has(ecosystem) || isModuleOf[of.ecosystem](module, name));
  return packages.some(isOf) && !isLanguages[ecosystem]?.test(module || `${first}.`) ? `${ecosystem} ${module}` : null;
}

/** Whether a way that is written in full may begin so. Ruby’s packages have no names in the source. */
function mayBegin(ecosystem: PackageName['ecosystem'], name: string, first: string): boolean {
  if (ecosystem === 'rubygems' || ecosystem === 'cargo')
    return ecosystem === 'rubygems' || name.replaceAll('-', '_') === first;
  return name.split(/[.:/]/, 1)[0]?.replaceAll('-', '').toLowerCase() === first.toLowerCase();
}
