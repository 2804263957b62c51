/** An attribute before the names that it is of, as Lua has it since 5.5: `local <const> a, b`. */
const attributeBefore = /(?<=\b(?:local|global)\s{0,20})<\w{1,20}>(?=[ \t]{0,20}[\w*])/g;
/** What is declared as global, as it is since 5.5: all that is not declared, functions, and names. */
const allGlobal = /^([ \t]*)global[ \t]*\*/gm;
const globalFunction = /^([ \t]*)global(?=[ \t]+function\b)/gm;
const globalNames = /^([ \t]*)global(?=[ \t]+[A-Za-z_]\w*[ \t]*(?:[,=;<\n]|--|$))/gm;
/** A name for all further arguments, as a parameter of 5.5 has it: `(a, ...t)`. */
const namedRest = /(?<=[(,][ \t]*\.\.\.)[ \t]*[A-Za-z_]\w*(?=[ \t]*\))/g;

const blank = (text: string): string => ' '.repeat(text.length);

/** Reads Lua 5.5 as 5.4: what is declared as global is local to the file, where it is declared. */
export function legible(source: string): string {
  return source
    .replace(attributeBefore, blank)
    .replace(allGlobal, blank)
    .replace(globalFunction, '$1      ')
    .replace(globalNames, '$1 local')
    .replace(namedRest, blank);
}
