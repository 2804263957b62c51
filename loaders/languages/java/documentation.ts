import type { Node } from '../../facts/syntax-tree.ts';

/** The declaration in one line, without its annotations and body. */
export function signatureOf(source: string, declaration: Node, modifiers: Node | undefined): string {
  const body = declaration.childForFieldName('body');
  const keywords = (modifiers?.children ?? []).filter((child) => !child.isNamed).map((child) => child.type);
  const text = source.slice(modifiers?.endIndex ?? declaration.startIndex, body?.startIndex ?? declaration.endIndex);
  return `${keywords.join(' ')} ${text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, ' ')}`
    .replace(/\s+/g, ' ')
    .replace(/(?<![;{\s])[;{\s]+$/, '')
    .trim();
}

/** The first paragraph of a Javadoc comment, as plain text; null for any other comment. */
export function docOf(comment: string): string | null {
  if (!comment.startsWith('/**')) return null;
  const text = comment
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, ''))
    .join('\n')
    .trim();
  const paragraph = text.split(/\n\s*\n|<p>|<p\/>|<pre>|<ul>|<ol>|^@\w+/im).find((part) => part.trim() !== '');
  if (!paragraph || text.startsWith('@')) return null;
  const plain = paragraph
    .replace(/\{@\w+\s+(?!\s)([^{}]*)\}/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
  return plain === '' ? null : plain;
}
