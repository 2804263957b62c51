import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { namedIn } from './open-controls.ts';
import { testDeclarations, type TestDeclaration } from './test-file.ts';

/** The tests of some files with their text; null where one of them has tests that can't be told. */
type Tests = { path: string; test: TestDeclaration; text: string }[] | null;

/** The tests that these files of a tree declare. */
export async function testsIn(tree: string, files: readonly string[]): Promise<Tests> {
  const found: NonNullable<Tests> = [];
  for (const path of files) {
    const source = await readFile(join(tree, path), 'utf8').catch(() => null);
    if (source === null) continue;
    const tests = await testDeclarations(path, source);
    // What a test needs beside it, as data, declares none.
    if (tests.length === 0 && /\btest/i.test(source)) return null;
    found.push(...tests.map((test) => ({ path, test, text: source.slice(test.start, test.end) })));
  }
  return found;
}

/** Tells by a test's id whether its text is new or another one after than before; of all where that can't be told. */
export function changedTests(before: Tests, after: Tests): (id: string) => boolean {
  if (before === null || after === null) return () => true;
  const known = new Set(before.map(({ path, text }) => `${path}\0${text}`));
  const changed = after.filter(({ path, text }) => !known.has(`${path}\0${text}`));
  return (id) => changed.some(({ test }) => namedIn([id])(test));
}
