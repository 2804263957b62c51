import { createRowSpool } from '../row-spool.ts';
import type { TemporaryFile } from '../temporary-file.ts';
import type { OutsideUse } from './resolution.ts';

/** What a repository uses of others, document by document; gone through in the order in which it was found. */
export interface OutsideUses extends Iterable<OutsideUse> {
  /** Of several uses of the same from one place one is made. `isApart`: any document may say the same of this place. */
  add(use: OutsideUse, isApart: boolean): void;
  /** Nothing more comes from this document. */
  endDocument(): void;
}

/** Without a use; the temporary file takes them where they are many. */
export function createOutsideUses(file: TemporaryFile): OutsideUses {
  const spool = createRowSpool<OutsideUse>(file);
  const ofDocument = new Map<string, OutsideUse>();
  /** With how many of the others come before. */
  const apart = new Map<string, { use: OutsideUse; before: number }>();
  return {
    add(use, isApart) {
      const key = keyOf(use);
      const known = isApart ? apart.get(key)?.use : ofDocument.get(key);
      if (known) count(known, use);
      else if (isApart) apart.set(key, { use, before: spool.length + ofDocument.size });
      else ofDocument.set(key, use);
    },
    endDocument() {
      for (const use of ofDocument.values()) spool.add(use);
      ofDocument.clear();
    },
    *[Symbol.iterator]() {
      const byPlace = Map.groupBy(apart.values(), ({ before }) => before);
      let place = 0;
      for (const use of spool) {
        for (const each of byPlace.get(place) ?? []) yield each.use;
        yield use;
        place++;
      }
      for (const each of byPlace.get(place) ?? []) yield each.use;
    },
  };
}

/** Once more; the line is the first. */
function count(known: OutsideUse, { line }: OutsideUse): void {
  known.weight++;
  known.line = Math.min(known.line, line);
}

/** Calls with other numbers of arguments may mean other functions. */
const keyOf = ({ type, from, origin, arguments: args }: OutsideUse) =>
  `${type} ${from.document} ${from.definition} ${args} ${origin.module} ${origin.path.join(' ')} in ${origin.around?.join(' ') ?? ''}`;
