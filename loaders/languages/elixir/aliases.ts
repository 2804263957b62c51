import type { SourceFile } from '../reading/source-file.ts';

/** What short names of modules mean where: `alias` holds from there to the end of what it stands in. */
export class Aliases {
  readonly #ofScope = new Map<number, Map<string, string>>();
  /** A module sees no function of the one around it, but its aliases. */
  readonly #around = new Map<number, number>();

  add(scope: number, local: string, module: string): void {
    const known = this.#ofScope.get(scope) ?? new Map<string, string>();
    this.#ofScope.set(scope, known.set(local, module));
  }

  /** The scope of a module stands in this one. */
  stands(scope: number, around: number): void {
    this.#around.set(scope, around);
  }

  /** The full name of a module that is written so here. */
  full(file: SourceFile, written: string, from: number): string {
    const [first = '', ...rest] = written.split('.');
    for (let scope = from; scope >= 0; scope = this.#around.get(scope) ?? file.facts.scopes[scope]?.parent ?? -1) {
      const module = this.#ofScope.get(scope)?.get(first);
      if (module !== undefined) return [module, ...rest].join('.');
    }
    return written.replace(/^Elixir\./, '');
  }
}

/** What a module is bound to at the top of its file: names with a dot would be looked up part by part. */
export function boundName(module: string): string {
  return module.replaceAll('.', '/');
}
