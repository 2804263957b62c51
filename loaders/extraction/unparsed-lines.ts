import type { Node as ParsedNode } from 'web-tree-sitter';
import type { Definition } from '../facts/fact.ts';

/** Lines, from 1 and both among them. */
export type LineRange = [first: number, last: number];

/** What of a tree is an error: where the parser stepped over text, and how often it made up what was missing. */
export function errorsIn(root: ParsedNode): { stepped: LineRange[]; missing: number } {
  const stepped: LineRange[] = [];
  let missing = 0;
  const visit = (node: ParsedNode): void => {
    if (node.isMissing) missing += 1;
    else if (node.isError) stepped.push([node.startPosition.row + 1, lastLine(node)]);
    else if (node.hasError) node.children.forEach(visit);
  };
  visit(root);
  return { stepped, missing };
}

const lastLine = ({ startPosition, endPosition }: ParsedNode) =>
  // What ends with a line break ends before the next line.
  endPosition.column === 0 && endPosition.row > startPosition.row ? endPosition.row : endPosition.row + 1;

/** The lines that were stepped over, but for those of definitions that were found in them all the same. */
export function unparsedLines(
  stepped: readonly LineRange[],
  definitions: readonly Pick<Definition, 'name' | 'line' | 'endLine'>[],
): LineRange[] {
  if (stepped.length === 0) return [];
  const found = definitions.filter(({ name }) => name !== '').sort((a, b) => a.line - b.line);
  const lines: LineRange[] = [];
  const add = (first: number, last: number) => {
    const before = lines.at(-1);
    if (first > last) return;
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else lines.push([first, last]);
  };
  let at = 0;
  for (const [first, last] of stepped.toSorted((a, b) => a[0] - b[0])) {
    let next = first;
    while ((found[at]?.line ?? Infinity) < first) at += 1;
    for (let inside = found[at]; inside && inside.line <= last; inside = found[++at]) {
      if (inside.endLine > last) continue;
      add(next, inside.line - 1);
      next = Math.max(next, inside.endLine + 1);
    }
    add(next, last);
  }
  return lines;
}
