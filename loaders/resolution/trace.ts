import type { Binding, Call, Definition, Export, Expr, Import, TypeExpr } from '../facts/fact.ts';
import type { Ancestor } from './ancestors.ts';
import type { FoundMember } from './classes.ts';
import { type DefinitionRef, sameDefinition } from './definition-ref.ts';
import { type Documents, isFunction } from './documents.ts';
import type { FunctionValue, Value, Values } from './value.ts';

/** How the engine got a step further. */
export type StepKind =
  | 'name'
  | 'import'
  | 'export'
  | 'type'
  | 'member'
  | 'result'
  | 'overload'
  | 'arguments'
  | 'cut'
  | 'outside'
  | 'nowhere'
  | 'edge';

/** One step on the way to an answer, in the order in which they were made. */
export interface Step {
  kind: StepKind;
  text: string;
  /** Where the source says so; null where nothing in the repository does. */
  at: { path: string; line: number } | null;
  /** How many questions around this one waited for its answer. */
  level: number;
}

/** More steps than these nobody reads. */
const maxSteps = 200;

/** Writes down the steps by which an answer is found. The rooms call it where they find something, and only while it is there. */
export class Trace {
  readonly steps: Step[] = [];
  readonly #documents: Documents;
  readonly #depth: () => number;
  readonly #depths: number[] = [];
  readonly #seen = new Set<string>();

  /** `depth` says how many questions are open. */
  constructor(documents: Documents, depth: () => number) {
    this.#documents = documents;
    this.#depth = depth;
  }

