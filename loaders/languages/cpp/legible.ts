/** Macros that say how something is linked, seen or called. */
const marks =
  /\b(?:[A-Z][A-Z0-9]*_)*[A-Z0-9]*(?:EXPORTS?|EXTERN|API|INLINE|DEPRECATED|NORETURN|PUBLIC|PRIVATE|DECL|VISIBLE|NODISCARD|CALLBACK|WINAPI|STDCALL|CDECL)(?:_[A-Z0-9]+)*\b(?!\s*[(;=,)\]{:.<>|&+-])/g;
/** Annotations of locks, with what they are of. */
const annotations =
  /\b(?:[A-Z]+_)*(?:GUARDED_BY|LOCKS_REQUIRED|LOCKS_EXCLUDED|LOCK_FUNCTION|THREAD_ANNOTATION_ATTRIBUTE__|ACQUIRED_AFTER|ACQUIRED_BEFORE|EXCLUDES|REQUIRES_SHARED)\([^()\n]*\)|\bSCOPED_LOCKABLE\b|\bLOCKABLE\b/g;

/** Blanks macros that stand between the words of a declaration, which the grammar would take for its type. */
export function legible(source: string): string {
  if (!/[A-Z]{3}/.test(source)) return source;
  const blank = (text: string): string => ' '.repeat(text.length);
  return source.replace(/^(?![ \t]*#).*[A-Z]{3}.*/gm, (line) => line.replace(annotations, blank).replace(marks, blank));
}
