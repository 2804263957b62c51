/**
 * `new` of a value, as Go has it since 1.26 (`new(uint64(1))`), where the grammar expects a type: what calls something, calculates or
 * begins as a literal. Lists, maps and functions as types stay what they are.
 */
const newOfValue =
  /\bnew\((?!(?:func|chan|map|struct|interface)\b)(?=[\w.]{1,100}\(|["'`\d&!-]|(?:true|false)\)|[\w.]{1,100}\s*[-+*/%|<>=])/g;

/** Calls it by a name that is no word of the language: of neither is any call told. */
export function legible(source: string): string {
  return source.includes('new(') ? source.replace(newOfValue, 'neW(') : source;
}
