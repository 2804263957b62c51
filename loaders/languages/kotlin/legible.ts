/** A class whose constructor is on a line of its own, which the grammar takes for the next member. */
const constructorBelow =
  /\bclass\s+[\w`]+(?:<[^\n{}()]*>)?\s*\n\s*(?:(?:@[\w.]+(?:\([^()\n]*\))?|public|private|protected|internal)\s+)*constructor\b/g;
/** A class that is written on one line, whose last member the grammar expects to be ended: `class A { fun b() = 1 }`. */
const onOneLine = /^.*\b(?:class|interface|object)\b.*\{.*\}.*$/gm;

/** Joins and ends what the grammar would otherwise read wrongly. */
export function legible(source: string): string {
  return source
    .replace(constructorBelow, (head) => head.replaceAll('\n', ' '))
    .replace(onOneLine, (line) => line.replace(/(?<=[^\s{;]) (?=\})/g, ';'));
}
