import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { type Place, type SourceFile, unknown } from '../reading/source-file.ts';
import { pathOf } from './types.ts';

/** Macros whose arguments are no expressions; those of others are taken for such. */
const opaque =
  /^(?:\w+::)*(?:macro_rules|quote|quote_spanned|parse_quote|html|stringify|concat|cfg|env|option_env|include|include_str|include_bytes|asm|global_asm|line|file|column|module_path|compile_error|thread_local|lazy_static|bitflags)$/;
/** Macros that take what is inside a result, or leave. */
const unwrapping = /^(?:try|ok|some|r#try)$/;

/** Calls in the arguments of a macro, which the grammar leaves as tokens: names, members and parentheses are enough to see them. */
export function macroArguments(file: SourceFile, node: Node, place: Place): Expr {
  const name = file.text(node.childForFieldName('macro'));
  const tokens = node.namedChildren.find(({ type }) => type === 'token_tree');
  if (!tokens || opaque.test(name)) return unknown;
  const elements = read(file, tokens, place);
  const [first = unknown] = elements;
  if (unwrapping.test(name)) return { kind: 'index', object: first };
  return name === 'vec' ? { kind: 'array', elements: elements.slice(0, 1) } : unknown;
}

/** The expressions that can be told in a token tree. */
function read(file: SourceFile, tree: Node, place: Place): Expr[] {
  const tokens = tree.children;
  const found: Expr[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.type === 'token_tree') {
      found.push(...read(file, token, place));
      continue;
    }
    if (!token || !beginsPath.has(token.type)) continue;
    const names = [file.text(token)];
    while (tokens[at + 1]?.type === '::' && /^(?:identifier|super)$/.test(tokens[at + 2]?.type ?? '')) {
      at += 2;
      names.push(file.text(tokens[at]));
    }
    // A closure's parameters, a struct literal's fields, a macro in a macro.
    if (/^[:|!]$/.test(tokens[at + 1]?.type ?? '')) continue;
    const isSelf = names[0] === 'self' && names.length === 1;
    const path: Expr = isSelf ? { kind: 'name', name: 'self', scope: place.scope } : pathOf(file, names, place);
    const [value, end] = readBehind(file, path, tokens, at, place);
    found.push(value);
    at = end;
  }
  return found;
}

const beginsPath: ReadonlySet<string> = new Set(['identifier', 'self', 'crate', 'super']);

/** What stands right behind a value, calls and members: the value of all that, and where it ends. */
function readBehind(
  file: SourceFile,
  path: Expr,
  tokens: readonly Node[],
  start: number,
  place: Place,
): [value: Expr, end: number] {
  let value = path;
  for (let at = start; ;) {
    const next = tokens[at + 1];
    const dot = next?.type === '.' ? tokens[at + 2] : undefined;
    if (next?.type === 'token_tree' && file.source[next.startIndex] === '(') {
      value = file.call(place, next, value, []);
      const args = read(file, next, place);
      file.callOf(value)?.args.push(...args);
      at += 1;
    } else if (next?.type === 'token_tree' && file.source[next.startIndex] === '[') {
      read(file, next, place);
      value = { kind: 'index', object: value };
      at += 1;
    } else if (next?.type === '?') {
      value = { kind: 'index', object: value };
      at += 1;
    } else if (dot?.type === 'identifier' || dot?.type === 'integer_literal') {
      value = { kind: 'member', object: value, name: file.text(dot) };
      at += 2;
    } else return [value, at];
  }
}
