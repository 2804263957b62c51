import type { FileFacts } from '../../facts/fact.ts';
import { ownTypes } from '../reading/own-types.ts';

/** Scala's own types, with what each converts to without being asked. */
const types: Readonly<Record<string, string>> = {
  Any: '',
  AnyRef: 'Any',
  AnyVal: 'Any',
  String: 'AnyRef',
  Double: 'AnyVal',
  Float: 'Double AnyVal',
  Long: 'Float Double AnyVal',
  Int: 'Long Float Double AnyVal',
  Char: 'Int Long Float Double AnyVal',
  Short: 'Int Long Float Double AnyVal',
  Byte: 'Short Int Long Float Double AnyVal',
  Boolean: 'AnyVal',
  Unit: 'AnyVal',
};

let known: readonly { path: string; facts: FileFacts }[] | undefined;

/** Facts of Scala's own types. */
export function library(): readonly { path: string; facts: FileFacts }[] {
  const all = Object.entries(types).map(([name, to]) => ({ name, to: to.split(' ').filter((one) => one !== '') }));
  return (known ??= [{ path: 'scala/own-types', facts: ownTypes('scala', 'scala', 'Any', all) }]);
}
