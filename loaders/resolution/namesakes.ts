import { createNumberByText } from '../number-by-text.ts';
import { createNumbers } from '../numbers.ts';
import type { DefinitionRef } from './definition-ref.ts';
import { type Document, isFunction } from './documents.ts';

/** No number of a definition. */
const none = 2 ** 32 - 1;

/** Methods by their name, those of one family of languages together: what a call on a receiver that nobody knows may mean. */
export interface Namesakes {
  add(one: Document, document: number): void;
  /** All methods of this name; none where there are more than so many, or it names a function or a class's constructor, too. */
  get(family: string, name: string, atMost: number): readonly DefinitionRef[];
  /** Whether any function has this name. */
  has(family: string, name: string): boolean;
  /** Whether a class has this name in small letters, where names tell methods. */
  isClass(family: string, name: string): boolean;
  /** Whether members that hold a value have this name, where names tell methods. */
  isHeld(family: string, name: string): boolean;
}

export function createNamesakes(): Namesakes {
  /** Of each name the last of its methods; of a name that is not a method's alone, `none`. */
  const lastByName = createNumberByText();
  const held = createNumberByText();
  const classes = new Set<string>();
  const found = { document: createNumbers(), definition: createNumbers(), before: createNumbers() };
  return {
    add({ family, library, facts, semantics }, document) {
      if (library) return;
      if (semantics.namesTellMethods)
        for (const { kind, name: own, members } of facts.definitions) {
          if (kind === 'class') classes.add(`${family} ${own.toLowerCase()}`);
          for (const { name, definition } of members)
            if (definition < 0 && !name.startsWith('@')) held.set(`${family} ${name}`, 1);
        }
      facts.definitions.forEach((definition, index) => {
        if (!isFunction(definition) || definition.name === '') return;
        const key = `${family} ${definition.name}`;
        const last = lastByName.get(key);
        if (last === none || (definition.kind !== 'method' && !semantics.namesTellMethods)) {
          lastByName.set(key, none);
          return;
        }
        lastByName.set(key, found.document.length);
        found.document.add(document);
        found.definition.add(index);
        found.before.add(last ?? none);
      });
    },
    get(family, name, atMost) {
      const all: DefinitionRef[] = [];
      for (let at = lastByName.get(`${family} ${name}`) ?? none; at !== none; at = found.before.at(at)) {
        if (all.length === atMost) return [];
        all.push({ document: found.document.at(at), definition: found.definition.at(at) });
      }
      return all.toReversed();
    },
    has: (family, name) => lastByName.get(`${family} ${name}`) !== null,
    isClass: (family, name) => classes.has(`${family} ${name}`),
    isHeld: (family, name) => held.get(`${family} ${name}`) !== null,
  };
}
