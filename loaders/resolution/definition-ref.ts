/** A definition by where it stands: the number of its document, and its index in that document's facts; -1 for the document itself. */
export interface DefinitionRef {
  readonly document: number;
  readonly definition: number;
}

/** Do both name one definition? */
export const sameDefinition = (a: DefinitionRef, b: DefinitionRef): boolean =>
  a.document === b.document && a.definition === b.definition;

/** One number for a pair: a file has fewer definitions, and scopes, than 2 ** 24. */
export const pairKey = (document: number, inside: number): number => document * 2 ** 24 + inside;

/** What was said of several definitions, in the order in which it was said. */
export class DefinitionLists {
  readonly #lists = new Map<number, DefinitionRef[]>();

  add({ document, definition }: DefinitionRef, item: DefinitionRef): void {
    const key = pairKey(document, definition);
    const list = this.#lists.get(key);
    if (list) list.push(item);
    else this.#lists.set(key, [item]);
  }

  of(document: number, definition: number): readonly DefinitionRef[] {
    return this.#lists.get(pairKey(document, definition)) ?? none;
  }
}

const none: readonly DefinitionRef[] = [];
