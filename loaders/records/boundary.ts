import type { Boundary, PackageName, Requirement } from '../../src/model/snapshot.ts';
import type { Document } from '../facts/extract-all.ts';
import type { Place, Resolution } from '../facts/resolve.ts';
import { ecosystemOf, isModuleOf } from '../manifests/count-imports.ts';

/**
 * What links the symbols of a repository with those of others: what the packages that it publishes give, and what it uses of
 * those that it needs. Names of definitions are without the repository's.
 */
export function boundary(
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
  idAt: (place: Place) => string | null,
): Boundary {
  const nameAt = (place: Place) => idAt(place)?.replace(/^[^/]*\//, '') ?? null;
  const languageOf = (document: number) => {
    documents[document]?.release?.();
    return documents[document]?.facts.language ?? '';
  };
  return {
    surface: resolution.surface(
      (language, module) => moduleKey(publishes, language, module, freelyNamed.surface),
      nameAt,
    ),
    references: resolution.outside.flatMap(({ type, from, origin, line, weight, arguments: count }) => {
      const module = moduleKey(requires, languageOf(from.document), origin.module, freelyNamed.references);
      const source = type === 'IMPORTS' ? '' : nameAt(from);
      if (module === null || source === null) return [];
      const file = documents[from.document]?.path ?? '';
      return [{ type, from: source, module, path: [...origin.path], file, line, weight, arguments: count }];
    }),
  };
}

/** Modules of these are not always named as their packages are. */
const freelyNamed = { surface: new Set(['maven', 'pypi']), references: new Set(['maven']) };
/** What languages bring themselves. */
const isLanguages = /^(?:java|javax|jdk|kotlin|scala)(?:\.|$)/;

/** The module with its ecosystem, where it may be of one of these packages; else null. */
function moduleKey(
  packages: readonly PackageName[],
  language: string,
  module: string,
  free: ReadonlySet<string>,
): string | null {
  const ecosystem = ecosystemOf(language);
  const isOf = ({ name, ...of }: PackageName) =>
    of.ecosystem === ecosystem && (free.has(ecosystem) || isModuleOf[of.ecosystem](module, name));
  return packages.some(isOf) && !(ecosystem === 'maven' && isLanguages.test(module)) ? `${ecosystem} ${module}` : null;
}
