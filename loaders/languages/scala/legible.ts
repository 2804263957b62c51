/** The head of a class whose body is opened on the next line, which the grammar takes for a block. */
const headAbove = /^(.*\b(?:class|trait|object|extends|with)\b[^{}=\n]*)\n(?=[ \t]*\{[ \t]*$)/gm;

/** Joins the head of a class with the line that opens its body. */
export function legible(source: string): string {
  return source.replace(headAbove, '$1 ');
}
