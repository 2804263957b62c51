/** What ends no command within what stands for a variable that is not set: `${codes:-NU1901;NU1902}`. */
const endInDefault = /;(?<=\$\{\w{1,100}:?[-=+?][^{}"'`$\n]{0,200})(?=[^{}"'`$\n]{0,200}\})/g;

/** Writes it as a comma, which the grammar takes for text. */
export function legible(source: string): string {
  return source.includes('${') ? source.replace(endInDefault, ',') : source;
}
