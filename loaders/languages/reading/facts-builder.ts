import { plainDefinition } from '../../facts/fact.ts';
import type { Binding, Call, Definition, Export, Expr, FileFacts, Import, Member } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';

/** Nothing known, as a value or a type. */
export const unknown = { kind: 'unknown' } as const;

/** A definition as it is added: what is not said is empty. */
export type NewDefinition = Partial<Definition> & Pick<Definition, 'kind' | 'name' | 'line' | 'endLine' | 'owner'>;

/** What a name is bound to. */
export type Bound = Partial<Omit<Binding, 'name' | 'line'>>;

/**
 * The facts of one file while they are written down; every language's extractor fills one. Scope 0 is the file's own. It knows
 * no syntax: what stands around a place, and what is hoisted, narrowed or hidden there, is the language's business.
 */
export class FactsBuilder {
  readonly facts: FileFacts;
  readonly source: string;
  /** The source of a node; empty for none. */
  readonly text = (node: Node | null | undefined): string =>
    node ? this.source.slice(node.startIndex, node.endIndex) : '';
  /** The line on which a node begins, from 1. */
  readonly line = (node: Node): number => node.startPosition.row + 1;

  constructor(language: string, source: string, lines: number) {
    this.source = source;
    this.facts = {
      language,
      lines,
      syntaxErrors: 0,
      unparsed: [],
      packageName: null,
      definitions: [],
      scopes: [{ parent: -1, definition: -1, bindings: [] }],
      imports: [],
      exports: [],
      calls: [],
      declared: [],
    };
  }

  /** Index of the new scope; `definition` is the one whose body it is. */
  addScope(parent: number, definition = -1, bindings: Binding[] = []): number {
    return this.facts.scopes.push({ parent, definition, bindings }) - 1;
  }

  addBinding(scope: number, name: string, line: number, to: Bound): void {
    this.facts.scopes[scope]?.bindings.push(newBinding(name, line, to));
  }

  /** Index of the new definition; where no qualified name is given it follows from the owner's. */
  addDefinition(wanted: NewDefinition): number {
    const { kind, name, line, endLine, owner } = wanted;
    const around = this.facts.definitions[owner]?.qualifiedName ?? '';
    const qualifiedName = wanted.qualifiedName ?? qualified(around, name);
    const place = { kind, name, qualifiedName, line, endLine, owner, scope: -1, exported: false };
    return this.facts.definitions.push({ ...place, ...plainDefinition(), ...wanted, qualifiedName }) - 1;
  }

  /** Throws a `RangeError` where there is none of this index. */
  definition(index: number): Definition {
    const found = this.facts.definitions[index];
    if (!found) throw new RangeError(`There is no definition ${index}.`);
    return found;
  }

  /** Qualified name of the nearest definition that has a name, from `owner` outwards; empty at the top of the file. */
  qualifiedNameAround(owner: number): string {
    for (let index = owner; index >= 0;) {
      const around = this.definition(index);
      if (around.name !== '') return around.qualifiedName;
      index = around.owner;
    }
    return '';
  }

  /** Adds a member to a class or object. */
  addMember(definition: number, name: string, member: Partial<Omit<Member, 'name'>>): void {
    this.facts.definitions[definition]?.members.push(newMember(name, member));
  }

  /** Index of the new import. */
  addImport(wanted: Pick<Import, 'module' | 'name'> & Partial<Import>, line: number): number {
    return this.facts.imports.push({ local: '', line, typeOnly: false, ...wanted }) - 1;
  }

  addExport(name: string, line: number, rest: Partial<Omit<Export, 'name' | 'line'>>): void {
    this.facts.exports.push({ name, value: null, from: null, imported: null, line, ...rest });
  }

  /** Index of the new call. */
  addCall(call: Call): number {
    return this.facts.calls.push(call) - 1;
  }

  /** The call whose result an expression is; undefined for any other expression. */
  callOf(result: Expr): Call | undefined {
    return result.kind === 'result' ? this.facts.calls[result.call] : undefined;
  }
}

/** A binding; what is not said is empty. */
export function newBinding(name: string, line: number, to: Bound): Binding {
  return { name, definition: -1, import: -1, value: null, type: null, line, ...to };
}

/** A member; what is not said is empty. */
export function newMember(name: string, member: Partial<Omit<Member, 'name'>>): Member {
  return { name, definition: -1, value: null, type: null, isStatic: false, ...member };
}

/** The name of something inside something else, either of which may have none. */
export function qualified(around: string, name: string): string {
  return around === '' || name === '' ? around + name : `${around}.${name}`;
}
