import type { Definition, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { commentOf } from './documentation.ts';
import type { EcmascriptFile, Place } from './file.ts';
import { containerType, saysNothing, typePlace, type TypePlace } from './types.ts';

/** What the tags of a doc comment say of types, as text. */
interface JsdocTypes {
  parameters: ReadonlyMap<string, string>;
  returns: string | null;
  type: string | null;
}

/** The tags of a doc comment that give types; null where there are none. */
function jsdocTypes(comment: string | null): JsdocTypes | null {
  if (!comment?.includes('{')) return null;
  const parameters = new Map<string, string>();
  let returns: string | null = null;
  let type: string | null = null;
  for (const { tag, braced, rest } of tags(comment)) {
    if (tag === 'param' || tag === 'arg' || tag === 'argument') {
      const name = /^\[?\s*([\w$]+)(?![\w$.[])/u.exec(rest)?.[1];
      if (name) parameters.set(name, braced);
    } else if (tag === 'return' || tag === 'returns') returns = braced;
    else if (tag === 'type') type = braced;
  }
  return parameters.size > 0 || returns !== null || type !== null ? { parameters, returns, type } : null;
}

/** `@typedef` declares a type by its name. */
export function declareTypedefs(file: EcmascriptFile, comment: Node, place: TypePlace): void {
  let open = -1;
  for (const { tag, braced, rest } of tags(comment.text)) {
    const name = /^\[?\s*([\w$]+)/u.exec(rest)?.[1];
    if (!name) continue;
    if (tag === 'typedef') {
      open = file.define('type', '', comment, comment, place.owner);
      if (!/^[Oo]bject$/u.test(braced.trim())) file.definition(open).returnType = jsdocType(file, braced, place);
      file.addBinding(place.scope, name, file.line(comment), { definition: open });
      file.addExport(name, file.line(comment), { value: { kind: 'name', name, scope: place.scope } });
    } else if ((tag === 'property' || tag === 'prop') && open >= 0) {
      file.addMember(open, name, { type: jsdocType(file, braced, place) });
    }
  }
}

/** Gives a function the types that its doc comment tells; only JavaScript's are taken. */
export function describe(file: EcmascriptFile, definition: Definition, comment: string | null, place: TypePlace): void {
  const tags = file.isJavascript ? jsdocTypes(comment) : null;
  if (!tags) return;
  for (const parameter of definition.parameters) {
    const text = tags.parameters.get(parameter.name);
    if (text !== undefined && !parameter.type) parameter.type = described(file, text, place);
  }
  if (tags.returns !== null) definition.returnType = described(file, tags.returns, place);
}

/** The `@type` of the statement that a node begins. */
export function statedType(file: EcmascriptFile, node: Node, place: Place): TypeExpr | null {
  if (!file.isJavascript) return null;
  const text = jsdocTypes(commentOf(node))?.type;
  return text === null || text === undefined ? null : described(file, text, typePlace(place));
}

function described(file: EcmascriptFile, text: string, place: TypePlace): TypeExpr | null {
  const type = jsdocType(file, text, place);
  return type.kind === 'unknown' ? null : type;
}

interface Tag {
  tag: string;
  braced: string;
  rest: string;
}

function tags(comment: string): Tag[] {
  const found: Tag[] = [];
  for (const match of comment.matchAll(/@(\w+)\s*\{/gu)) {
    const start = match.index + match[0].length;
    let depth = 1;
    let end = start;
    for (; end < comment.length && depth > 0; end++) {
      if (comment[end] === '{') depth++;
      else if (comment[end] === '}') depth--;
    }
    const braced = comment
      .slice(start, end - 1)
      .replaceAll(/(?<!\s)\s+\*/gu, (star) => (star.includes('\n') ? `${star.slice(0, star.indexOf('\n'))} ` : star));
    found.push({ tag: match[1] ?? '', braced, rest: comment.slice(end, end + 200).trimStart() });
  }
  return found;
}

/** A type as doc comments write it: `Option[]`, `?Foo`, `Map<string, Foo>`, `import('./x').Foo`, `Foo|Bar`. */
function jsdocType(file: EcmascriptFile, text: string, place: TypePlace): TypeExpr {
  const tokens = text.match(/"[^"]*"|'[^']*'|=>|\.\.\.|[\w$]+(?:\.[\w$]+)*|\S/gu) ?? [];
  let at = 0;
  return union();

  function accept(token: string): boolean {
    if (tokens[at] !== token) return false;
    at++;
    return true;
  }

  function union(): TypeExpr {
    const options = [postfix()];
    while (accept('|') || accept('&')) options.push(postfix());
    const known = options.filter(({ kind }) => kind !== 'unknown');
    return known.length > 1 ? { kind: 'union', options: known } : (known[0] ?? { kind: 'unknown' });
  }

  function postfix(): TypeExpr {
    while (accept('?') || accept('!') || accept('*')) if (tokens[at] === undefined) return { kind: 'unknown' };
    const isRest = accept('...');
    let type = primary();
    while (tokens[at] === '[' && tokens[at + 1] === ']') {
      at += 2;
      type = { kind: 'array', element: type };
    }
    accept('=');
    return isRest ? { kind: 'array', element: type } : type;
  }

  function primary(): TypeExpr {
    if (accept('(')) {
      const inner = union();
      if (accept(')') && !accept('=>')) return inner;
      return rest();
    }
    if (accept('{')) return rest();
    const name = tokens[at++];
    if (name === undefined || !/^[\w$]/u.test(name)) return { kind: 'unknown' };
    if (name === 'import' && accept('(')) return imported();
    if (name === 'typeof') return typeOfValue();
    if (name === 'function' || name === 'Function' || saysNothing.has(name) || name === 'Object') return call();
    accept('.');
    const args = accept('<') ? list('>') : [];
    return containerType(name, args) ?? { kind: 'reference', name, scope: place.scope, args };
  }

  /** A function's or an object's type: what is in it is left aside. */
  function rest(): TypeExpr {
    at = tokens.length;
    return { kind: 'unknown' };
  }

  function call(): TypeExpr {
    if (accept('(')) list(')');
    if (accept(':')) postfix();
    if (accept('.')) at++;
    if (accept('<')) list('>');
    return { kind: 'unknown' };
  }

  function list(end: string): TypeExpr[] {
    const types: TypeExpr[] = [];
    while (at < tokens.length && !accept(end)) {
      types.push(union());
      if (!accept(',') && tokens[at] !== end) at++;
    }
    return types;
  }

  function imported(): TypeExpr {
    const module = tokens[at++]?.slice(1, -1) ?? '';
    accept(')');
    const index = file.addImport({ module, name: '*', typeOnly: true }, 1);
    const whole: TypeExpr = { kind: 'typeof', value: { kind: 'import', import: index } };
    if (!accept('.')) return whole;
    return (tokens[at++] ?? '')
      .split('.')
      .reduce<TypeExpr>((object, name) => ({ kind: 'member', object, name }), whole);
  }

  function typeOfValue(): TypeExpr {
    if (accept('import') && accept('(')) return imported();
    const [first = '', ...names] = (tokens[at++] ?? '').split('.');
    return {
      kind: 'typeof',
      value: names.reduce<Extract<TypeExpr, { kind: 'typeof' }>['value']>(
        (object, name) => ({ kind: 'member', object, name }),
        { kind: 'name', name: first, scope: place.scope },
      ),
    };
  }
}
