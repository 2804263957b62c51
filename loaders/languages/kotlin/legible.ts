/** A class whose constructor is on a line of its own, which the grammar takes for the next member. */
const constructorBelow =
  /\bclass\s+[\w`]+(?:<[^\n{}()]*>)?[^\S\n]*\n\s*(?:(?:@[\w.]+(?:\([^()\n]*\))?|public|private|protected|internal|actual|expect)\s+)*constructor\b/g;
/** A class that is written on one line, whose last member the grammar expects to be ended: `class A { fun b() = 1 }`. */
const isOnOneLine = (line: string): boolean => {
  const open = line.indexOf('{', /\b(?:class|interface|object)\b/.exec(line)?.index ?? line.length);
  return open >= 0 && line.lastIndexOf('}') > open;
};
/**
 * A variable that is named like a modifier and assigned at the start of a statement, which the grammar takes for the modifier of a
 * declaration (`open = true`), or for an accessor of the property above (`val bit = 1` and, below, `set = bit`).
 */
const namedLikeModifier =
  /((?:^|[{;])[ \t]*)[ \t](open|set|get|final|override|abstract|sealed|public|private|protected|internal|inline|infix|external|suspend|lateinit|tailrec|vararg|noinline|crossinline|by|where|dynamic)[ \t](?=[-+*/%]?=[^=])/gm;

/** A function that is named like a modifier and called at the start of a statement: `open(file)`. */
const calledLikeModifier =
  /((?:^|[{;])[ \t]*)(open|final|override|abstract|sealed|public|private|protected|internal|inline|infix|external|lateinit|tailrec|vararg|noinline|crossinline)(?=\(|[ \t]?\{)/gm;

/** A name of an operator and what is no letter, which the grammar takes for the operator at the begin of a line: `in1.close()`. */
const namedLikeOperator = /\b(in|as|else)(?=[\d_])/g;
/** A comment behind an annotation, after which the grammar does not see the declaration below. */
const behindAnnotation = /^([ \t]*@[\w.]+(?:\([^()\n]*\))?[ \t]*)(\/\/[^\n]*)$/gm;
/** A line that ends before `&&` or `||`, where the grammar takes the statement for ended. */
const aboveOperator = /\n(?=[ \t]*(?:&&|\|\|))/g;

/** A call on the line below a variable that can be no accessor of it, as it has other arguments: `get(copy)`, `set(a, b)`. */
const namedLikeAccessor = /^([ \t]*va[lr]\b[^\n]*[\w)\]}"]\n[ \t]*)[ \t](?=(?:get\((?!\))|set\([^()\n]*,))/gm;
/** An annotation above the accessor of a property, after which the grammar takes the accessor for a statement. */
const aboveAccessor =
  /@[\w.]+(?:\([^()\n]*\))?(?=[^\S\n]*\n\s*(?:(?:private|protected|internal|inline)\s+)?[gs]et\b[^\S\n]*\()/g;

/** A function that has the name of a modifier, for which the grammar takes it: `fun suspend() = worker.suspend()`. */
const functionNamedLikeModifier = /(?<=\bfun[ \t])(?:suspend|lateinit|tailrec|dynamic)(?=\()/g;
/** A function that may wait, written where a value is expected: `val started = suspend { start() }`. */
const waitingLambda = /(?<=[=(,][ \t]{0,20})suspend(?=[ \t]{0,20}\{)/g;
/** What has to be around a function or a property to use it, as Kotlin has it since 2.2: `context(project: Project)` above it. */
const contextParameters =
  /^[ \t]*context\(\w+:[^()\n]*\)(?=\s+(?:(?:public|private|protected|internal|inline|suspend|override|operator|infix|abstract|open|actual|expect)\s+)*(?:fun|va[lr])\b)/gm;
/** A member of what may be nothing: `String?::plus`. */
const memberOfNullable = /(?<=[\w>])\?(?=::\w)/g;

/**
 * Annotations above a declaration at the top of a file that begins with one of these words, which the grammar takes for the name of a
 * value: `@A(1)`, and below it `enum class B { C }`.
 */
const aboveSoftWord =
  /^(?:@[\w.]+(?:\([^\n]*\))?[ \t]*\n)+(?=(?:enum|annotation|expect|operator|const)\b|data object\b)/gm;
const visibility = 'public';

/** A visibility in the place of the last of them that has the room for it says what follows. */
function withVisibility(annotations: string): string {
  const lines = annotations.split('\n');
  const at = lines.findLastIndex(({ length }) => length >= visibility.length);
  return lines
    .map((line, index) => (index < at ? line : (index === at ? visibility : '').padEnd(line.length)))
    .join('\n');
}

/** A class that is made by another, `class A : B by b {`, whose body the grammar takes for a lambda of `b`. */
const delegated = /[ \t]by[ \t]+[\w.]+(?=[ \t]*\{[ \t]*$)/;

/** A class's head without what makes it; `val b: B by lazy {` is a property. */
function withoutDelegate(line: string): string {
  const at = delegated.exec(line)?.index ?? -1;
  const head = line.slice(0, Math.max(at, 0));
  const after = head.slice(head.lastIndexOf(')') + 1);
  const isHead = /\S/.test(head) && !/\bva[lr]\b/.test(after) && (after === head || /^\s*[:,]/.test(after));
  return isHead ? line.replace(delegated, (delegate) => ' '.repeat(delegate.length)) : line;
}

/** Ends a getter, `get() = 1`, below which the grammar takes annotations and a function for what goes on with its value. */
function endGetters(source: string): string {
  let isBelow = false;
  return source
    .split('\n')
    .map((line) => {
      if (/\bget\(\)[ \t]*=/.test(line)) isBelow = true;
      else if (isBelow && /^[ \t]*@[\w.]+(?:\(.*\))?[ \t]*$/.test(line)) {
        isBelow = false;
        return ';'.padEnd(line.length);
      } else if (!/^[ \t]*(?:$|\/\/|\/?\*)/.test(line)) isBelow = false;
      return line;
    })
    .join('\n');
}

/** Joins, ends and quotes what the grammar would otherwise read wrongly. */
export function legible(source: string): string {
  return endGetters(source)
    .replace(/^.*[ \t]by[ \t].*/gm, withoutDelegate)
    .replace(behindAnnotation, (_, annotation: string, comment: string) => annotation + ' '.repeat(comment.length))
    .replace(aboveOperator, (lineBreak, at: number, text: string) =>
      text.slice(text.lastIndexOf('\n', at - 1) + 1, at).includes('//') ? lineBreak : ' ',
    )
    .replace(constructorBelow, (head) => head.replaceAll('\n', ' '))
    .replace(aboveAccessor, (annotation) => ' '.repeat(annotation.length))
    .replace(aboveSoftWord, withVisibility)
    .replace(namedLikeAccessor, '$1;')
    .replace(namedLikeModifier, '$1`$2`')
    .replace(functionNamedLikeModifier, (name) => name.toUpperCase())
    .replace(waitingLambda, '       ')
    .replace(contextParameters, (context) => ' '.repeat(context.length))
    .replace(memberOfNullable, ' ')
    .replace(calledLikeModifier, (_, before: string, word: string) => before + word.toUpperCase())
    .replace(namedLikeOperator, (word) => word.toUpperCase())
    .replace(/^.*\b(?:class|interface|object)\b.*/gm, (line) =>
      isOnOneLine(line) ? line.replace(/(?<=[^\s{;]) (?=\})/g, ';') : line,
    );
}
