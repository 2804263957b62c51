import { type DefinitionRef, sameDefinition } from './definition-ref.ts';
import type { Documents } from './documents.ts';
import type { Compiled } from './resolution.ts';

/** What a compiler says of names, beside what was found here. */
export class CompilerAnswers {
  readonly #documents: Documents;
  readonly #compiled: Compiled | null;

  constructor(documents: Documents, compiled: Compiled | null) {
    this.#documents = documents;
    this.#compiled = compiled;
  }

  /** What it says of a name, if it says one thing; of several, those that were found here too; null where it says nothing. */
  of(document: number, line: number, name: string, found: readonly DefinitionRef[]): readonly DefinitionRef[] | null {
    const said = name === '' ? null : (this.#compiled?.named(document, line, name) ?? null);
    if (said === null) return null;
    // Which overload is meant is not said.
    const both = found.filter((one) => said.flat().some((other) => sameDefinition(one, other)));
    if (both.length > 0) return both;
    if (said.length > 1) return null;
    const all = said[0] ?? [];
    const withBody = all.filter(
      (one) => !this.#documents.at(one.document).facts.definitions[one.definition]?.isAbstract,
    );
    return withBody.length > 0 ? withBody : all.slice(0, 1);
  }
}
