import { basename, parse } from 'node:path';
import { words } from './told.ts';
import type { Told } from './told.ts';

/** Whether a test of the fix, or the file that has it, is named. */
export function namesTest({
  statement,
  failToPass,
  testFiles,
}: Pick<Told, 'statement' | 'failToPass' | 'testFiles'>): boolean {
  const said = new Set(words(statement));
  const names = failToPass.map((id) => id.split(/::| > |\.(?=[A-Z]?test)/).at(-1) ?? id);
  return (
    testFiles.some((path) => statement.includes(basename(path)) || isFileNamed(path, said)) ||
    names.some((name) =>
      /\s/.test(name) ? name.split(/\s+/).length >= 4 && statement.includes(name) : isNamed(name, said),
    )
  );
}

/** A file is named without its end, too: not `toArray.js`, which is called as what it tests. */
const isFileNamed = (path: string, said: ReadonlySet<string>) =>
  /(?:^|[._-])(?:tests?|spec)(?=[._-]|$)|[a-z\d](?:Tests?|Spec)(?=[A-Z._-]|$)|^Test[A-Z]/.test(parse(path).name) &&
  isNamed(parse(path).name, said);

/** An identifier of one word may be anything. */
const isNamed = (name: string, said: ReadonlySet<string>) =>
  /_|[a-z][A-Z]/.test(name) && said.has(name.split('[', 1).join(''));
