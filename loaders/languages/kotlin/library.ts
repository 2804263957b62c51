import type { FileFacts } from '../../facts/fact.ts';
import { ownTypes } from '../reading/own-types.ts';

const names = 'Any String Int Long Short Byte Char Boolean Float Double UInt ULong UShort UByte Unit Nothing'.split(
  ' ',
);

let known: readonly { path: string; facts: FileFacts }[] | undefined;

/** Kotlin's own types, which convert to nothing but what is above all. */
export function library(): readonly { path: string; facts: FileFacts }[] {
  const types = names.map((name) => ({ name, to: name === 'Any' ? [] : ['Any'] }));
  return (known ??= [{ path: 'kotlin/own-types', facts: ownTypes('kotlin', 'kotlin', 'Any', types) }]);
}
