import type { Document } from '../facts/document.ts';
import type { DefinitionRef } from '../resolution/definition-ref.ts';
import type { Compiled } from '../resolution/resolution.ts';
import type { ScipDocument, ScipIndex } from './read-index.ts';
import { partsOf, withoutConstructor } from './symbol-parts.ts';

/** An index as it was read, with what tells its bytes from others. */
export interface ScipFile extends ScipIndex {
  sha256: string;
}

/** A file whose definitions lie elsewhere in more cases than this was changed since it was indexed. */
const maxMoved = 0.1;

/** Brings what indexes say to our definitions. What an index can't be believed in is a warning, and stays as we see it. */
export function compiledBy(
  indexes: readonly ScipIndex[],
  documents: readonly Document[],
  publishes: readonly { name: string }[],
): { compiled: Compiled; warnings: string[] } {
  const byPath = new Map(documents.map(({ path }, index) => [path, index]));
  const ours = documents.map(({ facts }) => {
    const byLine = Map.groupBy(facts.definitions.keys(), (index) => facts.definitions[index]?.line ?? 0);
    return { names: new Set(facts.definitions.map(({ name }) => name)), byLine };
  });
  const warnings: string[] = [];
  /** Where each symbol is defined. */
  const places = new Map<string, DefinitionRef[]>();
  const packages = new Set(publishes.map(({ name }) => name));
  const references = new Map<string, Set<string>>();
  const bases = new Map<string, Set<string>>();

  const covered: { document: number; said: ScipDocument }[] = [];
  for (const { tool, documents: all } of indexes) {
    const prefix = prefixOf(all, byPath);
    const missing = all.filter(({ path }) => !byPath.has(prefix + path));
    if (missing.length > 0)
      warnings.push(
        `scip_foreign: ${missing.length} of ${all.length} files of the index by ${tool} are not among the files that were read, as ${JSON.stringify(missing[0]?.path)}.`,
      );
    const moved: string[] = [];
    for (const said of all) {
      const document = byPath.get(prefix + said.path);
      if (document === undefined) continue;
      if (isOutdated(document, said)) moved.push(said.path);
      else covered.push({ document, said });
    }
    if (moved.length > 0)
      warnings.push(
        `scip_outdated: ${moved.length} of ${all.length} files of the index by ${tool} were changed since, as ${JSON.stringify(moved[0])}: index them again. Until then they are resolved without it.`,
      );
  }
  for (const { document, said } of covered) {
    for (const { line, symbol: named, isDefinition } of said.occurrences) {
      const symbol = withoutConstructor(named);
      const parts = partsOf(symbol);
      if (!parts || (isDefinition && symbol !== named)) continue;
      if (!isDefinition) {
        const key = `${document} ${line} ${parts.name}`;
        references.set(key, (references.get(key) ?? new Set()).add(symbol));
        continue;
      }
      packages.add(parts.package);
      const definition = definitionAt(document, line, parts.name);
      if (definition !== undefined) places.set(symbol, [...(places.get(symbol) ?? []), { document, definition }]);
    }
    for (const { symbol, of } of said.implementations) bases.set(symbol, (bases.get(symbol) ?? new Set()).add(of));
  }
  return { compiled: { named: candidates, bases: [...basesOf()] }, warnings };

  function definitionAt(document: number, line: number, name: string): number | undefined {
    return ours[document]?.byLine
      .get(line)
      ?.find((index) => documents[document]?.facts.definitions[index]?.name === name);
  }

  /** Is much of what it defines now defined on other lines? */
  function isOutdated(document: number, { occurrences }: ScipDocument): boolean {
    let [same, elsewhere] = [0, 0];
    for (const { line, symbol, isDefinition } of occurrences) {
      const isOurs = isDefinition && /(?:#|\)\.)$/u.test(symbol) && withoutConstructor(symbol) === symbol;
      const name = isOurs ? partsOf(symbol)?.name : undefined;
      if (name === undefined || !ours[document]?.names.has(name)) continue;
      if (definitionAt(document, line, name) === undefined) elsewhere++;
      else same++;
    }
    return elsewhere > maxMoved * (same + elsewhere);
  }

  function candidates(document: number, line: number, name: string): ReturnType<Compiled['named']> {
    const symbols = references.get(`${document} ${line} ${name}`);
    if (!symbols) return null;
    const found: DefinitionRef[][] = [];
    for (const symbol of symbols) {
      const at = places.get(symbol);
      if (at) found.push(at);
      // Of the repository's own packages, yet defined in no file that the index has.
      else if (packages.has(partsOf(symbol)?.package ?? '')) return null;
    }
    return found;
  }

  function* basesOf(): Generator<{ from: DefinitionRef; to: DefinitionRef }> {
    for (const [symbol, all] of bases) {
      for (const of of all) {
        for (const from of places.get(symbol) ?? []) for (const to of places.get(of) ?? []) yield { from, to };
      }
    }
  }
}

/** The folder in which the project lies that was indexed: that where most of its files are found. */
function prefixOf(said: readonly ScipDocument[], byPath: ReadonlyMap<string, number>): string {
  const counts = new Map<string, number>([['', said.filter(({ path }) => byPath.has(path)).length]]);
  if ((counts.get('') ?? 0) < said.length) {
    for (const { path: indexed } of said.slice(0, 5)) {
      for (const path of byPath.keys()) {
        if (!path.endsWith(`/${indexed}`)) continue;
        const prefix = path.slice(0, -indexed.length);
        if (!counts.has(prefix)) counts.set(prefix, said.filter((each) => byPath.has(prefix + each.path)).length);
      }
    }
  }
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
