import type { TaskInstance } from '../../../src/model/task-instance.ts';
import type { Step } from '../../snapshot/first-parent-log.ts';
import type { Issue } from '../issues.ts';

/** What is said of a task, and from where. */
export interface Statement {
  text: string;
  source: TaskInstance['problem_statement_source'];
  words: number;
  issueRefs: readonly string[];
  hints: string;
}

/** How a step came onto its branch. */
export function originOf({ message, parents }: Pick<Step, 'message' | 'parents'>): {
  kind: TaskInstance['provenance']['fix_kind'];
  prNumber: number | null;
} {
  const [subject = ''] = message.split('\n', 1);
  const [, merged] =
    /^Merge pull request #(\d+)/.exec(subject) ?? /^See merge request .*!(\d+)\s*$/m.exec(message) ?? [];
  const [, squashed] = /\(#(\d+)\)\s*$/.exec(subject) ?? [];
  const number = merged ?? squashed;
  return {
    kind: parents.length > 1 ? 'merge' : number === undefined ? 'commit' : 'squash',
    prNumber: number === undefined ? null : Number(number),
  };
}

const closing =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:(?:[\w.-]+\/[\w.-]+)?#(?<number>\d+)|https?:\/\/\S+?\/issues\/(?<linked>\d+)|(?<key>[a-z][a-z0-9]+-\d+)\b)/gi;

/**
 * What was wrong, in the words of the issue that the step closes, else of its pull request, else of its message. `merged` is
 * what the commits of a merge say, for one that says nothing itself.
 */
export function statementOf(step: Step, merged: string, issues: ReadonlyMap<string, Issue>): Statement {
  const said = (merged === '' ? step.message : withoutRepeats(`${step.message}\n${merged}`)).replace(
    /<!--[\s\S]*?-->/g,
    '',
  );
  const refs = refsIn(said, issues);
  const closed = refs.flatMap((id) => issues.get(id) ?? []);
  const { prNumber } = originOf(step);
  const pullRequest = issues.get(String(prNumber));
  const [source, found]: [Statement['source'], readonly Issue[]] =
    closed.length > 0 ? ['issue', closed] : pullRequest ? ['pull_request', [pullRequest]] : ['commit_message', []];
  const text = sanitized(found.length > 0 ? found.map(({ title, body }) => `${title}\n${body}`).join('\n\n') : said);
  const hints = found
    .flatMap(({ comments }) => comments)
    .filter(({ created_at }) => Date.parse(created_at) < Date.parse(step.authoredAt))
    .map(({ body }) => body);
  return {
    text,
    source,
    words: wordsIn(text),
    issueRefs: refs.map((id) => (/^\d/.test(id) ? `#${id}` : id)),
    hints: sanitized(hints.join('\n\n')),
  };
}

/** Numbers of issues; keys of other trackers where there are such: `UTF-8` looks like one. */
function refsIn(text: string, issues: ReadonlyMap<string, Issue>): string[] {
  const found = [...text.matchAll(closing)].flatMap(({ groups }) => {
    const key = groups?.['key']?.toUpperCase();
    return groups?.['number'] ?? groups?.['linked'] ?? (key !== undefined && issues.has(key) ? key : []);
  });
  return [...new Set(found)];
}

/** What a merge says is often what one of its commits says. */
const withoutRepeats = (text: string) =>
  text
    .split('\n')
    .filter((line, index, lines) => line.trim() === '' || lines.indexOf(line) === index)
    .join('\n');

/** The words of a text: what has a letter or a digit in it. */
export const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;

/** Nobody reads more of an issue or a message. */
const maxTextLength = 20_000;
const listed = (words: string) => new Set(words.split(' '));
/** Words of lines that speak of nothing but tests, texts and form, which are done beside any fix: what is done, and to what. */
const doing = listed(
  'add adds added adding append fix fixes fixed fixing run ran apply applied update updates updated improve improved bump remove removed simplify condense the a an and ' +
    'from in to more some missing new minor small unused dead broken incorrect outdated',
);
const chores = listed(
  'unit test tests testing case cases coverage pep8 pep-8 flake8 black isort ruff mypy lint linting linter linters style styling typo typos format ' +
    'formatting whitespace changelog comment comments doc docs documentation docstring docstrings readme readme.md type hints typing imports merge ' +
    'conflict conflicts ci review issue issues error errors warning warnings entry auto version versions news changes authors authors.rst authors.md contributors ' +
    'revision link links code cleanup import assertion assertions implementation annotation annotations pr',
);
/** Who says more in a line that names what runs the tests may say what is wrong. */
const maxAboutCi = 80;
const isOfChores = (line: string): boolean => {
  if (line.length < maxAboutCi && /\b(ci|travis|appveyor|github actions?)\b/i.test(line)) return true;
  const words = line.toLowerCase().match(/[a-z][\w.-]*\w|a/g) ?? [];
  return words.some((word) => chores.has(word)) && words.every((word) => doing.has(word) || chores.has(word));
};

/** Longer lines are no frames of a stack. */
const maxFrame = 500;

/** Where a stack that is shown leads through a test: that is the fix's own, or needed by nobody. */
const isFrameOfTest = (line: string): boolean =>
  line.length < maxFrame &&
  /^\s*(at .*[(:]|File ")/.test(line) &&
  /[a-z\d_.](Tests?|_test|[._]spec|[._]test)\b|\btests?\//.test(line);

/** Lines are wrapped that are as long. */
const minWrapped = 50;

/** Whether a line goes on with the sentence of the one before it. */
const isWrapped = (line: string, before: string): boolean =>
  before.length >= minWrapped && !/[.!?:]$/.test(before) && /^[a-z]/.test(line);

/** What leads to the fix, or serves only those who made it. */
// Bounded: by `maxTextLength`.
const telling: readonly [RegExp, string][] = [
  [/<!--[\s\S]*?-->/g, ''],
  [/^(```|~~~)\s*(diff|patch)\b[\s\S]*?^\1\s*$/gm, ''],
  [/^(diff --git |--- a\/|@@ -\d)[\s\S]*?(\n\n|$(?![\s\S]))/gm, '\n'],
  [/^Merge (pull request|branch|remote-tracking branch|tag|commit) .*$/gm, ''],
  [/^See merge request .*$/gm, ''],
  [/^\(cherry picked from commit .*$/gm, ''],
  [
    /^\s*(Signed-off-by|Co-authored-by|Co-developed-by|Reviewed-by|Reviewed-on|Acked-by|Tested-by|Reported-by|Approved-by|Suggested-by|Change-Id|PR-URL|Pull-Request|Cc|Refs?|Bug|Issue|Backport|git-svn-id)\s*:.*$/gim,
    '',
  ],
  [
    /^[^\w\n]*(close[sd]?|fix(e[sd])?|resolve[sd]?|refs?|see|part of|related to)\b:?[ \t]+([\w./-]*#\d+|gh-\d+|https?:\/\/[^\s,]+)([, \t]+(and[ \t]+)?([\w./-]*#\d+|gh-\d+|https?:\/\/[^\s,]+))*[^\w\n]*$/gim,
    '',
  ],
  [/\b(close[sd]?|fix(e[sd])?|resolve[sd]?):?[ \t]+(([\w.-]+\/[\w.-]+)?#|gh-)\d+\b:?[ \t]*/gi, ''],
  [/https?:\/\/\S+\/(commits?|pulls?|compare|issues|merge_requests)\/[^\s)\]>]*/g, ''],
  [/(?:[^\S\n]*\(#\d+\)){1,9}\s*$/gm, ''],
  [/\b([0-9a-f]{40}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,39})\b/g, ''],
  // What Mercurial and Subversion leave in a message when they are converted, and how far a review is.
  [/^--HG--$|^(rename|copy|branch|extra) : .*$/gm, ''],
  [/^([\s*-]*)\[(?:mrg|wip|rfc)(?:[+-]\d)?\][ \t]*/gim, '$1'],
  // What tools and forges write for people, and lines that speak of nothing but tests, texts and form.
  [/^[\s*-]*\[pre-commit\.ci\].*$|^[\s*-]*for more information, see https:\/\/pre-commit\.ci\S*$/gim, ''],
  [/^[\s*-]*(update|create|delete|rename) [\w./-]+\.\w+$|^[\s*-]*apply suggestions? from code review$|^-{3,}$/gim, ''],
  [/^[\s*-]*(add|adds|added|append|update) .{0,60}\b(authors|contributors|changelog|news|changes)(\.\w+)?$/gim, ''],
  [/^[\s*-]*fix(es|ed)? ((an?|some|the) )?(typos?|tests?)\b.{0,60}$/gim, ''],
  [/^[\s*-]*(refactor|tests?|style|chore|ci|docs?|build)(\([^)\n]*\))?!?: .*$/gim, ''],
  [
    /^[\s*-]*(add|adds|added|adding|update|updates|updated|fix|fixes|fixed) ((a|an|the|missing|some|more|new|unit) ){0,3}tests?( cases?)? (for|of|to|in|on|with|as) .*$/gim,
    '',
  ],
  [
    // A title says what is asked, whatever it names.
    /(?<=\n)[\s*-]*(?:[Aa]dd|[Ii]mprove|[Uu]pdate|[Ee]xtend|[Mm]ove|[Rr]ename|[Ff]ix|[Cc]onsolidate)(?:e?[sd])? .{0,80}?\b(?:[A-Z]\w{0,80}[a-z\d](?:Tests?|Spec)|\w{1,80}_(?:tests?|spec))\b.{0,40}$/gm,
    '',
  ],
  // What is left of a list of issues.
  [/^(?:[,;][ \t]*)+$|^(?:[,;][ \t]+){2,}/gm, ''],
  [/[ \t]+$/gm, ''],
  [/\n{3,}/g, '\n\n'],
];

function sanitized(text: string): string {
  return telling
    .reduce(
      (rest, [pattern, instead]) => rest.replace(pattern, instead),
      text.slice(0, maxTextLength).replaceAll('\r\n', '\n'),
    )
    .split('\n')
    .filter(
      (line, number, lines) => isWrapped(line, lines[number - 1] ?? '') || !(isOfChores(line) || isFrameOfTest(line)),
    )
    .join('\n')
    .trim();
}
