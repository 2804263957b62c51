/** Macros that say how something is linked, seen or called. */
const marks =
  /\b_*(?:[A-Z][A-Z0-9]*_)*[A-Z0-9]*(?:EXPORTS?|EXTERN|API|INLINE|DEPRECATED|NORETURN|PUBLIC|PRIVATE|DECL|VISIBLE|NODISCARD|CALLBACK|WINAPI|STDCALL|CDECL)(?:_[A-Z0-9]+)*_*\b(?!\s*[(;=,)\]{:.<>|&+-])/g;
/** Annotations of locks, with what they are of. */
const annotations =
  /\b(?:[A-Z]+_)*(?:GUARDED_BY|LOCKS_REQUIRED|LOCKS_EXCLUDED|LOCK_FUNCTION|THREAD_ANNOTATION_ATTRIBUTE__|ACQUIRED_AFTER|ACQUIRED_BEFORE|EXCLUDES|REQUIRES_SHARED)\([^()\n]*\)|\bSCOPED_LOCKABLE\b|\bLOCKABLE\b/g;

/**
 * The head of a class up to its name, with words between: `class __EXPORT Name : public Base`. Before a brace only words that are
 * written as macros are, as `struct Point origin{…}` makes a variable.
 */
const classHead =
  /\b(?:class|struct|union)((?:[ \t]+(?!(?:final|alignas|class|struct|union|__attribute__|__declspec)\b)[A-Za-z_]\w*(?:\([^()\n]*\))?){1,3})(?=[ \t]+(?:\w+::)*(?!final\b)[A-Za-z_]\w*(?:[ \t]*<[^<>{};\n]*>)?\s*(?:\bfinal\s*)?(:(?!:)|\{))/g;
const isMacroName = (words: string) =>
  words.split(/\s+/).every((one) => /^(?:_\w*|[A-Z][A-Z0-9_]+)?(?:\(.*)?$/.test(one));

/** A line of nothing but a word that may open or close a namespace, or say how what follows is seen. */
const aloneInLine = /^[ \t]*([A-Z_][A-Z0-9_]{2,})[ \t]*(?=\r?$)/gm;
const opensOrCloses = /NAMESPACE|(?:^|_)(?:BEGIN|END|OPEN|CLOSE)(?:_|$)/;
const beginsDeclaration =
  /^\s*(?:#|\/[/*]|(?:class|struct|union|enum|namespace|template|typedef|using|extern|static|inline|friend|public|private|protected)\b)/;
/** So much before such a line says whether a declaration has ended there. */
const maxBefore = 400;

/** Whether a word that is alone in its line stands between declarations, and is no type, value or member of an enumeration. */
function standsApart(word: string, source: string, from: number, end: number): boolean {
  if (!opensOrCloses.test(word) && !beginsDeclaration.test(source.slice(end, end + 80))) return false;
  const before = source
    .slice(Math.max(0, from - maxBefore), from)
    .replace(/^(?:(?!\/\*)[^])*?\*\//, '')
    .replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
    .trimEnd();
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return before === '' || /^[ \t]*#/.test(line) || /[;}]$/.test(line);
}

/** Blanks macros that stand between the words of a declaration, which the grammar would take for its type. */
export function legible(source: string): string {
  const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
  const heads = source.replace(classHead, (head: string, words: string, before: string) =>
    before === ':' || isMacroName(words) ? head.slice(0, head.length - words.length) + blank(words) : head,
  );
  if (!/[A-Z]{3}/.test(heads)) return heads;
  const apart = heads.replace(aloneInLine, (line: string, word: string, at: number) =>
    standsApart(word, heads, at, at + line.length) ? blank(line) : line,
  );
  return apart.replace(/^(?![ \t]*#).*[A-Z]{3}.*/gm, (line) => line.replace(annotations, blank).replace(marks, blank));
}
