/** An escape; of `x` and `u` with what may stand for a character. */
const escape = /\\(?:x[\da-f]{0,2}|u(?:\{[\da-f]{1,6}\}|[\da-f]{0,4})|[^])/gi;
/** One that stands for none, as a template with a tag of its own may have: `String.raw` with `\x`. */
const standsForNone = /^\\(?:x[\da-f]?|u[\da-f]{0,3})$/i;
/** A sign in the text of an element that could begin a reference to a character: `<b>Build & Run</b>`. */
const signInText = / & (?<=<[\w.]{1,60}(?:\s[^<>]{0,300})?>[^<>{}=;"'`?:()*/]{0,300})(?=[^<>{}=;"'`?:()*/]{0,300}<\/)/g;
/** A type of another file, behind which the grammar expects no types for its parameters: `import('./map').Map<Key>`. */
const typeElsewhere = /\bimport\(\s*(?:'[^'\n]*'|"[^"\n]*")\s*\)(?:\.[\w$]{1,100}){1,9}(?=<)/g;
/** A list of such a type, and one that is joined to others, which the grammar takes for values. */
const listElsewhere =
  /\bimport\(\s*(?:'[^'\n]*'|"[^"\n]*")\s*\)(?:\.[\w$]{1,100}){1,9}(?=\[\]|[ \t]*&[ \t]*\{|[ \t]+\[\])/g;
/** What is given on as types alone, as TypeScript has it since 5.0. */
const typesAlone = /^([ \t]*export[ \t]+)type(?=[ \t]*\*)/gm;
/** The type of a file for a function, `load<typeof import('./a')>()`, alone or in a list. */
const typeOfFile =
  /(?<=<\[[^[\]\n]{0,200})typeof[ \t]+import\((?:'[^'\n]*'|"[^"\n]*")\)(?=[^[\]\n]{0,200}\]>\()|(?<=<)typeof[ \t]+import\((?:'[^'\n]*'|"[^"\n]*")\)(?=>\()/g;

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

const asAny = (type: string): string => 'any'.padEnd(type.length);

/** JavaScript with blanks for what its grammar can't read: escapes that stand for no character, and signs in the text of elements. */
export function legibleJavascript(source: string): string {
  return withoutSigns(source.replaceAll(escape, (each) => (standsForNone.test(each) ? blank(each) : each)));
}

/** TypeScript with JSX. */
export const legibleTsx = (source: string): string => withoutSigns(legible(source));

const withoutSigns = (source: string): string => (source.includes(' & ') ? source.replace(signInText, '   ') : source);

/**
 * The source with blanks for what the TypeScript grammar can't read though the language allows it; every character keeps its
 * place. Variance (`<in out T>`) says nothing of calls; a call signature that begins a line needs an end of the line before; a type
 * that is a template has no escaped backticks.
 */
export function legible(source: string): string {
  const unescaped = source.replaceAll(escape, (each) =>
    each === '\\`' || standsForNone.test(each) ? blank(each) : each,
  );
  const known = withoutParametersElsewhere(unescaped)
    .replace(listElsewhere, asAny)
    .replace(typesAlone, '$1    ')
    .replace(typeOfFile, asAny);
  // Bounded: looked back from the words alone, over the whitespace before each.
  const plain = known.replaceAll(/(?=in|out)(?<=[<,]\s*)(?:in\s+out|in|out)(?=\s+[\p{Lu}_$])/gu, (word) =>
    ' '.repeat(word.length),
  );
  // Bounded: likewise, from `<`.
  return plain.replaceAll(
    /[ \t](?=<)(?<=\n[ \t]+)(?=<\s*(?:const\s+)?[\p{Lu}_$][\w$]*(?:,|>\(|\s+extends\b|\s*=))/gu,
    (blank, at: number) => (endsType(plain, at) ? ';' : blank),
  );
}

/** More are left as they are: where none is closed, each would be looked for to the end. */
const maxParametersLength = 2_000;

/** Blanks what a type of another file has for its parameters. */
function withoutParametersElsewhere(source: string): string {
  let [text, done] = ['', 0];
  for (const { 0: type, index } of source.includes('import(') ? source.matchAll(typeElsewhere) : []) {
    const from = index + type.length;
    const to = from < done ? -1 : endOfParameters(source, from);
    if (to < 0) continue;
    text += source.slice(done, from) + blank(source.slice(from, to));
    done = to;
  }
  return text + source.slice(done);
}

function endOfParameters(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < Math.min(source.length, from + maxParametersLength); at++) {
    if (source[at] === '<') depth++;
    else if (source[at] === '>' && source[at - 1] !== '=' && --depth === 0) return at + 1;
  }
  return -1;
}

/** What stands before, apart from comments, can be the end of a signature. */
function endsType(source: string, at: number): boolean {
  let end = at;
  for (;;) {
    while (end > 0 && /\s/u.test(source.charAt(end - 1))) end--;
    const line = source.lastIndexOf('\n', end - 1) + 1;
    if (source.startsWith('*/', end - 2)) end = Math.max(0, source.lastIndexOf('/*', end - 2));
    else if (/^\s*\/\//u.test(source.slice(line, end))) end = line;
    else break;
  }
  return /[\w>)\]}"']$/u.test(source.charAt(end - 1)) && !source.startsWith('=>', end - 2);
}
