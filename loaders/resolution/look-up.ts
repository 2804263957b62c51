import type { Definition, Expr } from '../facts/fact.ts';
import type { DefinitionRef } from './definition-ref.ts';
import type { Document } from './documents.ts';
import type { Engine } from './engine.ts';

/** Answers after resolution, for those who know a name from elsewhere than the facts. */
export interface LookUp {
  /** The definition that a chain of names stands for where it is written inside a definition (-1: at the top); null for what is none of ours. */
  find(document: number, names: string, within: number): DefinitionRef | null;
  /** The class that a definition which is written apart from it belongs to: Go's methods; null for any other definition. */
  ownerOf(ref: DefinitionRef): DefinitionRef | null;
  /** The documents that an import's text leads to, or the import of this name. */
  modules(document: number, specifier: string): readonly number[];
}

/** Looks names up with the engine that resolution has used. */
export function createLookUp({ documents, expressions, classes }: Engine): LookUp {
  return {
    find(document, names, within) {
      const facts = documents.list[document]?.facts;
      const [first, ...rest] = names.split(/\.|::/);
      if (!facts || !first) return null;
      let expr: Expr = { kind: 'name', name: first, scope: scopeIn(facts.definitions, within) };
      if (first === 'this' || first === 'self') expr = { kind: 'self', definition: within };
      for (const name of rest) expr = { kind: 'member', object: expr, name };
      for (const value of expressions.evaluate(document, expr)) {
        if (value.kind !== 'function' && value.kind !== 'class') continue;
        if (documents.at(value.document).library) continue;
        return { document: value.document, definition: value.definition };
      }
      return null;
    },
    ownerOf({ document, definition }) {
      if (!documents.list[document]?.facts.definitions[definition]?.receiver) return null;
      const owner = classes.receiver(document, definition);
      return owner ? { document: owner.document, definition: owner.definition } : null;
    },
    modules(document, specifier) {
      const own = documents.list[document];
      if (!own) return [];
      const first = specifier.split(/\.|::/)[0];
      const imported = own.facts.imports.find(({ local }) => local !== '' && (local === specifier || local === first));
      const texts = imported ? [imported.module, submodule(own, imported)] : [specifier];
      return texts
        .flatMap((text) => (text === null ? [] : (own.modules.resolve(text, own.path) ?? [])))
        .map((path) => documents.numberOf(path))
        .filter((index) => index !== undefined)
        .filter((index) => !documents.at(index).library);
    },
  };
}

/** `from . import users` may name a module of its own. */
function submodule({ semantics }: Document, { module, name }: { module: string; name: string }): string | null {
  return name === '' || name.startsWith('*') ? null : semantics.submodule(module, name);
}

function scopeIn(definitions: readonly Definition[], within: number): number {
  for (let index = within; index >= 0; index = definitions[index]?.owner ?? -1) {
    const scope = definitions[index]?.scope ?? -1;
    if (scope >= 0) return scope;
  }
  return 0;
}
