import type { FileDiff } from '../snapshot/first-parent-log.ts';
import { changedLines } from './changed-lines.ts';

/** Shorter lines stand in any text. */
const minLineLength = 12;

/**
 * The share of what the gold patch adds that the statement has word for word, 0 to 1. `isKnown` tells lines that were there
 * before: who quotes them gives nothing away.
 */
export function leakScore(
  statement: string,
  code: readonly FileDiff[],
  isKnown: (path: string, line: string) => boolean,
): number {
  const added = code.flatMap((file) =>
    [...new Set(changedLines(file, '+').map((line) => line.trim()))].filter(
      (line) => line.length >= minLineLength && !isKnown(file.path, line),
    ),
  );
  if (added.length === 0) return 0;
  return added.filter((line) => statement.includes(line)).length / added.length;
}

/** What gives a name to something, in the languages that people write tests in. */
const definition =
  /\b(?:function\*?|class|interface|type|struct|enum|trait|def|fn|fun|module|record|object)\s+([A-Za-z_$][\w$]*)|\bfunc\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)|^(?:export\s+|pub\s+)?(?:const|let|var|val|static)\s+([A-Za-z_$][\w$]*)|^([A-Za-z_]\w*)\s*(?::[^=]*)?=(?!=)/g;

/** Names that the gold patch introduces and the tests use, though the statement does not say them. */
export function newSymbolsInTests(statement: string, code: readonly FileDiff[], tests: readonly FileDiff[]): string[] {
  const before = code.flatMap((file) => [...definitions(file, '-'), ...definitions(file, ' ')]);
  const introduced = code.flatMap((file) => definitions(file, '+'));
  if (introduced.length === 0) return [];
  const words = (text: string) => text.match(/[A-Za-z_$][\w$]*/g) ?? [];
  const used = new Set(words(tests.flatMap((file) => changedLines(file, '+')).join('\n')));
  // What the tests define themselves comes from nowhere else.
  const own = tests.flatMap((file) => [...definitions(file, '+'), ...definitions(file, ' ')]);
  const told = new Set([...before, ...own, ...words(statement)]);
  return [...new Set(introduced)].filter((name) => used.has(name) && !told.has(name)).toSorted();
}

function definitions(file: FileDiff, sign: '+' | '-' | ' '): string[] {
  return changedLines(file, sign).flatMap((line) =>
    [...line.matchAll(definition)].flatMap(([, ...names]) => names.find((name) => name !== undefined) ?? []),
  );
}
