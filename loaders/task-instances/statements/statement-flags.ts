import type { StatementFlag } from '../../../src/model/statement-flags.ts';
import { changedLines } from '../changed-lines.ts';
import { patchSections } from '../patch-sections.ts';
import { namesTest } from './names-test.ts';
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
