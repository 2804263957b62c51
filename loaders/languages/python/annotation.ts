import type { Expr, TypeExpr } from '../../facts/fact.ts';

/** What an annotation means. */
export interface Annotation {
  type: TypeExpr | null;
  /** Every name read, dotted as written: which type variables it mentions. */
  names: readonly string[];
}

/** A dotted name, the opening of a string, an ellipsis, or any other mark. */
const token =
  /\s*(?:([\p{L}_][\p{L}\p{N}_]*(?:\s*\.\s*[\p{L}_][\p{L}\p{N}_]*)*)|[rbuf]*("""|'''|["'])|(\.\.\.)|(.))/suy;

// Names of `typing`, `collections` and the language, by what they mean for values.
const arrays = new Set(
  (
    'list set frozenset deque List Set FrozenSet Deque Sequence MutableSequence Iterable Iterator Collection Reversible ' +
    'AbstractSet MutableSet Container KeysView ValuesView Generator AsyncIterable AsyncIterator AsyncGenerator'
  ).split(' '),
);
const maps = new Set(
  (
    'dict Dict Mapping MutableMapping DefaultDict defaultdict OrderedDict ChainMap ItemsView ' +
    'WeakValueDictionary ContextVar Queue LifoQueue PriorityQueue'
  ).split(' '),
);
const transparent = new Set(
  'Optional Annotated ClassVar Final Required NotRequired ReadOnly InitVar Unpack'.split(' '),
);
const opaque = new Set(
  'Any object Literal LiteralString Never NoReturn Concatenate ParamSpec TypeIs TypeGuard'.split(' '),
);
const awaitables = new Set('Awaitable Coroutine Future Task'.split(' '));

/**
 * Reads an annotation's text; also what stands in a string (`"Context | None"`). `scope` is where its names are looked up and
 * `own` the names that this file defines or imports from
 * elsewhere, which are then not those of `typing`.
 */
export function readAnnotation(text: string, scope: number, own: ReadonlySet<string>): Annotation {
  const names: string[] = [];
  const type = parse(text, scope, own, names, 0);
  return { type, names };
}

function parse(text: string, scope: number, own: ReadonlySet<string>, names: string[], depth: number): TypeExpr | null {
  let position = 0;
  let kind: string = 'end';
  let value = '';

  const advance = (): void => {
    token.lastIndex = position;
    const match = token.exec(text);
    if (!match || (match[4] !== undefined && match[4].trim() === '')) {
      kind = 'end';
      value = '';
      return;
    }
    position = token.lastIndex;
    if (match[1] !== undefined) [kind, value] = ['name', match[1].replace(/\s+/g, '')];
    else if (match[2] !== undefined) {
      const end = text.indexOf(match[2], position);
      [kind, value] = ['string', text.slice(position, end < 0 ? text.length : end)];
      position = end < 0 ? text.length : end + match[2].length;
    } else if (match[4] === '#') {
      const end = text.indexOf('\n', position);
      position = end < 0 ? text.length : end;
      advance();
    } else [kind, value] = ['mark', match[3] ?? match[4] ?? ''];
  };

  const is = (mark: string): boolean => kind === 'mark' && value === mark;

  const union = (): TypeExpr | null => {
    const options: (TypeExpr | null)[] = [primary()];
    while (is('|')) {
      advance();
      options.push(primary());
    }
    return unionOf(options);
  };

  /** What stands between brackets, the opening one read. */
  const list = (close: string): (TypeExpr | null)[] => {
    const elements: (TypeExpr | null)[] = [];
    while (kind !== 'end' && value !== close) {
      const before = position;
      elements.push(union());
      if (is(',')) advance();
      else if (position === before && value !== close) advance();
    }
    if (kind !== 'end') advance();
    return elements;
  };

  const primary = (): TypeExpr | null => {
    if (kind === 'string') {
      const inner = value;
      advance();
      return depth > 2 ? null : parse(inner, scope, own, names, depth + 1);
    }
    if (kind === 'mark' && (value === '[' || value === '(')) {
      const close = value === '[' ? ']' : ')';
      advance();
      const elements = list(close);
      return close === ')' && elements.length === 1
        ? (elements[0] ?? null)
        : { kind: 'tuple', elements: elements.map((element) => element ?? { kind: 'unknown' }) };
    }
    if (kind !== 'name') {
      if (is('...')) advance();
      else if (is('*')) {
        advance();
        return primary();
      }
      return null;
    }
    const name = value;
    advance();
    if (!is('[')) {
      if (!isOwn(name, own) && opaque.has(last(name))) return null;
      names.push(name);
      return bare(name, scope, own);
    }
    if (!isOwn(name, own) && last(name) === 'Literal') {
      skipBrackets();
      return null;
    }
    advance();
    const args = list(']');
    names.push(name);
    return generic(name, args, scope, own);
  };

  const skipBrackets = (): void => {
    let open = 0;
    do {
      if (is('[')) open++;
      if (is(']')) open--;
      advance();
    } while (open > 0 && kind !== 'end');
  };

  advance();
  return union();
}

function bare(name: string, scope: number, own: ReadonlySet<string>): TypeExpr {
  const short = last(name);
  if (!isOwn(name, own)) {
    if (arrays.has(short)) return { kind: 'array', element: { kind: 'unknown' } };
    if (short === 'tuple' || short === 'Tuple') return { kind: 'array', element: { kind: 'unknown' } };
    if (maps.has(short)) return { kind: 'map', key: { kind: 'unknown' }, value: { kind: 'unknown' } };
    if (short === 'Callable') return { kind: 'function', returns: null };
  }
  return { kind: 'reference', name, scope, args: [] };
}

function generic(
  name: string,
  args: readonly (TypeExpr | null)[],
  scope: number,
  own: ReadonlySet<string>,
): TypeExpr | null {
  const at = (index: number): TypeExpr => args[index] ?? { kind: 'unknown' };
  if (!isOwn(name, own)) {
    const short = last(name);
    if (arrays.has(short)) return { kind: 'array', element: at(0) };
    if (maps.has(short)) return { kind: 'map', key: at(0), value: at(args.length - 1) };
    if (transparent.has(short)) return args[0] ?? null;
    if (short === 'Union') return unionOf(args);
    if (awaitables.has(short))
      return { kind: 'reference', name: 'Awaitable', scope, args: [at(short === 'Coroutine' ? 2 : 0)] };
    if (short === 'tuple' || short === 'Tuple')
      return args.length === 2 && args[1] === null
        ? { kind: 'array', element: at(0) }
        : { kind: 'tuple', elements: args.map((_, index) => at(index)) };
    if (short === 'type' || short === 'Type') return classOf(args[0] ?? null);
    if (short === 'Callable') {
      const parameters = args[0]?.kind === 'tuple' ? { parameters: args[0].elements } : {};
      return { kind: 'function', ...parameters, returns: args[1] ?? null };
    }
  }
  return { kind: 'reference', name, scope, args: args.map((_, index) => at(index)) };
}

/** `type[User]`: the class itself. */
function classOf(type: TypeExpr | null): TypeExpr | null {
  if (type?.kind === 'union') return unionOf(type.options.map(classOf));
  if (type?.kind !== 'reference') return null;
  const [first = '', ...rest] = type.name.split('.');
  let value: Expr = { kind: 'name', name: first, scope: type.scope };
  for (const name of rest) value = { kind: 'member', object: value, name };
  return { kind: 'typeof', value };
}

function unionOf(types: readonly (TypeExpr | null)[]): TypeExpr | null {
  const options = types.filter(
    (type): type is TypeExpr => type !== null && !(type.kind === 'reference' && type.name === 'None'),
  );
  return options.length > 1 ? { kind: 'union', options } : (options[0] ?? null);
}

function last(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The name, or what stands before its first dot, is the repository's or another library's, not `typing`'s. */
function isOwn(name: string, own: ReadonlySet<string>): boolean {
  const dot = name.indexOf('.');
  return own.has(dot < 0 ? name : name.slice(0, dot));
}
