import { basename } from 'node:path';
import type { StatementFlag } from '../../../src/model/statement-flags.ts';
import { changedLines } from '../changed-lines.ts';
import { patchSections } from '../patch-sections.ts';
import { tellsTheFix } from './tells-the-fix.ts';
import { textsOf, words } from './told.ts';
import type { Told } from './told.ts';
import { isUnderspecified } from './underspecified.ts';

/** What is against giving a statement to somebody who shall solve it; from texts alone, by rules that one can check. */
export function statementFlags(told: Told): StatementFlag[] {
  const texts = textsOf(told);
  const found: Record<StatementFlag, boolean> = {
    tells_the_fix: tellsTheFix(texts),
    names_hidden_test: namesTest(told),
    underspecified: isUnderspecified(texts),
    changelog_only: isInChangelog(told),
  };
  return (Object.keys(found) as StatementFlag[]).filter((flag) => found[flag]);
}

/** Whether a test of the fix, or the file that has it, is named. */
function namesTest({ statement, failToPass, testFiles }: Told): boolean {
  const said = new Set(words(statement));
  const names = failToPass.map((id) => id.split(/::| > |\.(?=[A-Z]?test)/).at(-1) ?? id);
  return (
    testFiles.some((path) => statement.includes(basename(path))) ||
    names.some((name) =>
      /\s/.test(name) ? name.split(/\s+/).length >= 4 && statement.includes(name) : isNamed(name, said),
    )
  );
}

/** An identifier of one word may be anything. */
const isNamed = (name: string, said: ReadonlySet<string>) =>
  /_|[a-z][A-Z]/.test(name) && said.has(name.split('[', 1).join(''));

/** Whether what is said is what the fix itself writes into a list of changes: that says what is done, and not what was wrong. */
function isInChangelog({ statement, patch }: Told): boolean {
  const lists = patchSections(patch).filter(({ paths }) =>
    paths.some((path) => /(^|\/)(changes|changelog|history|news)[^/]*$/i.test(path)),
  );
  const told = new Set(
    lists.flatMap(({ text }) => changedLines(text, '+').flatMap(words)).map((word) => word.toLowerCase()),
  );
  const said = words(statement)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= 4);
  return told.size > 0 && said.length > 0 && said.filter((word) => told.has(word)).length / said.length >= 0.9;
}
