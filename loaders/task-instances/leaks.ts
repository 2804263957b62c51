import { changedLines } from './changed-lines.ts';
import { withoutComment, wordsOfCode } from './statements/told.ts';

/** Shorter lines stand in any text. */
const minLineLength = 12;

/**
 * The share of what a diff adds that the statement has word for word, 0 to 1, without lines that are known from before: who
 * quotes those gives nothing away.
 */
export function leakScore(statement: string, diff: string, known: ReadonlySet<string>): number {
  const added = changedLines(diff, '+').map((line) => line.trim());
  const told = new Set(added.filter((line) => line.length >= minLineLength && statement.includes(line)));
  if (told.size === 0) return 0;
  const own = new Set(added.filter((line) => line.length >= minLineLength && !known.has(line)));
  return own.size === 0 ? 0 : [...told].filter((line) => own.has(line)).length / own.size;
}

/** What gives a name to something, in the languages that people write tests in. */
const definitions: readonly RegExp[] = [
  /\b(?:function\*?|class|interface|type|struct|enum|trait|def|fn|fun|module|record|object)\s+([A-Za-z_$][\w$]*)/g,
  /\bfunc\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)/g,
  // Methods, and functions of a shell.
  /^\s*(?:(?:public|private|protected|static|async|override|final|get|set)\s+)*(?!(?:if|for|while|switch|catch|function|return|with)\b)([A-Za-z_$][\w$]*)\s*\([^()]*\)\s*\{/g,
  /^(?:export\s+|pub\s+)?(?:const|let|var|val|static)\s+([A-Za-z_$][\w$]*)/g,
  /^([A-Za-z_]\w*)\s*(?::[^=]*)?=(?!=)/g,
];

/** Names that the gold patch introduces and the tests use, though the statement does not say them. */
export function newSymbolsInTests(statement: string, patch: string, testPatch: string): string[] {
  const introduced = definedIn(patch, '+');
  const words = (text: string) => text.match(/[A-Za-z_$][\w$]*/g) ?? [];
  const used = wordsOfCode(testPatch, '+');
  const told = new Set([
    ...words(statement),
    ...definedIn(patch, '-'),
    ...definedIn(patch, ' '),
    // What the tests define themselves comes from nowhere else.
    ...definedIn(testPatch, '+'),
    ...definedIn(testPatch, ' '),
  ]);
  return [...new Set(introduced)].filter((name) => used.has(name) && !told.has(name)).toSorted();
}

/** Names that the lines with this sign define. */
export function definedIn(diff: string, sign: '+' | '-' | ' '): string[] {
  return changedLines(diff, sign).flatMap((line) =>
    definitions.flatMap((form) => [...withoutComment(line).matchAll(form)].map(([, name = '']) => name)),
  );
}
