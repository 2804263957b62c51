const directive =
  /^[ \t]*#[ \t]*(?:if|elif|else|endif|region|endregion|pragma|nullable|line|error|warning|define|undef)\b.*$/gm;
/** A branch that only ends what was begun before: `#else ; #endif`. */
const ending = /^[ \t]*#[ \t]*else\b[^\n]*\n[^#\p{L}]*(?=^[ \t]*#[ \t]*endif\b)/gmu;

/** A variable that has the name of a word for what follows it, behind which nothing does: `await query(async)`. */
const namedAsWord = /(?<![\w@])async(?=\s*(?:[,);?.=\]}!&|:+*/%<>-]|(?:is|as)\b))/g;

/** Blanks directives, which may stand where the grammar expects none; code of all branches is read. */
export function legible(source: string): string {
  const plain = source.replace(namedAsWord, 'asynC');
  if (!plain.includes('#')) return plain;
  const blank = (text: string) => text.replace(/\S/g, ' ');
  return plain.replace(ending, blank).replace(directive, blank);
}
