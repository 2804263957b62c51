import type { Node } from '../../facts/syntax-tree.ts';
import type { Call, ClassKind, Expr, TypeExpr } from '../../facts/fact.ts';
import { firstParagraph, oneLine } from '../reading/documentation.ts';
import { declareParameters } from '../reading/functions.ts';
import { named, partsOf, type Place, type Reader, skipped, type SourceFile, unknown } from '../reading/source-file.ts';
import { Aliases, boundName } from './aliases.ts';

/** What defines a function; the last two letters say of some that only its module calls it. */
const defines = /^def(?:p|macro|macrop|guard|guardp|delegate|n|np)?$/;
const isPrivate = /^def(?:macro|guard|n)?p$/;
/** What the language itself reads, and what stands for no call. */
const ownForms =
  /^(?:if|unless|case|cond|with|for|receive|try|quote|unquote|unquote_splicing|super|raise|reraise|throw|defstruct|defexception|defoverridable|fn|when|and|or|not|in|binding|var!|match\?|is_\w+)$/;

/** Reads the calls of which all of Elixir is made: what defines something, what names modules, and what calls. */
export class Reading {
  readonly #aliases = new Aliases();
  /** Clauses of one name and arity are one function; by module, name and arity. */
  readonly #functions = new Map<string, number>();
  /** What `@doc` says of the next definition, and `@impl` besides. */
  #doc: string | null = null;

  readonly readers: Readonly<Record<string, Reader>> = {
    call: (file, node, place) => this.#call(file, node, place),
    unary_operator: (file, node, place) => this.#unary(file, node, place),
    binary_operator: (file, node, place) => this.#binary(file, node, place),
    struct: (file, node, place) => {
      const [name] = partsOf(node);
      const module = this.#module(file, name, place);
      if (name && module) file.call(place, name, module, [], { isNew: true });
      return unknown;
    },
    alias: (file, node, place) => this.#module(file, node, place) ?? unknown,
    identifier: (file, node, place) => (file.text(node) === '__MODULE__' ? moduleHere(place) : unknown),
    atom: skipped,
    keyword: skipped,
  };

