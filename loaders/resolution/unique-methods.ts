import { createNumberByText } from '../number-by-text.ts';
import { createNumbers } from '../numbers.ts';
import type { DefinitionRef } from './definition-ref.ts';
import { type Document, isFunction } from './documents.ts';

/** No number of a definition. */
const ambiguous = 2 ** 32 - 1;

/** Methods whose name no other definition of the family has: of a receiver that nobody knows, the best guess. */
export interface UniqueMethods {
  add(one: Document, document: number): void;
  get(family: string, name: string): DefinitionRef | null;
}

export function createUniqueMethods(): UniqueMethods {
  const byName = createNumberByText();
  const found = { document: createNumbers(), definition: createNumbers() };
  return {
    add({ family, library, facts }, document) {
      if (library) return;
      facts.definitions.forEach((definition, index) => {
        if (!isFunction(definition) || definition.name === '') return;
        const key = `${family} ${definition.name}`;
        if (byName.get(key) !== null || definition.kind !== 'method') byName.set(key, ambiguous);
        else {
          byName.set(key, found.document.length);
          found.document.add(document);
          found.definition.add(index);
        }
      });
    },
    get(family, name) {
      const number = byName.get(`${family} ${name}`);
      if (number === null || number === ambiguous) return null;
      return { document: found.document.at(number), definition: found.definition.at(number) };
    },
  };
}
