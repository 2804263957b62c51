/**
 * A source as one would write it: without the blank line after the opening backtick, the line of the closing one, and the indentation
 * that all lines share. A blank line at the end gives a line break at the end. Escapes are JavaScript's.
 */
export function dedent([text = '']: TemplateStringsArray): string {
  const lines = text.split('\n').slice(1, -1);
  const indentation = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/[^ ]/)));
  return lines.map((line) => line.slice(indentation)).join('\n');
}
