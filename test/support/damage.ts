import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, rmSync, truncateSync, statSync, writeSync } from 'node:fs';

/** What disks and people do to a file, in place. */
export const damages = {
  'cut to half': (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  emptied: (file: string) => truncateSync(file, 0),
  'overwritten at the head': (file: string) => overwrite(file, () => 0),
  'overwritten in the middle': (file: string) => overwrite(file, (size) => Math.floor(size / 2)),
  deleted: (file: string) => rmSync(file),
} satisfies Record<string, (file: string) => void>;

export type Damage = keyof typeof damages;
export const damageNames = Object.keys(damages) as Damage[];

/** At most so many bytes from there on, the same each time, and never those that were there. */
function overwrite(file: string, from: (size: number) => number): void {
  const handle = openSync(file, 'r+');
  const { size } = fstatSync(handle);
  const start = from(size);
  const length = Math.min(16_384, size - start);
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, i) => createHash('sha256').update(`${i}`).digest());
  writeSync(handle, Buffer.concat(blocks), 0, length, start);
  closeSync(handle);
}

/** Some of these, the same for the same seed. */
export function drawn<T>(items: readonly T[], count: number, seed: number): T[] {
  const weightOf = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
  return items
    .map((item, index) => ({ item, weight: weightOf(index) }))
    .sort((a, b) => (a.weight < b.weight ? -1 : 1))
    .slice(0, count)
    .map(({ item }) => item);
}