  /** The module that a node names; null where it names none. */
  #module(file: SourceFile, node: Node | null | undefined, place: Place): Expr | null {
    const name = this.#moduleName(file, node, place);
    return name === null ? null : { kind: 'name', name: boundName(name), scope: 0 };
  }

  #moduleName(file: SourceFile, node: Node | null | undefined, place: Place): string | null {
    if (node?.type === 'alias') return this.#aliases.full(file, file.text(node).replace(/\s/g, ''), place.scope);
    if (node?.type === 'identifier' && file.text(node) === '__MODULE__') return around(file, place) || null;
    if (node?.type !== 'dot') return null;
    const right = node.childForFieldName('right');
    const left = right?.type === 'alias' ? this.#moduleName(file, node.childForFieldName('left'), place) : null;
    return left === null ? null : `${left}.${file.text(right)}`;
  }

  #call(file: SourceFile, node: Node, place: Place, piped: readonly Node[] = []): Expr {
    const target = node.childForFieldName('target');
    const args = argumentsOf(node);
    if (target?.type === 'identifier') {
      const name = file.text(target);
      if (/^def(?:module|protocol|impl)$/.test(name)) return this.#defineModule(file, node, name, args, place);
      if (defines.test(name) && args[0]) return this.#defineFunction(file, node, name, args, place);
      if (/^(?:alias|import|require|use)$/.test(name) && args[0]) return this.#directive(file, node, name, args, place);
      if (ownForms.test(name)) return readAllOf(file, [...piped, ...partsOf(node).slice(1)], place);
      return this.#called(file, node, target, { kind: 'name', name, scope: place.scope }, [...piped, ...args], place);
    }
    const right = target?.type === 'dot' ? target.childForFieldName('right') : null;
    const left = target?.childForFieldName('left');
    const object =
      right?.type === 'identifier' || right?.type === 'operator_identifier' ? this.#module(file, left, place) : null;
    if (!right || !object) return readAllOf(file, [...piped, ...partsOf(node)], place);
    return this.#called(
      file,
      node,
      right,
      { kind: 'member', object, name: file.text(right) },
      [...piped, ...args],
      place,
    );
  }

  #called(file: SourceFile, node: Node, at: Node, callee: Expr, args: readonly Node[], place: Place): Expr {
    const block = partsOf(node).find(({ type }) => type === 'do_block');
    const result = file.call(place, at, callee, args);
    const call = file.callOf(result);
    // A block is one more argument.
    if (block && call) call.args.push(unknown);
    file.read(block, place);
    return unknown;
  }

  #unary(file: SourceFile, node: Node, place: Place): Expr {
    const operand = node.childForFieldName('operand');
    const operator = node.childForFieldName('operator')?.type;
    if (operator === '@' && operand?.type === 'call') return this.#attribute(file, operand, place);
    if (
      operator === '&' &&
      operand?.type === 'binary_operator' &&
      operand.childForFieldName('operator')?.type === '/'
    ) {
      const captured = this.#captured(
        file,
        operand.childForFieldName('left'),
        operand.childForFieldName('right'),
        place,
      );
      if (captured) return unknown;
    }
    return file.read(operand, place);
  }

  /** `&name/2` stands for a function that calls it. */
  #captured(file: SourceFile, what: Node | null, arity: Node | null, place: Place): boolean {
    const dot = what?.type === 'call' ? what.childForFieldName('target') : null;
    const right = dot?.type === 'dot' ? dot.childForFieldName('right') : null;
    const object = right ? this.#module(file, dot?.childForFieldName('left'), place) : null;
    const callee: Expr | null =
      what?.type === 'identifier'
        ? { kind: 'name', name: file.text(what), scope: place.scope }
        : object
          ? { kind: 'member', object, name: file.text(right) }
          : null;
    const count = Number(file.text(arity));
    if (!what || !callee || !Number.isInteger(count) || count > 255) return false;
    const args = Array.from({ length: count }, () => unknown);
    const { scope, definition: caller } = place;
    file.addCall({ callee, args, isNew: false, caller, scope, line: file.line(what) } satisfies Call);
    return true;
  }

  #binary(file: SourceFile, node: Node, place: Place): Expr {
    const left = node.childForFieldName('left');
    const right = node.childForFieldName('right');
    if (node.childForFieldName('operator')?.type === '|>' && left) {
      if (right?.type === 'call') return this.#call(file, right, place, [left]);
      if (right?.type === 'identifier')
        return file.call(place, right, { kind: 'name', name: file.text(right), scope: place.scope }, [left]);
    }
    return readAllOf(file, partsOf(node), place);
  }

  #attribute(file: SourceFile, node: Node, place: Place): Expr {
    const name = file.text(node.childForFieldName('target'));
    const [given] = argumentsOf(node);
    if (name === 'doc' || name === 'moduledoc') {
      const text = given?.type === 'string' ? firstParagraph(contentOf(file, given)) : null;
      if (name === 'doc') this.#doc = text;
      else if (place.type >= 0) file.definition(place.type).doc ??= text;
    } else if (name === 'behaviour') {
      const expr = this.#module(file, given, place);
      if (expr && place.type >= 0)
        file.definition(place.type).bases.push({ expr, line: file.line(node), how: 'implements' });
    } else if (!/^(?:spec|type|typep|opaque|callback|macrocallback)$/.test(name))
      return readAllOf(file, argumentsOf(node), place);
    else if (name.endsWith('callback')) this.#callback(file, given, node, place);
    return unknown;
  }

  /** `@callback name(type) :: type`: who has this behaviour gives it. */
  #callback(file: SourceFile, given: Node | undefined, node: Node, place: Place): void {
    const guarded = given?.childForFieldName('operator')?.type === 'when' ? given.childForFieldName('left') : given;
    const head = guarded?.childForFieldName('left');
    const nameNode = head?.childForFieldName('target');
    if (head?.type !== 'call' || nameNode?.type !== 'identifier' || place.type < 0) return;
    const definition = file.define(
      { kind: 'method', name: file.text(nameNode), isAbstract: true, isStatic: true },
      node,
      place,
      nameNode,
    );
    declareParameters(
      file,
      definition,
      place,
      argumentsOf(head).map((part) => ({ name: '', node: part })),
    );
    file.member(place.type, file.text(nameNode), { definition, isStatic: true });
  }

  #defineModule(file: SourceFile, node: Node, word: string, args: readonly Node[], place: Place): Expr {
    const [nameNode] = args;
    const written = this.#moduleName(file, nameNode, { ...place, scope: place.type >= 0 ? place.scope : 0 });
    if (!nameNode || written === null) return readAllOf(file, partsOf(node), place);
    const options = optionsOf(file, args);
    const isImplementation = word === 'defimpl';
    const outer = around(file, place);
    const forName = isImplementation ? (this.#moduleName(file, options.get('for'), place) ?? outer) : '';
    const isNested = !isImplementation && outer !== '' && !file.text(nameNode).startsWith('__MODULE__');
    const own = file.text(nameNode).replace(/\s/g, '');
    const name = isImplementation ? `${written}.${forName}` : isNested ? `${outer}.${own}` : written;
    const kind: ClassKind = word === 'defprotocol' ? 'interface' : 'class';
    const simple = (isImplementation ? written : own).split('.').at(-1) ?? own;
    const signature = oneLine(`${word} ${args.map(file.text).join(', ')}`);
    const definition = file.define(
      { kind, name: simple, qualifiedName: name, signature, isStatic: true },
      node,
      place,
      nameNode,
    );
    file.bind(file.top, boundName(name), nameNode, { definition });
    if (isNested) this.#aliases.add(place.scope, own.split('.')[0] ?? own, `${outer}.${own.split('.')[0]}`);
    const protocol = isImplementation ? this.#module(file, nameNode, place) : null;
    if (protocol) file.definition(definition).bases.push({ expr: protocol, line: file.line(node), how: 'implements' });
    const inside = file.block(file.enter(definition, { ...place, scope: 0 }));
    this.#aliases.stands(inside.scope, place.scope);
    this.#doc = null;
    readAllOf(file, bodiesOf(node, args), inside);
    return unknown;
  }

  #defineFunction(file: SourceFile, node: Node, word: string, args: readonly Node[], place: Place): Expr {
    const [head] = args;
    const isGuarded = head?.type === 'binary_operator' && head.childForFieldName('operator')?.type === 'when';
    const plain = isGuarded ? head.childForFieldName('left') : head;
    const { nameNode, parameters } = headOf(plain);
    const bodies = bodiesOf(node, args);
    if (!nameNode || !plain) return readAllOf(file, [...args, ...bodies], place);
    const name = file.text(nameNode);
    // What a macro's quoted code defines, it defines elsewhere.
    const ofModule = place.type >= 0 && place.definition === place.type;
    const key = `${place.definition} ${name}/${parameters.length}`;
    const known = this.#functions.get(key);
    const definition =
      known ??
      file.define(
        {
          kind: ofModule ? 'method' : 'function',
          name,
          isStatic: true,
          exported: !isPrivate.test(word),
          isAbstract: bodies.length === 0 && ofModule && file.definition(place.type).kind === 'interface',
          signature: oneLine(`${word} ${file.text(head)}`),
          ...(this.#doc === null ? {} : { doc: this.#doc }),
        },
        node,
        place,
        nameNode,
      );
    this.#doc = null;
    const inside = file.enter(definition, place);
    const own = file.definition(definition);
    if (known === undefined) {
      this.#functions.set(key, definition);
      if (ofModule) file.member(place.type, name, { definition, isStatic: true });
      const taken = parameters.map((part) => ({ name: '', node: part, optional: hasDefault(part) }));
      declareParameters(file, definition, inside, taken);
    } else {
      own.endLine = Math.max(own.endLine, node.endPosition.row + 1);
      // A head that only gives defaults comes before the clauses.
      parameters.forEach((part, index) => {
        const parameter = own.parameters[index];
        if (parameter) parameter.optional ||= hasDefault(part);
      });
    }
    readAllOf(file, [...parameters, ...(isGuarded ? [head.childForFieldName('right')] : []), ...bodies], inside);
    if (word === 'defdelegate') this.#delegates(file, args, parameters.length, name, inside);
    return unknown;
  }

  /** `defdelegate f(x), to: Other, as: :g` calls `Other.g`. */
  #delegates(file: SourceFile, args: readonly Node[], arity: number, name: string, place: Place): void {
    const options = optionsOf(file, args);
    const to = options.get('to');
    const object = this.#module(file, to, place);
    if (!to || !object) return;
    const other = file.text(options.get('as')).replace(/^:/, '') || name;
    const { scope, definition: caller } = place;
    const given = Array.from({ length: arity }, () => unknown);
    const callee: Expr = { kind: 'member', object, name: other };
    file.addCall({ callee, args: given, isNew: false, caller, scope, line: file.line(to) });
  }

  /** `alias`, `import`, `require`, `use`: each names modules of other files. */
  #directive(file: SourceFile, node: Node, word: string, args: readonly Node[], place: Place): Expr {
    const [what] = args;
    const options = optionsOf(file, args);
    for (const [module, local] of this.#modulesIn(file, what, place)) {
      file.addImport({ module, name: '*' }, file.line(node));
      const as = options.get('as');
      if (word === 'alias' || as) this.#aliases.add(place.scope, as ? file.text(as) : local, module);
      if (word === 'import') receive(file, place, named(boundName(module), { ...place, scope: 0 }));
    }
    return unknown;
  }

  /** The modules that a directive names, by full name with the last part: `Foo.{Bar, Baz}` names two. */
  #modulesIn(file: SourceFile, node: Node | undefined, place: Place): [module: string, last: string][] {
    const right = node?.type === 'dot' ? node.childForFieldName('right') : null;
    const prefix = right?.type === 'tuple' ? this.#moduleName(file, node?.childForFieldName('left'), place) : null;
    const names =
      right?.type === 'tuple' && prefix !== null
        ? partsOf(right).map((part) => `${prefix}.${file.text(part)}`)
        : [this.#moduleName(file, node, place)];
    return names.flatMap((name) => (name === null ? [] : [[name, name.slice(name.lastIndexOf('.') + 1)]]));
  }
}

