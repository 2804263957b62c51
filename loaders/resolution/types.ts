import type { TypeExpr } from '../facts/fact.ts';
import type { Engine } from './engine.ts';
import { asTypes, type InstanceValue, unite, unknown, type Value, type Values } from './value.ts';

type Around = Pick<
  Engine,
  'documents' | 'memory' | 'trace' | 'names' | 'classes' | 'ancestors' | 'members' | 'generics' | 'expressions'
>;

/** What a value of a written type can be. */
export class Types {
  readonly #engine: Around;
  /** Types whose meaning is being asked something, by place. */
  readonly #open = new Set<string>();

  constructor(engine: Around) {
    this.#engine = engine;
  }

  of(document: number, type: TypeExpr): Values {
    if (type.kind === 'unknown') return unknown;
    const { memory } = this.#engine;
    return memory.cycles.remember(memory.types, type, unknown, () => this.#once(document, type));
  }

  /** What a named type stands for beside its own members: `type Names []string`, the fields of a named tuple. */
  meaningOf({ document, definition, args }: InstanceValue): Values {
    const { returnType } = this.#engine.documents.definition(document, definition);
    if (!returnType) return unknown;
    const meaning = this.of(document, returnType);
    return args.length > 0 ? this.#engine.generics.substitute(meaning, [{ document, definition, args }]) : meaning;
  }

  /** What `ask` says of each meaning of a value; one that means itself, over others too, says nothing. */
  ofMeanings(value: InstanceValue, ask: (meaning: Value) => Values): Values {
    const key = `${value.document} ${value.definition}`;
    if (this.#open.has(key)) return unknown;
    this.#open.add(key);
    try {
      return unite(this.meaningOf(value).map(ask));
    } finally {
      this.#open.delete(key);
    }
  }

  #once(document: number, type: TypeExpr): Values {
    const { names, classes, members, expressions } = this.#engine;
    switch (type.kind) {
      case 'reference':
        return this.#referenced(document, type);
      case 'library':
        return this.#ofLibrary(document, type);
      case 'array':
        return [{ kind: 'array', element: this.of(document, type.element) }];
      case 'map':
        return [{ kind: 'map', key: this.of(document, type.key), value: this.of(document, type.value) }];
      case 'tuple':
        return [{ kind: 'tuple', elements: type.elements.map((element) => this.of(document, element)) }];
      case 'union':
        return unite(type.options.map((option) => this.of(document, option)));
      case 'function':
        return [
          {
            kind: 'callable',
            parameters: (type.parameters ?? []).map((one) => (one ? this.of(document, one) : unknown)),
            ...(type.self ? { self: this.of(document, type.self) } : {}),
            returns: type.returns ? this.of(document, type.returns) : unknown,
          },
        ];
      case 'typeof':
        return expressions.evaluate(document, type.value);
      case 'definition':
        return [classes.instanceOf(document, type.definition)];
      case 'member': {
        const found = unite(this.of(document, type.object).map((value) => members.of(document, value, type.name)));
        return names.preferred(found, true).flatMap((value) => (value.kind === 'class' ? asTypes([value]) : [value]));
      }
      default:
        return unknown;
    }
  }

  /** A type of the library, or the repository's own of that name; that one may extend what it is called like. */
  #ofLibrary(document: number, { own, type }: Extract<TypeExpr, { kind: 'library' }>): Values {
    const { classes, documents, ancestors } = this.#engine;
    const found = classes.isDeclared(document, own.name) ? this.#referenced(document, own) : unknown;
    const isOpen = (one: Value) =>
      one.kind === 'instance' &&
      documents.definition(one.document, one.definition).bases.length > 0 &&
      ancestors.of(one.document, one.definition).external;
    if (found.some(({ kind }) => kind === 'instance') && !found.some(isOpen)) return found;
    const { containersDiffer } = documents.at(document).semantics;
    const values = this.of(document, type);
    const meant = containersDiffer
      ? values.map((one): Value => (one.kind === 'array' ? { ...one, as: own.name.replace(/`\d+$/, '') } : one))
      : values;
    return found.some(isOpen) ? unite([found, meant]) : meant;
  }

  #referenced(document: number, type: Extract<TypeExpr, { kind: 'reference' }>): Values {
    const { names, members } = this.#engine;
    const [first = '', ...rest] = type.name.split('.');
    let values = names.lookUp(document, type.scope, first, rest.length > 0 ? 'all' : 'type');
    for (const part of rest) values = unite(values.map((value) => members.of(document, this.#holderOf(value), part)));
    if (rest.length > 0) values = asTypes(names.preferred(values, true));
    this.#engine.trace?.type(document, type.name, values);
    const args = type.args.map((arg) => this.of(document, arg));
    return unite(values.map((value) => this.#withArguments(value, args)));
  }

  /** A type nested in a type belongs to the class itself. */
  #holderOf(value: Value): Value {
    if (value.kind !== 'instance') return value;
    return { kind: 'class', document: value.document, definition: value.definition };
  }

  /** A type that only stands for another is that one, for these arguments. */
  #withArguments(value: Value, args: readonly Values[]): Values {
    if (value.kind === 'external') return [{ ...value, args }];
    if (value.kind !== 'instance') return [value];
    const { documents, classes } = this.#engine;
    const { kind, returnType, members } = documents.definition(value.document, value.definition);
    const isAlias =
      kind === 'type' &&
      returnType &&
      members.length === 0 &&
      classes.members(value.document, value.definition).size === 0;
    if (isAlias) return this.meaningOf({ ...value, args });
    return [args.length > 0 ? { ...value, args } : value];
  }
}
