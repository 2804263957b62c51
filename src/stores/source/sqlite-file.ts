import type { SQLOutputValue } from 'node:sqlite';
import type { LeftOut } from '../../model/snapshot.ts';
import type { StoredFile } from './port.ts';

/** The file of a row with these four columns. */
export function fileOf(row: Record<string, SQLOutputValue>): StoredFile {
  const leftOut = row['left_out'];
  return {
    path: String(row['path']),
    language: row['language'] === null ? null : String(row['language']),
    test: row['test'] === 1,
    ...(leftOut === null ? {} : { left_out: leftOut as LeftOut }),
  };
}