/** All functions of a module are names here, behind those of the module around. */
function receive(file: SourceFile, place: Place, type: TypeExpr): void {
  const scope = place.type >= 0 ? file.definition(place.type).scope : place.scope;
  const around = file.facts.scopes[scope];
  if (!around) return;
  around.parent = file.addScope(around.parent);
  file.receives({ ...place, scope: around.parent }, type);
}

function readAllOf(file: SourceFile, nodes: readonly (Node | null | undefined)[], place: Place): Expr {
  for (const node of nodes) file.read(node, place);
  return unknown;
}

function argumentsOf(node: Node): Node[] {
  return partsOf(partsOf(node).find(({ type }) => type === 'arguments'));
}

/** What follows `do`, as a block or as an option. */
function bodiesOf(node: Node, args: readonly Node[]): Node[] {
  const blocks = partsOf(node).filter(({ type }) => type === 'do_block');
  const options = args.slice(1).filter(({ type }) => type === 'keywords');
  return [...options, ...blocks];
}

function optionsOf(file: SourceFile, args: readonly Node[]): ReadonlyMap<string, Node> {
  const pairs = args.filter(({ type }) => type === 'keywords').flatMap((part) => partsOf(part));
  return new Map(
    pairs.flatMap((pair) => {
      const value = pair.childForFieldName('value');
      return value ? [[file.text(pair.childForFieldName('key')).replace(/:\s*$/, ''), value]] : [];
    }),
  );
}

/** What a function is called and takes: `f(x)`, `f`, `a <> b`. */
function headOf(node: Node | null | undefined): { nameNode: Node | null; parameters: Node[] } {
  if (node?.type === 'identifier') return { nameNode: node, parameters: [] };
  if (node?.type === 'binary_operator' || node?.type === 'unary_operator') {
    const operator = node.childForFieldName('operator');
    return { nameNode: operator, parameters: partsOf(node).filter(({ id }) => id !== operator?.id) };
  }
  const target = node?.type === 'call' ? node.childForFieldName('target') : null;
  return { nameNode: target?.type === 'identifier' ? target : null, parameters: node ? argumentsOf(node) : [] };
}

function hasDefault(node: Node): boolean {
  return node.type === 'binary_operator' && node.childForFieldName('operator')?.type === '\\\\';
}

function contentOf(file: SourceFile, node: Node): string {
  return partsOf(node).map(file.text).join('');
}

/** Full name of the module around; empty outside one. */
function around(file: SourceFile, place: Place): string {
  return place.type >= 0 ? file.definition(place.type).qualifiedName : '';
}

function moduleHere(place: Place): Expr {
  return place.type >= 0 ? { kind: 'definition', definition: place.type } : unknown;
}
