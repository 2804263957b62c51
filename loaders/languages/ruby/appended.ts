import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr } from '../../facts/fact.ts';
import { partsOf, type Place, type SourceFile } from '../reading/source-file.ts';
import { assignLocal, isLocal, valuesOf } from './scopes.ts';

/** Methods that put what they are given into what they are called on. */
export const appends = /^(?:push|append|unshift|prepend|add)$/;

/** What is put into a variable or what an accessor holds, `@all << one`, is an element of it. */
export function appended(file: SourceFile, target: Node | null | undefined, value: Expr, place: Place): void {
  const holds: Expr = { kind: 'array', elements: [value] };
  const isMember = place.type >= 0;
  if (target?.type === 'instance_variable' || target?.type === 'class_variable') {
    if (isMember) file.member(place.type, file.text(target), { value: holds });
  } else if (target?.type === 'identifier') {
    const name = file.text(target);
    if (!isLocal(file, name, place)) {
      if (isMember) file.member(place.type, `@${name}`, { value: holds });
    } else if (valuesOf(file, name, place).some(({ kind }) => kind === 'array' || kind === 'tuple'))
      assignLocal(file, name, holds, target, place);
  } else if (target?.type === 'call' && isMember && target.childForFieldName('receiver')?.type === 'self') {
    const isRead = partsOf(target.childForFieldName('arguments')).length === 0;
    if (isRead) file.member(place.type, `@${file.text(target.childForFieldName('method'))}`, { value: holds });
  }
}
