/** Behind a comment, a string or a character; a `/` alone is passed over. */
export function passed(source: string, from: number, isRaw = false): number {
  const mark = source[from];
  if (mark === '/') {
    if (source[from + 1] === '*') return behind(source, '*/', from + 2);
    return source[from + 1] === '/' ? endOfLine(source, from) : from + 1;
  }
  if (isRaw) {
    const [, fence] = /^"([^\s()\\]{0,16})\(/.exec(source.slice(from, from + 20)) ?? [];
    if (fence !== undefined) return behind(source, `)${fence}"`, from + 1);
  }
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === mark || source[at] === '\n') return source[at] === '\n' ? at : at + 1;
  }
  return source.length;
}

function behind(source: string, text: string, from: number): number {
  const at = source.indexOf(text, from);
  return at < 0 ? source.length : at + text.length;
}

/** The end of a line that backslashes go on. */
function endOfLine(source: string, from: number): number {
  for (let at = source.indexOf('\n', from); at >= 0; at = source.indexOf('\n', at + 1)) {
    const last = source[at - 1] === '\r' ? at - 2 : at - 1;
    if (source[last] !== '\\') return at;
  }
  return source.length;
}

/** A comment may take a directive over several lines. */
export function endOfDirective(source: string, from: number): number {
  const end = endOfLine(source, from);
  const comment = source.slice(from, end).lastIndexOf('/*');
  if (comment < 0 || source.slice(from + comment, end).includes('*/')) return end;
  return endOfLine(source, behind(source, '*/', from + comment));
}
