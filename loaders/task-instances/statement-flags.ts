import { basename } from 'node:path';
import type { StatementFlag } from '../../src/model/statement-flags.ts';
import { changedLines } from './changed-lines.ts';
import { newSymbolsInTests } from './leaks.ts';
import { patchSections } from './patch-sections.ts';

/** What is looked at: all that is told of a task, and all that is not. */
export interface Told {
  statement: string;
  patch: string;
  testPatch: string;
  failToPass: readonly string[];
  testFiles: readonly string[];
  /** The share of the patch's own lines that the statement quotes. */
  leakScore: number;
}

/** What is against giving a statement to somebody who shall solve it; from texts alone, by rules that one can check. */
export function statementFlags(told: Told): StatementFlag[] {
  const code = patchSections(told.patch)
    .filter(({ paths }) => !paths.some(isProse))
    .map(({ text }) => text)
    .join('');
  const texts = { ...told, code };
  const found: Record<StatementFlag, boolean> = {
    tells_the_fix: told.leakScore > 0 || namesWhatIsAdded(texts) || saysWhatToUse(texts),
    names_hidden_test: namesTest(told),
    underspecified: needsWhatIsNotTold(texts),
    changelog_only: isInChangelog(told),
  };
  return (Object.keys(found) as StatementFlag[]).filter((flag) => found[flag]);
}

type Texts = Told & { code: string };

const isProse = (path: string) => /\.(md|rst|txt|adoc)$|(^|\/)(changes|changelog|history|news)[^/]*$/i.test(path);

const words = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? [];
const wordsOf = (diff: string, ...signs: ('+' | '-' | ' ')[]) =>
  new Set(signs.flatMap((sign) => changedLines(diff, sign).flatMap(words)));

/** Words that stand in a text as code does: in marks, with a call, or as no word of a language is written. */
function codeWords(text: string): Set<string> {
  const marked = Array.from(text.matchAll(/`([^`\n]{1,200})`/g), ([, inner = '']) => words(inner)).flat();
  const called = Array.from(text.matchAll(/(?<![\w$])([A-Za-z_$][\w$]{0,200})\(/g), ([, name = '']) => name);
  const written = words(text).filter((word) => /[a-z0-9][A-Z]|\w_\w/.test(word));
  return new Set([...marked, ...called, ...written].filter((word) => word.length >= 4));
}

/** Whether it names what only the fix brings, and no test asks for. */
function namesWhatIsAdded({ statement, code, testPatch }: Texts): boolean {
  const added = wordsOf(code, '+');
  const known = new Set([...wordsOf(code, '-', ' '), ...wordsOf(testPatch, '+', '-', ' ')]);
  return [...codeWords(statement)].some((word) => added.has(word) && !known.has(word));
}

const choices =
  /\b(instead of|rather than|in favou?r of|replac(e[sd]?|ing) .* (with|by)|switch(e[sd])? (from .* )?to)\b/i;

/** Whether it says what to write in place of what: with a word that the fix adds where it was not. */
function saysWhatToUse({ statement, code, testPatch }: Texts): boolean {
  const added = wordsOf(code, '+');
  const known = new Set([...wordsOf(code, '-', ' '), ...wordsOf(testPatch, '+', ' ')]);
  return statement
    .split(/\n|(?<=[.!?])\s/)
    .filter((sentence) => sentence.length < 500 && choices.test(sentence))
    .some((sentence) => words(sentence).some((word) => word.length >= 4 && added.has(word) && !known.has(word)));
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

/** Whether the tests want names or messages that the fix brings and nothing tells of. */
function needsWhatIsNotTold({ statement, code, patch, testPatch }: Texts): boolean {
  const known = new Set([...wordsOf(code, '-', ' '), ...wordsOf(testPatch, '-', ' '), ...words(statement)]);
  const inTests = changedLines(testPatch, '+').join('\n');
  const asked = new Set(
    Array.from(inTests.matchAll(/\.([A-Za-z_]\w+)|\b([A-Za-z_]\w+)[=:](?=[^=\s])/g), membersAndKeywords),
  );
  return (
    newSymbolsInTests(statement, patch, testPatch).length > 0 ||
    membersIn(code).some((name) => asked.has(name) && !known.has(name)) ||
    messagesIn(inTests).some((message) => isOfFixAlone(message, { statement, code, testPatch }))
  );
}

const membersAndKeywords = ([, member, keyword]: RegExpMatchArray) => member ?? keyword ?? '';

/** Parameters, fields and members that a fix adds. */
function membersIn(code: string): string[] {
  return changedLines(code, '+').flatMap((line) => [
    ...Array.from(
      line.matchAll(/\b(?:self|this|exports|prototype)\.([A-Za-z_]\w*)\s*=(?!=)/g),
      ([, name = '']) => name,
    ),
    // A field of Go's, and what stands between the parentheses of a definition.
    ...words(/^\s+([A-Z]\w*)\s+[\w.*[\]]+(?:\s+`.*`)?$/.exec(line)?.[1] ?? ''),
    ...words(/\b(?:def|function|func)\b[^(]*\(([^()]*)/.exec(line)?.[1] ?? ''),
  ]);
}

/** Texts of more than a word, between marks. */
const messagesIn = (text: string) =>
  Array.from(text.matchAll(/(["'`])((?:(?!\1)[^\\\n]){6,200})\1/g), ([, , inner = '']) => inner).filter((inner) =>
    /\w\s\w/.test(inner),
  );

function isOfFixAlone(
  message: string,
  { statement, code, testPatch }: Pick<Texts, 'statement' | 'code' | 'testPatch'>,
) {
  const isIn = (diff: string, ...signs: ('+' | '-' | ' ')[]) =>
    signs.some((sign) => changedLines(diff, sign).some((line) => line.includes(message)));
  const isWhole = ['"', "'", '`'].some((mark) => code.includes(`${mark}${message}${mark}`));
  const isTold = statement.toLowerCase().includes(message.toLowerCase());
  return isWhole && !isTold && isIn(code, '+') && !isIn(code, '-', ' ') && !isIn(testPatch, '-', ' ');
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
