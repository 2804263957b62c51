import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr } from '../../facts/fact.ts';
import type { Place, SourceFile } from '../reading/source-file.ts';

/** Whether a variable of this name is known here; a method or class sees none from around it. */
export function isLocal(file: SourceFile, name: string, place: Place): boolean {
  return scopeOf(file, name, place) !== null;
}

/** Gives a variable a value: the one that is known here, or a new one of the method or block. */
export function assignLocal(file: SourceFile, name: string, value: Expr, node: Node, place: Place): void {
  const scope = scopeOf(file, name, place) ?? innermost(file, place);
  file.bind({ ...place, scope }, name, node, { value });
}

/** The values that a variable that is known here was given so far. */
export function valuesOf(file: SourceFile, name: string, place: Place): readonly Expr[] {
  const found = file.facts.scopes[scopeOf(file, name, place) ?? -1];
  return (found?.bindings ?? []).flatMap((one) => (one.name === name && one.value ? [one.value] : []));
}

function scopeOf(file: SourceFile, name: string, place: Place): number | null {
  for (let scope = place.scope; scope >= 0;) {
    const found = file.facts.scopes[scope];
    if (!found) return null;
    if (found.bindings.some((one) => one.name === name && one.definition < 0)) return scope;
    if (found.definition >= 0 && file.definition(found.definition).name !== '') return null;
    scope = found.parent;
  }
  return null;
}

/** A block that only narrows has no variables of its own. */
function innermost(file: SourceFile, place: Place): number {
  for (let scope = place.scope; ;) {
    const found = file.facts.scopes[scope];
    if (!found || found.definition >= 0 || found.parent < 0) return scope;
    scope = found.parent;
  }
}
