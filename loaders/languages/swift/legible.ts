const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Conditions of compilation, whose sides are all read, and what tells where a line comes from. */
const directives = /^[ \t]*#(?:if|elseif|else|endif|sourceLocation|warning|error)\b[^\n]*/gm;
/** From which version on something is there: above a declaration, and as a condition. */
const versions = /@(?:available|backDeployed|_spi|_unavailableFromAsync)\s?\([^()\n]*\)/g;
const versionConditions = /#(?:un)?available\s?\([^()\n]*\)/g;
/** Macros by their names: what stands behind the mark is read as any other name. */
const macros = /#(?=[A-Za-z_])/g;
/** What the grammar does not know yet. */
const modifiers =
  /\bnonisolated\(unsafe\)|(?<=\bthrows)\([\w.<> ]{1,100}\)|\b(?:borrowing|consuming|sending|package)\b(?= [\w@])|~(?=Copyable|Escapable)/g;

/** Blanks what the grammar can't read; every character keeps its place. */
export function legible(source: string): string {
  return source
    .replace(directives, blank)
    .replace(versions, blank)
    .replace(versionConditions, (text) => 'true'.padEnd(text.length))
    .replace(macros, '_')
    .replace(modifiers, blank);
}
