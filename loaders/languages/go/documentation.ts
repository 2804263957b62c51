import type { Node } from '../../facts/syntax-tree.ts';

/** Visits children that are no comments, each with the first paragraph of the comment right above it. */
export function forEachDocumented(
  parent: Node,
  text: (node: Node) => string,
  visit: (node: Node, doc: string | null) => void,
): void {
  let comments: Node[] = [];
  let lastRow = -1;
  for (const node of parent.namedChildren) {
    const { row } = node.startPosition;
    if (node.type !== 'comment') {
      const isRightAbove = comments.at(-1)?.endPosition.row === row - 1;
      visit(node, isRightAbove ? firstParagraph(comments.map(text)) : null);
      comments = [];
      lastRow = node.endPosition.row;
    } else if (comments.at(-1)?.endPosition.row === row - 1) {
      comments.push(node);
    } else {
      // A comment behind code belongs to that code.
      comments = row === lastRow ? [] : [node];
    }
  }
}

/** Code as one line. */
export function oneLine(code: string): string {
  return code.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/,? \)/g, ')').trim();
}

function firstParagraph(comments: readonly string[]): string | null {
  const lines = comments
    .flatMap((comment) => comment.replace(/^\/\*+|(?<!\*)\*+\/$/g, '').split('\n'))
    .filter((line) => !/^\/\/(?:[a-z]+:|nolint|export )/.test(line))
    .map((line) => line.replace(/^\s*(?:\/\/|\*)?\s?/, '').trimEnd());
  const start = lines.findIndex((line) => line !== '');
  if (start === -1) return null;
  const end = lines.findIndex((line, at) => at > start && line === '');
  return lines.slice(start, end === -1 ? lines.length : end).join(' ');
}
