import type { TaskEnvironment } from '../../src/model/task-instance.ts';
import { languageOf } from '../snapshot/language-of.ts';
import { listTree } from '../snapshot/list-tree.ts';
import type { Candidate } from './candidates.ts';
import { scopedCommand } from './scoped-command.ts';

/**
 * The test files to run in place of a suite that takes too long: those of the fix, and those that are named after what it
 * changes. Null where the command runs nothing but the whole suite.
 */
export async function scopeOf(
  { base, testFiles, goldPaths }: Candidate,
  { test_cmd: command }: TaskEnvironment,
  { gitDir, isTest }: { gitDir: string; isTest: (path: string) => boolean },
): Promise<{ files: string[]; atBase: string[] } | null> {
  const isCode = (path: string) => languageOf(path) !== null;
  const changed = testFiles.filter(isCode);
  if (changed.length === 0 || scopedCommand(command, changed) === scopedCommand(command, null)) return null;
  const subjects = new Set(goldPaths.filter(isCode).map(subjectOf));
  const there = (await listTree(gitDir, base, false)).map(({ path }) => path);
  const named = there.filter((path) => isTest(path) && isCode(path) && subjects.has(subjectOf(path)));
  const files = [...new Set([...changed, ...named])].toSorted();
  const known = new Set(there);
  return { files, atBase: files.filter((path) => known.has(path)) };
}

/** What a file is about, by its name: `test_parser.py`, `parser_test.go` and `parser.spec.ts` are about `parser`. */
function subjectOf(path: string): string {
  const [stem = ''] = path.slice(path.lastIndexOf('/') + 1).split('.', 1);
  return stem
    .replace(/^tests?[_-]|[_-](tests?|spec)$|(?<=[a-z0-9])(Tests?|TestCase|Spec|IT)$|^Test(?=[A-Z])/g, '')
    .toLowerCase();
}
