const directive =
  /^[ \t]*#[ \t]*(?:if|elif|else|endif|region|endregion|pragma|nullable|line|error|warning|define|undef)\b.*$/gm;
/** A branch that only ends what was begun before: `#else ; #endif`. */
const ending = /^[ \t]*#[ \t]*else\b[^\n]*\n[^#\p{L}]*(?=^[ \t]*#[ \t]*endif\b)/gmu;

/** Blanks directives, which may stand where the grammar expects none; code of all branches is read. */
export function legible(source: string): string {
  if (!source.includes('#')) return source;
  const blank = (text: string) => text.replace(/\S/g, ' ');
  return source.replace(ending, blank).replace(directive, blank);
}
