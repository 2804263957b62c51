import type { FileFacts, TypeExpr } from '../../facts/fact.ts';
import { FactsBuilder, unknown } from './facts-builder.ts';

/** A type that a language brings. */
export interface OwnType {
  /** A `_` before it: no class. */
  name: string;
  /** What it converts to without being asked, the nearest first. */
  to: readonly string[];
}

/**
 * The types that every program of a language has, as facts of a file that is in none: by their names literals and overloads are
 * told apart. Nobody lists their members, and what else is above them is not known, but for the one above all.
 */
export function ownTypes(language: string, packageName: string, root: string, types: readonly OwnType[]): FileFacts {
  const file = new FactsBuilder(language, '', 0);
  file.facts.packageName = packageName;
  for (const { name, to } of types) {
    const definition = file.addDefinition({ kind: 'class', name, line: 1, endLine: 1, owner: -1, exported: true });
    const { bases } = file.definition(definition);
    for (const base of to) {
      const type: TypeExpr = { kind: 'reference', name: base, scope: 0, args: [] };
      bases.push({ expr: { kind: 'typed', type }, line: 1, how: 'extends' });
    }
    if (name !== root) bases.push({ expr: unknown, line: 1, how: 'implements' });
    file.addBinding(0, name, 1, { definition });
  }
  return file.facts;
}
