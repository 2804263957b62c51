import type { FileFacts } from '../../facts/fact.ts';
import { ownTypes } from '../reading/own-types.ts';

/** The types that C# has keywords for, the names that they have in the library, and what each converts to without being asked. */
export const keywordTypes: readonly { name: string; keyword: string; alias: string; to: string }[] = [
  { name: 'object', keyword: 'object', alias: 'Object', to: '' },
  { name: 'string', keyword: 'string', alias: 'String', to: 'object' },
  { name: '_decimal', keyword: 'decimal', alias: 'Decimal', to: '' },
  { name: '_double', keyword: 'double', alias: 'Double', to: '' },
  { name: '_float', keyword: 'float', alias: 'Single', to: '_double' },
  { name: '_long', keyword: 'long', alias: 'Int64', to: '_float _double _decimal' },
  { name: '_ulong', keyword: 'ulong', alias: 'UInt64', to: '_float _double _decimal' },
  { name: '_int', keyword: 'int', alias: 'Int32', to: '_long _float _double _decimal' },
  { name: '_uint', keyword: 'uint', alias: 'UInt32', to: '_long _ulong _float _double _decimal' },
  { name: '_short', keyword: 'short', alias: 'Int16', to: '_int _long _float _double _decimal' },
  { name: '_ushort', keyword: 'ushort', alias: 'UInt16', to: '_int _uint _long _ulong _float _double _decimal' },
  { name: '_sbyte', keyword: 'sbyte', alias: 'SByte', to: '_short _int _long _float _double _decimal' },
  {
    name: '_byte',
    keyword: 'byte',
    alias: 'Byte',
    to: '_short _ushort _int _uint _long _ulong _float _double _decimal',
  },
  { name: '_char', keyword: 'char', alias: 'Char', to: '_ushort _int _uint _long _ulong _float _double _decimal' },
  { name: '_bool', keyword: 'bool', alias: 'Boolean', to: '' },
  { name: '_nint', keyword: 'nint', alias: 'IntPtr', to: '_long' },
];

let known: readonly { path: string; facts: FileFacts }[] | undefined;

/** C#'s own types. */
export function library(): readonly { path: string; facts: FileFacts }[] {
  const types = keywordTypes.map(({ name, to }) => ({ name, to: to.split(' ').filter((one) => one !== '') }));
  return (known ??= [{ path: 'csharp/own-types', facts: ownTypes('csharp', '', 'object', types) }]);
}
