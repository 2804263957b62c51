/**
 * The source with blanks for what the TypeScript grammar can't read though the language allows it; every character keeps its
 * place. Variance (`<in out T>`) says nothing of calls; a call signature that begins a line needs an end of the line before; a type
 * that is a template has no escaped backticks.
 */
export function legible(source: string): string {
  const unescaped = source.replaceAll(/\\[^]/g, (pair) => (pair === '\\`' ? '  ' : pair));
  // Bounded: looked back from the words alone, over the whitespace before each.
  const plain = unescaped.replaceAll(/(?=in|out)(?<=[<,]\s*)(?:in\s+out|in|out)(?=\s+[\p{Lu}_$])/gu, (word) =>
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
