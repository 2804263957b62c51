import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr } from '../../facts/fact.ts';
import { partsOf, type Place, type SourceFile } from '../reading/source-file.ts';
import { assignLocal, isLocal, valuesOf } from './scopes.ts';

/** Methods that put what they are given into what they are called on. */
export const appends = /^(?:push|append|unshift|prepend|add)$/;

/** What is put into one variable more often is most likely more of the same, as in a table that was generated. */
const maxAppended = 16;
/** Of each file, how often something was put into a variable, by where it is known. */
const counts = new WeakMap<SourceFile, Map<string, number>>();

/** What is put into a variable or what an accessor holds, `@all << one`, is an element of it. */
export function appended(file: SourceFile, target: Node | null | undefined, value: Expr, place: Place): void {
  const name = target && keptAs(file, target);
  if (!target || !name || !isFew(file, name, place)) return;
  const holds: Expr = { kind: 'array', elements: [value] };
  const isVariable = target.type === 'identifier' && isLocal(file, name, place);
  if (!isVariable) {
    if (place.type >= 0) file.member(place.type, target.type === 'identifier' ? `@${name}` : name, { value: holds });
  } else if (valuesOf(file, name, place).some(({ kind }) => kind === 'array' || kind === 'tuple'))
    assignLocal(file, name, holds, target, place);
}

/** The variable that a receiver is, or the one that an accessor of `self` reads; null where it is anything else. */
function keptAs(file: SourceFile, target: Node): string | null {
  if (/^(?:instance_variable|class_variable|identifier)$/.test(target.type)) return file.text(target);
  const isOwn = target.type === 'call' && target.childForFieldName('receiver')?.type === 'self';
  if (!isOwn || partsOf(target.childForFieldName('arguments')).length > 0) return null;
  return `@${file.text(target.childForFieldName('method'))}`;
}

function isFew(file: SourceFile, name: string, { type, definition, scope }: Place): boolean {
  const own = counts.get(file) ?? new Map<string, number>();
  counts.set(file, own);
  const key = name.startsWith('@') ? `${type} ${name}` : `${type} ${definition} ${scope} ${name}`;
  const count = (own.get(key) ?? 0) + 1;
  own.set(key, count);
  return count <= maxAppended;
}
