import type { Binding } from '../facts/fact.ts';
import { pairKey } from './definition-ref.ts';
import type { Engine } from './engine.ts';

/** What the scopes of a file bind, by name. */
export class Scopes {
  readonly #engine: Pick<Engine, 'documents' | 'memory'>;

  constructor(engine: Pick<Engine, 'documents' | 'memory'>) {
    this.#engine = engine;
  }

  /** The bindings of one scope; of one name the same list each time. */
  table(document: number, scope: number): ReadonlyMap<string, Binding[]> {
    const { documents, memory } = this.#engine;
    const key = pairKey(document, scope);
    const known = memory.scopeTables.get(key);
    if (known) return known;
    const table = Map.groupBy(documents.at(document).facts.scopes[scope]?.bindings ?? [], ({ name }) => name);
    memory.scopeTables.set(key, table);
    return table;
  }

  /** What the top of a file says of a name itself: no imports. */
  atTop(document: number, name: string): Binding[] {
    const { documents, memory } = this.#engine;
    const table = memory.made(memory.topTables, document, () =>
      Map.groupBy(
        (documents.at(document).facts.scopes[0]?.bindings ?? []).filter((binding) => binding.import < 0),
        (binding) => binding.name,
      ),
    );
    return table.get(name) ?? [];
  }

  /** The name at the top of a file of each definition that has one. */
  topNames(document: number): ReadonlyMap<number, string> {
    const { documents, memory } = this.#engine;
    return memory.made(memory.topNames, document, () => {
      const bindings = documents.at(document).facts.scopes[0]?.bindings ?? [];
      return new Map(bindings.map(({ definition, name }) => [definition, name] as const));
    });
  }
}
