import type { Node } from '../../facts/syntax-tree.ts';

/** One line up to the body, as written. */
export function signatureOf(source: string, node: Node, body: Node | null): string {
  const text = source.slice(node.startIndex, Math.min(body?.startIndex ?? node.endIndex, node.startIndex + 1000));
  // Bounded: 1,000 characters.
  const flat = text.replace(/\s+/gu, ' ').replace(/\s*(?:=>)?\s*\{?$/u, '');
  return flat.length > 300 ? `${flat.slice(0, 299)}…` : flat;
}

/** What may stand between a function and the comment that is about it. */
const carriers: ReadonlySet<string> = new Set([
  'export_statement',
  'lexical_declaration',
  'variable_declaration',
  'variable_declarator',
  'expression_statement',
  'assignment_expression',
  'parenthesized_expression',
  'pair',
  'field_definition',
  'public_field_definition',
  'ambient_declaration',
]);

/** The doc comment above a definition; null where there is none. */
export function commentOf(node: Node): string | null {
  for (
    let place: Node | null = node;
    place;
    place = place.parent && carriers.has(place.parent.type) ? place.parent : null
  ) {
    let before = place.previousNamedSibling;
    while (before && (before.type === 'decorator' || (before.type === 'comment' && !before.text.startsWith('/**')))) {
      before = before.previousNamedSibling;
    }
    if (before?.type !== 'comment') continue;
    // One empty line between them is common; more means that the comment is about something else.
    return before.endPosition.row + 2 >= place.startPosition.row ? before.text : null;
  }
  return null;
}

/** First paragraph of a doc comment; null where there is none. */
export function docOf(comment: string | null): string | null {
  const lines = (comment ?? '')
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/u, '').trimEnd());
  const start = lines.findIndex((line) => line.trim() !== '');
  if (start < 0) return null;
  const rest = lines.slice(start);
  const end = rest.findIndex((line) => line.trim() === '' || line.trim().startsWith('@'));
  const paragraph = (end < 0 ? rest : rest.slice(0, end)).join(' ').trim();
  return paragraph === '' ? null : paragraph.slice(0, 1000);
}
