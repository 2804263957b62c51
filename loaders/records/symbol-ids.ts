import { nodeId } from '../../src/model/graph.ts';
import type { Document } from '../facts/document.ts';
import type { Definition } from '../facts/fact.ts';
import type { DefinitionRef } from '../resolution/definition-ref.ts';
import { createPackedTexts } from './packed-texts.ts';

/** The ids of what a repository defines, by place. */
export interface SymbolIds {
  /** Null for what makes no node. */
  idAt(place: DefinitionRef): string | null;
  /** The same without the repository's name. */
  nameAt(place: DefinitionRef): string | null;
  /** From 0 and below `size`, another for each place. */
  numberOf(place: DefinitionRef): number;
  readonly size: number;
}

/** Gives every function and class its id. Of each only what follows the path is kept, for there are many. */
export function symbolIds(repository: string, documents: readonly Document[]): SymbolIds {
  const names = createPackedTexts();
  const firsts = new Uint32Array(documents.length);
  for (const [document, { path, facts, release }] of documents.entries()) {
    firsts[document] = names.length;
    const seen = new Set<string>();
    for (const definition of facts.definitions) {
      const { qualifiedName, line } = definition;
      let id = isNode(definition) ? nodeId.symbol(repository, path, qualifiedName) : '';
      for (let ordinal = 0; id !== '' && seen.has(id); ordinal++) {
        // Two of one name on one line (minified code) still differ.
        id = `${nodeId.symbol(repository, path, qualifiedName, line)}${ordinal === 0 ? '' : `.${ordinal}`}`;
      }
      seen.add(id);
      names.add(id.slice(repository.length + 1 + path.length));
    }
    release?.();
  }
  const inFile = `${repository}/`;
  const numberOf = ({ document, definition }: DefinitionRef) => (firsts[document] ?? 0) + definition;
  // What a language brings has no document here.
  const textAt = (place: DefinitionRef, before: string) => {
    const document = documents[place.document];
    if (!document || place.definition < 0) return null;
    const name = names.at(numberOf(place));
    return name === '' ? null : before + document.path + name;
  };
  return {
    idAt: (place) => textAt(place, inFile),
    nameAt: (place) => textAt(place, ''),
    numberOf,
    get size() {
      return names.length;
    },
  };
}

/** Anonymous ones and object literals make no node: what they hold belongs to what is around them. */
const isNode = ({ name, kind }: Definition) => name !== '' && kind !== 'object';
