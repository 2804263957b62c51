import type { TaskInstance } from '../../../src/model/task-instance.ts';
import { changedLines } from '../changed-lines.ts';
import { patchSections } from '../patch-sections.ts';

/** What is looked at: all that is told of a task, and all that is not. */
export interface Told {
  statement: string;
  /** What is said behind it of what tests ask for; nothing where that is left to the statement. */
  interface: string;
  source: TaskInstance['problem_statement_source'];
  patch: string;
  testPatch: string;
  failToPass: readonly string[];
  testFiles: readonly string[];
  /** The share of the patch's own lines that the statement quotes. */
  leakScore: number;
}

/** With what the patch changes other than prose. */
export type Texts = Told & { code: string };

export function textsOf(told: Told): Texts {
  const code = patchSections(told.patch)
    .filter(({ paths }) => !paths.some(isProse))
    .map(({ text }) => text)
    .join('');
  return { ...told, code };
}

const isProse = (path: string) => /\.(md|rst|txt|adoc)$|(^|\/)(changes|changelog|history|news)[^/]*$/i.test(path);

export const words = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? [];

export const wordsOf = (diff: string, ...signs: ('+' | '-' | ' ')[]) =>
  new Set(signs.flatMap((sign) => changedLines(diff, sign).flatMap(words)));

/** A line before its comment: `2 * rate`, `#12` in a text and `#include` begin none. */
export const withoutComment = (line: string) => line.replace(/^\s*\*\s.*|(^|\s)(#+:?(?=\s|$)|\/\/|\/\*).*/, '');

/** The words of a fix's lines with these signs, other than in comments. */
export const wordsOfCode = (code: string, ...signs: ('+' | '-' | ' ')[]) =>
  new Set(signs.flatMap((sign) => changedLines(code, sign).flatMap((line) => words(withoutComment(line)))));

/** Words that stand in a text as code does: in marks, with a call, or as no word of a language is written. */
export function codeWords(text: string): Set<string> {
  const marked = Array.from(text.matchAll(/`([^`\n]{1,200})`/g), ([, inner = '']) => words(inner)).flat();
  const called = Array.from(text.matchAll(/(?<![\w$])([A-Za-z_$][\w$]{0,200})\(/g), ([, name = '']) => name);
  const written = words(text).filter((word) => /[a-z0-9][A-Z]|\w_\w/.test(word));
  return new Set([
    ...called.filter(({ length }) => length >= 3),
    ...[...marked, ...written].filter(({ length }) => length >= 4),
  ]);
}

/** Members of modules and objects as a text has them, `html.unescape`; it may have names of files and hosts, and no ends of sentences. */
export const membersOf = (text: string): [whole: string, name: string][] =>
  Array.from(text.matchAll(/(?<![\w./])[a-z_]\w{1,100}\.([a-z_]\w{3,100})\b(?![./])/g), ([whole, name = '']) => [
    whole,
    name,
  ]);

/** Beginnings of words that a text is about: those of names, too, however these are written. */
export const subjects = (text: string): Set<string> =>
  new Set(
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{4,}/g)
      ?.filter((word) => !saysNothing.has(word))
      .map((word) => word.slice(0, 5)),
  );

const saysNothing = new Set(
  (
    'this that with from when then than there their them they have been were will would could should does done doing into onto only also some such ' +
    'more most make makes made test tests testing assert asserts self none true false null return returns returned import class function method ' +
    'value values code case cases added adds adding fixed fixes fixing change changes changed update updates updated issue support using used uses user'
  ).split(' '),
);

/** What a title begins with where messages follow a convention. */
export const kind = String.raw`^[\s*-]*(:\w+:\s+)?(?:\[[^[\]\n]{1,40}\]\s+)?([\w/.-]{1,60}(\([^()\n]*\))?!?:\s+)?`;

/** What is done to code, and is nothing that one sees from outside: `raise`, `allow` and `return` say what it shall do. */
export const edits =
  'use|correct|compare|replace|change|turn|move|pass|skip|call|check|set|drop|remove|switch|swap|wrap|guard|catch|bind|cache|cast|clean|convert|' +
  'copy|decode|delegate|encode|integrate|lowercase|special-case|sync|synchroni[sz]e|uppercase|encapsulate|extract|initiali[sz]e|inline|merge|normali[sz]e|optimi[sz]e|override|refactor|rename|reorder|resolve|reuse|rework|' +
  'rewrite|simplify|split|store|invert|tweak|adjust|edit|modify|import';

/** What is done beside a fix gives nothing of it away. */
export const beside =
  /\b(tests?|comments?|docs?|documentation|docstrings?|changelog|readme|examples?|links?|typos?|tox)\b/i;

const happens = new RegExp(
  // What goes wrong, and what shall be so or never.
  '\\b(no|not|never|none|nothing|instead|only|always|too|should|must|cannot|unable|wrong\\w*|incorrect\\w*|invalid|miss\\w*|lose|loses|lost|' +
    'empty|unexpected\\w*|errors?|exceptions?|crash\\w*|fail\\w*|rais\\w*|throw\\w*|break\\w*|broken|regression\\w*|leak\\w*|hang\\w*|' +
    'segfault\\w*|panic\\w*|dead\\w*|freez\\w*|stuck|slow\\w*|kill(s|ed)?|grow(s|ing)?|NaN|rather|than|without|before|' +
    "infinite\\w*|twice|duplicat\\w*|ignor\\w*|overwr\\w*|mis[a-z]{3,}|\\w*n['’]t|" +
    // What a program does, and is seen from outside.
    'accept(s|ed|ing)?|reject(s|ed|ing)?|return(s|ed|ing)?|yield(s|ed|ing)?|keep(s|ing)?|kept|include[sd]?|including|prevent(s|ed|ing)?|' +
    'gives?|got|expect(s|ed)?|actual(ly)?|' +
    'preserv(es?|ed|ing)|respect(s|ed|ing)?|strip(s|ped|ping)?)\\b|\\w(Error|Exception|Warning)\\b',
  'i',
);

/** Whether a text says what happens, or what shall: with a word for what goes wrong, for what must be so, or for what one sees. */
export const saysWhatHappens = (text: string): boolean => happens.test(text);

/** Whether code and a number stand behind the title: who uses a program shows so what it gives. */
export function showsIt(statement: string): boolean {
  const body = statement.replace(/^.*/, '');
  return /```|`[^`\n]+`|\w\(/.test(body) && /\d/.test(body);
}
