/** The head of a class whose body is opened on the next line, which the grammar takes for a block. */
const headAbove = /^(.*\b(?:class|trait|object|extends|with)\b[^{}=\n]*)\n(?=[ \t]*\{[ \t]*$)/gm;
/** A line that begins with the `=` of a head above it, which the grammar takes for the end of the definition. */
const beginsWithSign = /^[ \t]*=(?![=>])/m;

/** Arrows as one character, which Scala 2 reads as it reads `=>` and `<-`; a space beside them makes room. */
const arrow = / ([⇒←])|([⇒←]) /g;

/** What is only looked at when it is needed, `value:=> T`, which the grammar takes for an operator. */
const byName = /(?<=\w):=> /g;

/** A function written in braces whose parameter's type stands without parentheses, which the grammar reads on as a type. */
const typedParameter = /^((?!.*\b(?:class|trait|object|extends|with|new)\b).*\{) (\w+: *[\w.]+(?:\[[^\]\n]*\]+)?) =>/gm;

/** What is handed in as a function whose value is on the next line, before what else is: `until(() =>` above `isOver,`. */
const functionAbove = /(\((?:\w+|\([^()\n]*\)) =>)[ \t]*\n(?=[^\n]*,[ \t]*$)/gm;

/** Likewise without a space behind the brace: `fun {x: Rep[Int] => x}`. */
const closeParameter = /^((?!.*\b(?:class|trait|object|extends|with|new)\b).*\{)(\w+): ([\w.]+(?:\[[^\n{}=]*\])?) =>/gm;

/** A variable that has the name of Scala 3's word for extensions and begins a block, which the grammar takes for the word. */
const namedAsWord = /(?<=(?:^|[{;])[ \t]*extensio)n(?=\.)/gm;

/** A comment of several lines whose last line goes on with a definition, which the grammar takes for one more part of what is above. */
const definedBehindComment =
  /\n([ \t]*\*\/)(?=[ \t]*(?:private|protected|implicit|final|override|lazy|sealed|abstract|case|def|val|var|type|class|trait|object)\b)/g;

/** Joins the head of a class with the line that opens its body, and that of a function with the line that begins its body. */
export function legible(source: string): string {
  const plain = source
    .replace(byName, ': =>')
    .replace(namedAsWord, 'N')
    .replace(definedBehindComment, '$1\n')
    .replace(arrow, (_, after?: string, before?: string) => ((after ?? before) === '⇒' ? '=>' : '<-'));
  const joined = plain
    .replace(functionAbove, (above, head: string) => head.padEnd(above.length))
    .replace(closeParameter, '$1($2:$3)=>')
    .replace(typedParameter, '$1($2)=>')
    .replace(headAbove, '$1 ');
  if (!beginsWithSign.test(joined)) return joined;
  const lines = joined.split('\n');
  const goesOn = lines.map((line, index) => index > 0 && beginsWithSign.test(line));
  return lines
    .map(
      (line, index) => (goesOn[index] ? ' ' : index > 0 ? '\n' : '') + (goesOn[index + 1] ? uncommented(line) : line),
    )
    .join('');
}

/** A comment at the end of a line would go on over what is joined to it. */
const uncommented = (line: string): string => line.replace(/\/\/.*/, (comment) => ' '.repeat(comment.length));
