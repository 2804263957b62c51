/** A macro in braces that stands where an item may. */
const macroOnLine = /^[ \t]*((?:\w+::)*\w+)![ \t]*\{/gm;
/** What may stand before an item. */
const attribute = /#!?\[[^\]]{0,400}\]|\/\/[^\n]*|\s+/y;
const item =
  /(?:pub(?:\s*\([^)\n]{0,100}\))?\s+)?(?:(?:unsafe|async|const)\s+(?:fn|impl|trait)|struct|enum|union|trait|mod|use|type|fn|impl)(?:\s+(?:[\w<{(*$]|::)|<)/y;
/** A macro with more attributes before its first item is read as it is: an attribute may hold what looks like another macro. */
const maxAttributes = 40;
/** Macros whose braces hold the text of other code. */
const quoting = /^(?:\w+::)*(?:quote|quote_spanned|parse_quote|parse_quote_spanned|html|macro_rules)$/;
/** What is no item of the language: `struct Flags: u32`, `static ref`. */
const foreign = /\b(?:struct|impl)\s+\w+\s*:|\bstatic\s+ref\b/;
/** A mark between the name of a type and its body, which only the macro knows. */
const mark = /(\b(?:struct|enum|union)\s+\w+\s*)(#\w+)(?=\s*[{(;<])/g;
/** Braces, and what may hold some that are none: strings, characters and comments. */
const token = /\/\/[^\n]*|\/\*|r(#*)"|"(?:\\[\s\S]|[^"\\])*"?|'(?:\\[^\n]|[^'\\\n]{1,2})'|[{}]/g;
/** What stands behind the last item, and the macro alone knows: `fn f() { … } ?= null_mut()`. */
const behindItems = /\?=[^{}"'/;=]{1,200}$/;
/** Macros in the braces of more than so many others stay what they are. */
const maxNesting = 4;

/** Items that a macro takes are read as items, `pin_project! { struct Body { … } }`: the macro's name and its braces are blanked. */
export function legible(source: string): string {
  const macros = source.includes('!') ? [...source.matchAll(macroOnLine)] : [];
  const taking = macros.filter(([head, name = ''], at) => {
    const start = (macros[at]?.index ?? 0) + head.length;
    return !quoting.test(name) && holdsItems(source, start);
  });
  if (taking.length === 0) return source;
  const ends = endsOfBlocks(source);
  const cuts: { from: number; to: number }[] = [];
  const around: number[] = [];
  for (const { 0: head, index } of taking) {
    const start = index + head.length;
    const end = ends.get(start - 1);
    while (around.length > 0 && (around.at(-1) ?? 0) < start) around.pop();
    if (end === undefined || around.length >= maxNesting) continue;
    around.push(end);
    const body = source.slice(start, end);
    if (foreign.test(body)) continue;
    const { index: behind = body.length } = behindItems.exec(body) ?? {};
    cuts.push({ from: index, to: start }, { from: start + behind, to: end + 1 });
    for (const { 0: whole, 2: word = '', index: at } of body.matchAll(mark)) {
      const to = start + at + whole.length;
      cuts.push({ from: to - word.length, to });
    }
  }
  return blanked(source, cuts);
}

/** The source with these parts replaced by spaces; its lines stay. */
function blanked(source: string, cuts: { from: number; to: number }[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of cuts.toSorted((one, other) => one.from - other.from)) {
    if (from < done) continue;
    parts.push(source.slice(done, from), source.slice(from, to).replace(/\S/g, ' '));
    done = to;
  }
  return parts.join('') + source.slice(done);
}

function holdsItems(source: string, start: number): boolean {
  let at = start;
  let attributes = 0;
  attribute.lastIndex = at;
  while (attributes <= maxAttributes && attribute.test(source)) {
    if (source[at] === '#') attributes++;
    at = attribute.lastIndex;
  }
  item.lastIndex = at;
  return item.test(source);
}

/** Where each brace is closed that is opened. */
function endsOfBlocks(source: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  token.lastIndex = 0;
  for (let found = token.exec(source); found; found = token.exec(source)) {
    const [text, hashes] = found;
    if (text === '{') open.push(found.index);
    else if (text === '}') {
      const start = open.pop();
      if (start !== undefined) ends.set(start, found.index);
    } else if (text === '/*' || hashes !== undefined) {
      const close = text === '/*' ? '*/' : `"${hashes}`;
      const end = source.indexOf(close, token.lastIndex);
      token.lastIndex = end < 0 ? source.length : end + close.length;
    }
  }
  return ends;
}
