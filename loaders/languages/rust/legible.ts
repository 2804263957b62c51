/** A macro in braces that stands where an item may. */
const macroOnLine = /^[ \t]*((?:\w+::)*\w+)![ \t]*\{/gm;
/** What stands before an item: comments and attributes. */
const before = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#!?\[[^\]]*\])*/y;
const item =
  /(?:pub(?:\s*\([^)]*\))?\s+)?(?:(?:struct|enum|union|trait|mod|use|type|fn|impl)\b|(?:unsafe|async|const)\s+(?:fn|impl|trait)\b)/y;
/** Macros whose braces hold the text of other code. */
const quoting = /^(?:\w+::)*(?:quote|quote_spanned|parse_quote|parse_quote_spanned|html|macro_rules)$/;
/** What is no item of the language: `struct Flags: u32`, `static ref`. */
const foreign = /\b(?:struct|impl)\s+\w+\s*:|\bstatic\s+ref\b/;
/** A mark between the name of a type and its body, which only the macro knows. */
const mark = /(\b(?:struct|enum|union)\s+\w+\s*)(#\w+)(?=\s*[{(;<])/g;
/** Strings, characters and comments, whose braces are none. */
const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|r(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[^\n]|[^'\\\n])'|[{}]/g;

/** Items that a macro takes are read as items, `pin_project! { struct Body { … } }`: the macro's name and its braces are blanked. */
export function legible(source: string): string {
  if (!source.includes('!')) return source;
  let result = source;
  for (const found of source.matchAll(macroOnLine)) {
    const [head, name = ''] = found;
    const start = found.index + head.length;
    if (quoting.test(name) || !holdsItems(source, start)) continue;
    const end = endOf(source, start);
    const body = result.slice(start, end);
    if (end < 0 || foreign.test(body)) continue;
    const marked = body.replace(mark, (_, before: string, word: string) => before + ' '.repeat(word.length));
    result = result.slice(0, found.index) + ' '.repeat(head.length) + marked + ' ' + result.slice(end + 1);
  }
  return result;
}

function holdsItems(source: string, start: number): boolean {
  before.lastIndex = start;
  before.exec(source);
  item.lastIndex = before.lastIndex;
  return item.test(source);
}

/** Where the brace stands that closes the one before `start`. */
function endOf(source: string, start: number): number {
  let depth = 1;
  token.lastIndex = start;
  for (let found = token.exec(source); found; found = token.exec(source)) {
    if (found[0] === '{') depth++;
    else if (found[0] === '}' && --depth === 0) return found.index;
  }
  return -1;
}