  /** A name was found in a scope. */
  bindings(document: number, owner: Definition | undefined, bindings: readonly Binding[]): void {
    for (const binding of bindings)
      this.add('name', this.#bindingText(document, owner, binding), document, binding.line);
  }

  typeParameter(document: number, owner: Definition, name: string): void {
    const bound = owner.typeParameters.find((each) => each.name === name)?.bound;
    const least = bound ? `, at least a ${typeText(bound)}` : '';
    this.add('type', `\`${name}\` is a type parameter of \`${owner.name}\`${least}`, document, owner.line);
  }

  /** A name was found at the top of another file of the same package. */
  package(document: number, name: string, values: Values): void {
    this.add('name', `\`${name}\` is a name of the package: ${this.#list(values)}`, document, 0, values);
  }

  star(document: number, { module, name, line }: Import, asked: string): void {
    const whole = [module, ...name.split('.').slice(0, -1)].filter((part) => part !== '').join('.');
    this.add('import', `\`${asked}\` comes with all names of '${whole}'`, document, line);
  }

  foreign(document: number, name: string): void {
    if (this.#isLibrary(document)) return;
    const { language } = this.#documents.at(document);
    this.add(
      'outside',
      `\`${name}\` is bound nowhere in the repository: taken for ${language}'s own or a dependency's`,
    );
  }

  import(document: number, { module, line }: Import, modules: Values): void {
    const text = modules
      .map((value) => {
        if (value.kind !== 'module') return 'outside the repository';
        const paths = value.documents.map((each) => this.#documents.at(each).path);
        return paths.length === 0 ? 'a folder' : someOf(paths);
      })
      .join(' or ');
    const where = text === '' ? 'should be in the repository, and is not' : `is ${text}`;
    this.add('import', `module '${module}' ${where}`, document, line);
  }

  export(document: number, { from, imported, line }: Export, name: string): void {
    const { path } = this.#documents.at(document);
    const other = imported !== null && imported !== name && imported !== '*' ? ` as \`${imported}\`` : '';
    const text = from === null ? `${path} exports \`${name}\`` : `${path} hands on \`${name}\` from '${from}'${other}`;
    this.add('export', text, document, line);
  }

  /** What a written type stands for. */
  type(document: number, name: string, values: Values): void {
    if (this.#isLibrary(document)) return;
    const classes = values.map((value): Value => (value.kind === 'instance' ? { ...value, kind: 'class' } : value));
    this.add('type', `type \`${name}\` is ${this.#list(classes)}`, -1, 0, values);
  }

  /** A member was found in a class or one above it. */
  member(owner: DefinitionRef, ancestor: Ancestor, found: readonly FoundMember[], name: string): void {
    const holder = this.#definition(ancestor);
    const inherited = sameDefinition(owner, ancestor) ? '' : `, above \`${this.#definition(owner).name}\``;
    for (const { document, member } of found) {
      const { facts } = this.#documents.at(document);
      const line = facts.definitions[member.definition]?.line ?? (document === ancestor.document ? holder.line : 0);
      const type = member.definition < 0 && member.type ? ` of type ${typeText(member.type)}` : '';
      const text = `\`${plain(name)}\`${type} is a member of ${kindOf(holder)} \`${holder.name}\`${inherited}`;
      this.add('member', text, document, line);
    }
  }

  noMember(owner: DefinitionRef, name: string, external: boolean): void {
    const holder = this.#definition(owner);
    const rest = external
      ? 'but a base of it lies outside the repository and may have one'
      : 'and no base of it has one';
    const text = `${kindOf(holder)} \`${holder.name}\` has no member \`${plain(name)}\`, ${rest}`;
    this.add(external ? 'outside' : 'nowhere', text, owner.document, holder.line);
  }

  /** What a function gives back is asked for. */
  result(document: number, { name, line, returnType, returns }: Definition): void {
    const what = returnType
      ? `is declared to return ${typeText(returnType)}`
      : returns.length > 0
        ? `returns ${returns.map(exprText).join(' or ')}`
        : 'returns nothing that is known';
    this.add('result', `\`${name === '' ? 'the function' : name}\` ${what}`, document, line);
  }

  overload({ document, definition }: FunctionValue, count: number): void {
    const { name, line, signature } = this.#definition({ document, definition });
    this.add(
      'overload',
      `of ${count} functions \`${name}\` the arguments choose \`${signature ?? name}\``,
      document,
      line,
    );
  }

  /** A parameter without a type is what callers pass. */
  passed(parameter: string, document: number, { callee, line }: Call): void {
    this.add('arguments', `\`${parameter}\` is what \`${exprText(callee)}(…)\` passes here`, document, line);
  }

  /** The call makes this edge. */
  edge(from: DefinitionRef, to: DefinitionRef, strategy: string, confidence: number): void {
    const [source, target] = [this.#definition(from), this.#definition(to)];
    const names = `\`${source.qualifiedName}\` calls ${kindOf(target)} \`${target.qualifiedName}\``;
    const how = strategy === 'scip' ? 'as the SCIP index says' : strategy;
    const text = `${names} (${how}, confidence ${Number(confidence.toFixed(2))})`;
    this.add('edge', text, to.document, target.line);
  }

  /** The callee is known, and the graph has no edge to it. */
  noEdge(from: DefinitionRef, to: DefinitionRef): void {
    const target = this.#definition(to);
    const what =
      target.name === '' ? `${kindOf(target)} without a name` : `${kindOf(target)} \`${target.qualifiedName}\``;
    const why =
      from.definition < 0
        ? 'the call stands at the top of a file, outside every function, so it makes no edge'
        : 'that is no node of the graph, so it makes no edge';
    this.add('edge', `reaches ${what}: ${why}`, to.document, target.line);
  }

  /** The callee is of what the language itself brings. */
  library(targets: readonly DefinitionRef[]): void {
    const names = targets.map((to) => `\`${this.#definition(to).qualifiedName}\``);
    this.add('outside', `reaches ${someOf(names)} of the language's own library`);
  }

  leadsOut(values: Values): void {
    const origins = values.flatMap((value) => (value.kind === 'external' ? (value.origins ?? []) : []));
    const ways = origins.map(({ module, path }) => [module, ...path].filter((part) => part !== '').join(' '));
    const from = ways.length > 0 ? `, by way of ${someOf(ways.map((way) => `'${way}'`))}` : '';
    this.add('outside', `the callee is ${this.#list(values)}${from}`);
  }

  /** `receiver`: what the object is on which a method is called. */
  leadsNowhere({ callee }: Call, values: Values, receiver: Values): void {
    if (values.length > 0) this.add('nowhere', `the callee is ${this.#list(values)}, of which nobody knows the code`);
    else if (callee.kind !== 'member') this.add('nowhere', `what \`${exprText(callee)}\` stands for is not known`);
    else {
      const [object, name] = [exprText(callee.object), plain(callee.name)];
      const text =
        receiver.length === 0
          ? `what \`${object}\` is, is not known, so neither is its \`${name}\``
          : `\`${object}\` is ${this.#list(receiver)}, and what its \`${name}\` is, is not known`;
      this.add('nowhere', text);
    }
  }

  cut(why: 'circle' | 'depth'): void {
    const text =
      why === 'depth'
        ? 'too many questions deep: not followed further'
        : 'asked again while it is being answered: not known from here';
    this.add('cut', text);
  }

  /** What the language's own library says of itself has no line that anyone can read. `values`: where no line says so, the first of them that has one. */
  add(kind: StepKind, text: string, document = -1, line = 0, values: Values = []): void {
    if (this.#isLibrary(document)) return;
    const at = line > 0 ? { path: this.#documents.at(document).path, line } : this.#placeOf(values);
    const key = `${kind} ${text} ${at?.path} ${at?.line}`;
    if (this.#seen.has(key) || this.steps.length >= maxSteps) return;
    this.#seen.add(key);
    this.steps.push({ kind, text, at, level: this.#level() });
  }

  /** Names a value for people: `class Store`, `an array of class Store`. */
  describe(value: Value): string {
    switch (value.kind) {
      case 'function':
      case 'class':
      case 'instance': {
        const definition = this.#definition(value);
        const name = definition.name === '' ? 'without a name' : `\`${definition.qualifiedName}\``;
        return `${value.kind === 'instance' ? 'an instance of ' : ''}${kindOf(definition)} ${name}`;
      }
      case 'super':
        return `what is above ${this.describe({ ...value, kind: 'class' })}`;
      case 'variable':
        return `type parameter \`${this.#definition(value).typeParameters[value.index]?.name ?? '?'}\``;
      case 'module':
        return `module ${someOf(value.documents.map((document) => this.#documents.at(document).path)) || value.specifier}`;
      case 'external':
        return `\`${value.name}\` outside the repository`;
      case 'array':
        return `an array of ${this.#list(value.element)}`;
      case 'map':
        return `a map of ${this.#list(value.value)}`;
      case 'tuple':
        return `a tuple of ${value.elements.length}`;
      case 'callable':
        return 'some function of this type';
      case 'container_method':
        return `\`${value.name}\` of ${this.describe(value.container)}`;
    }
  }

  #list(values: Values): string {
    return values.length === 0
      ? 'not known'
      : someOf(
          values.map((value) => this.describe(value)),
          ' or ',
        );
  }

  #definition({ document, definition }: DefinitionRef): Definition {
    return this.#documents.definition(document, definition);
  }

  #placeOf(values: Values): Step['at'] {
    for (const value of values) {
      if (!('definition' in value) || this.#isLibrary(value.document)) continue;
      return { path: this.#documents.at(value.document).path, line: this.#definition(value).line };
    }
    return null;
  }

  #isLibrary(document: number): boolean {
    return document >= 0 && this.#documents.at(document).library;
  }

  #bindingText(document: number, owner: Definition | undefined, binding: Binding): string {
    const { name, definition, type, value } = binding;
    const { definitions, imports } = this.#documents.at(document).facts;
    const defined = definitions[definition];
    if (defined) return `\`${name}\` is ${kindOf(defined)} \`${defined.qualifiedName}\``;
    const wanted = imports[binding.import];
    if (wanted) {
      const what = wanted.name === name || wanted.name === '*' || wanted.name === '' ? '' : ` as \`${wanted.name}\``;
      return `\`${name}\` is imported from '${wanted.module}'${what}`;
    }
    const isParameter = owner && isFunction(owner) && owner.parameters.some((each) => each.name === name);
    const what = isParameter ? `a parameter of \`${owner.name === '' ? 'a function' : owner.name}\`` : 'a variable';
    if (type) return `\`${name}\` is ${what} of type ${typeText(type)}`;
    if (value?.kind === 'typed') return `\`${name}\` is ${what} of type ${typeText(value.type)}`;
    if (isParameter) return `\`${name}\` is ${what} without a type`;
    return `\`${name}\` is ${what}${value && value.kind !== 'unknown' ? ` with the value of ${exprText(value)}` : ' whose value is not known'}`;
  }

  /** Levels follow each other without gaps, however many questions lie between two steps. */
  #level(): number {
    const depth = this.#depth();
    while ((this.#depths.at(-1) ?? -1) >= depth) this.#depths.pop();
    this.#depths.push(depth);
    return this.#depths.length - 1;
  }
}

/** Where methods have a name space of their own, facts write `name()`. */
const plain = (name: string): string => name.replace(/\(\)$/, '');

const kindOf = ({ kind }: Definition): string => kind;

/** The first few of a list. */
function someOf(texts: readonly string[], between = ', '): string {
  const maxListed = 3;
  const rest = texts.length > maxListed ? ` and ${texts.length - maxListed} more` : '';
  return `${texts.slice(0, maxListed).join(between)}${rest}`;
}

/** An expression as one would write it, shortened: `store.save`. */
export function exprText(expr: Expr): string {
  switch (expr.kind) {
    case 'name':
      return plain(expr.name);
    case 'member':
      return `${exprText(expr.object)}.${plain(expr.name)}`;
    case 'self':
      return 'this';
    case 'super':
      return 'super';
    case 'call':
      return `${expr.isNew ? 'new ' : ''}${exprText(expr.callee)}(…)`;
    case 'index':
      return `${exprText(expr.object)}[…]`;
    case 'iterate':
      return `each of ${exprText(expr.object)}`;
    case 'await':
      return `await ${exprText(expr.value)}`;
    case 'tested':
    case 'without':
      return exprText(expr.value);
    case 'typed':
      return typeText(expr.type);
    case 'union':
      return expr.options.map(exprText).join(' or ');
    default:
      return words[expr.kind] ?? '…';
  }
}

const words: Partial<Record<Expr['kind'], string>> = {
  result: 'the result of a call',
  argument: 'what the callee asks for',
  parameter: 'a parameter',
  import: 'an import',
  module: 'this module',
  definition: 'a definition in place',
  array: 'an array',
  map: 'a map',
  tuple: 'a tuple',
};

/** A type as one would write it, shortened: `Store<…>`. */
function typeText(type: TypeExpr): string {
  switch (type.kind) {
    case 'reference':
      return `\`${type.name}${type.args.length > 0 ? '<…>' : ''}\``;
    case 'library':
      return typeText(type.own);
    case 'array':
      return `an array of ${typeText(type.element)}`;
    case 'map':
      return `a map of ${typeText(type.value)}`;
    case 'union':
      return type.options.map(typeText).join(' or ');
    case 'member':
      return `${typeText(type.object)}[${type.name}]`;
    case 'typeof':
      return `the type of ${exprText(type.value)}`;
    case 'predicate':
      return `a test for ${typeText(type.type)}`;
    case 'tuple':
      return 'a tuple';
    case 'function':
      return 'a function';
    case 'definition':
      return 'a type written in place';
    case 'unknown':
      return 'a type that is not known';
  }
}
