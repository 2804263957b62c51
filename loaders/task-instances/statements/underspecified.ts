import { changedLines } from '../changed-lines.ts';
import { definedIn } from '../leaks.ts';
import { patchSections } from '../patch-sections.ts';
import { asksForMore } from './asked.ts';
import { isUnclear } from './clarity.ts';
import { spansOf } from './interface.ts';
import {
  beside,
  kind,
  saysWhatHappens,
  showsIt,
  subjects,
  withoutComment,
  words,
  wordsOf,
  wordsOfCode,
} from './told.ts';
import type { Texts, Told } from './told.ts';

/** Whether tests ask for what a statement does not say, or it says too little of what goes wrong. */
export const isUnderspecified = (texts: Texts): boolean =>
  isUnclear(texts) ||
  asksForMore({ ...texts, statement: [texts.statement, ...spansOf(texts.interface)].join('\n') }) ||
  saysTooLittleForItsSize(texts) ||
  namesNoMore(texts) ||
  leansOnAnother(texts) ||
  speaksOfOtherThings(texts) ||
  speaksOfForm(texts) ||
  changesTestsAlone(texts) ||
  hasNoTitle(texts);

/** With fewer words beside the number of an issue it is that issue which says what is wrong. */
const minWordsBesideIssue = 12;

function leansOnAnother({ statement }: Told): boolean {
  if (/\bthe same (fix|change) (as|in)\b/i.test(statement)) return true;
  const issue = /(?:\b(?:issues?|tickets?|bugs?|pr|gh)[ -]?#?|#)\d+\b/gi;
  return issue.test(statement) && words(statement.replaceAll(issue, '')).length < minWordsBesideIssue;
}

const form = new RegExp(
  String.raw`${kind}(some |minor |more |code )*(moderni[sz]|simplify |add .* to .*tests?$|clean(ed|ing)?[ -]?up|tid(y|ied)|reformat|restructur|reorgani[sz]|upgrade (python )?syntax)|` +
    String.raw`\b(refactor\w*|100 ?% (test )?coverage|flake8[\w-]*|pylint|pyupgrade|pre-commit|isort|(drop|add|end)(p?ed|s)? (support|testing) (for|of) (python|node|ruby|java|go)\b|support python [\d.]+)\b|` +
    String.raw`${kind}(update|upgrade|bump|migrate)d? \S+ to (its |it's |the )?(latest|newest|v?\d)|\bfrom v?\d+(\.\d+)* to v?\d+(\.\d+)*\b`,
  'i',
);

/** What serves those who work on it. */
const upkeep =
  /\b(lint\w*|mypy|golangci\S*|(test )?coverage|travis|unittest\S*|pytest|tests? cases?|type (hints?|annotations?)|typescript types|readme|changelog|examples? (update|fix)\w*)\b/i;

/** Whether its title is about form or upkeep alone: what tests of such a change ask for stands elsewhere. */
function speaksOfForm({ statement }: Told): boolean {
  const [title = ''] = statement.split('\n', 1);
  return form.test(title) || upkeep.test(title);
}

/** What tests and whoever runs them are made of. */
const ofTests = /test|(^|\/)(makefile|dockerfile|\.[^/]*)$|\.(ya?ml|json|toml|cfg|ini)$/i;

/** Whether what is mended is a help of tests, or how they are run. */
const changesTestsAlone = ({ code }: Texts): boolean =>
  patchSections(code).every(({ paths }) => paths.every((path) => ofTests.test(path)));

/** Whether it is a heap of what was done before a release, or a list without anything above it. */
const hasNoTitle = ({ statement, source }: Told): boolean =>
  /^(:\w+:\s+)?((version|release)\s+)?(v?[\d.]+|dev|wip|(updates|changes)\b.{0,20}:)$/i.test(
    statement.split('\n', 1)[0]?.trim() ?? '',
  ) ||
  (source !== 'issue' && /^\s*[*-]\s/.test(statement));

/** A fix of fewer lines hardly does more than its title names. */
const minLinesToTell = 3;

/** Whether more than a line or two of code is written, and an issue neither says what happens, or shall, nor shows it: only a subject, `Forms with files`. */
function saysTooLittleForItsSize({ statement, source, code }: Texts): boolean {
  if (source !== 'issue') return false;
  const added = changedLines(code, '+').filter((line) => words(withoutComment(line)).length > 0);
  const said = statement.split('\n').filter((line, number) => number === 0 || !beside.test(line));
  return added.length >= minLinesToTell && !said.some(saysWhatHappens) && !showsIt(statement);
}

/** With fewer words beside a new name nothing is said of what that does. */
const minBesideName = 3;

/** Whether it names something new that the tests want, a function, a class or an option, and says no more of it. */
function namesNoMore({ statement, code, testPatch }: Texts): boolean {
  const asked = wordsOf(testPatch, '+');
  const before = new Set([...wordsOfCode(code, '-', ' '), ...wordsOf(testPatch, '-', ' ')]);
  const options = [
    ...changedLines(code, '+')
      .join('\n')
      .matchAll(/["'`]--([a-z][\w-]+)/g),
  ].map(([, name = '']) => name);
  const said = statement.toLowerCase();
  const added = [...definedIn(code, '+'), ...options].filter((name) => {
    const parts = words(name);
    const isNew = parts.every((part) => asked.has(part)) && parts.some((part) => !before.has(part));
    return isNew && said.includes(name.toLowerCase());
  });
  if (added.length === 0) return false;
  const named = subjects(added.join(' '));
  const lines = statement.split('\n').filter((line) => !beside.test(line));
  return [...subjects(lines.join('\n'))].filter((word) => !named.has(word)).length < minBesideName;
}

/** Of fewer none need be in the tests by chance. */
const minSubjects = 5;

/** Whether it shares no word that says something with the tests, their names, and the files that the fix changes. */
function speaksOfOtherThings({ statement, patch, testPatch, failToPass }: Told): boolean {
  const asked = subjects(
    [
      ...changedLines(testPatch, '+'),
      ...changedLines(testPatch, ' '),
      ...failToPass,
      ...patchSections(patch).flatMap(({ paths }) => paths),
    ].join('\n'),
  );
  const said = subjects(statement);
  return said.size >= minSubjects && ![...said].some((word) => asked.has(word));
}
