import type { Node } from '../../facts/syntax-tree.ts';

/** Line of a node, from 1. */
export function lineOf(node: Node): number {
  return node.startPosition.row + 1;
}

/**
 * First and last named child. A look-up by field costs two calls into the parser, so what is read most often takes its parts by
 * their places.
 */
export function ends(node: Node): [first: Node | undefined, last: Node | undefined] {
  const { namedChildren } = node;
  return [namedChildren[0], namedChildren[namedChildren.length - 1]];
}

/** The first child that is no comment. */
export function firstChild(node: Node): Node | null {
  return node.namedChildren.find((child) => child.type !== 'comment') ?? null;
}

/** Source text on one line, for signatures and summaries. */
export function oneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1')
    .slice(0, 500);
}

/** First paragraph of the docstring. */
export function docOf(body: Node): string | null {
  const first = firstChild(body);
  const text = first?.type === 'expression_statement' ? first.namedChildren[0] : null;
  if (text?.type !== 'string') return null;
  const content = text.namedChildren.find((child) => child.type === 'string_content')?.text ?? '';
  const paragraph = content.trim().split(/\n\s*\n/, 1)[0] ?? '';
  return paragraph === '' ? null : oneLine(paragraph);
}

/** `property`, `x.setter`, `contextmanager`: without the module that it comes from. */
export function decoratorName(node: Node): string {
  const inner = node.namedChildren[0];
  const name = (inner?.type === 'call' ? inner.childForFieldName('function') : inner)?.text ?? '';
  return /\.(setter|deleter|getter)$/.test(name) ? name : name.slice(name.lastIndexOf('.') + 1);
}

/** Strings of a list: what `__all__` names. */
export function stringsIn(node: Node | null): string[] {
  return Array.from(node?.text.matchAll(/["']([^"'\n]+)["']/g) ?? [], ([, name = '']) => name);
}
