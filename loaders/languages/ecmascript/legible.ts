/** An escape; of `x` and `u` with what may stand for a character. */
const escape = /\\(?:x[\da-f]{0,2}|u(?:\{[\da-f]{1,6}\}|[\da-f]{0,4})|[^])/gi;
/** One that stands for none, as a template with a tag of its own may have: `String.raw` with `\x`. */
const standsForNone = /^\\(?:x[\da-f]?|u[\da-f]{0,3})$/i;
/** A sign in the text of an element that could begin a reference to a character: `<b>Build & Run</b>`. */
const signInText = / & (?<=>[^<>{}=;]{0,300})(?=[^<>{}=;]{0,300}<\/)/g;
/** Where a type of another file is said, before what the grammar expects behind none: `import('./map').Map<Key>`, or `…[]`. */
const typeElsewhere =
  /\bimport\(\s*(?:'[^'\n]*'|"[^"\n]*")\s*\)\.(?=(?!(?:then|catch|finally)\b)[\w$.]+(?:<|\[\]|[ \t]*&[ \t]*\{))/g;
/** What is given on as types alone, as TypeScript has it since 5.0. */
const typesAlone = /^([ \t]*export[ \t]+)type(?=[ \t]*\*)/gm;
/** The type of a file among others, `[typeof import('./a'), string]`, and for a function alone, `load<typeof import('./a')>()`. */
const fileInList =
  /(?<=\[[^[\]\n]{0,200})typeof[ \t]+import\((?:'[^'\n]*'|"[^"\n]*")\)|(?<=<)typeof[ \t]+import\((?:'[^'\n]*'|"[^"\n]*")\)(?=>\()/g;

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

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
  const known = unescaped
    .replace(typeElsewhere, blank)
    .replace(typesAlone, '$1    ')
    .replace(fileInList, (type) => 'any'.padEnd(type.length));
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
