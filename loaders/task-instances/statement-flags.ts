import { basename } from 'node:path';
import type { StatementFlag } from '../../src/model/statement-flags.ts';
import type { TaskInstance } from '../../src/model/task-instance.ts';
import { changedLines } from './changed-lines.ts';
import { definedIn, newSymbolsInTests } from './leaks.ts';
import { patchSections } from './patch-sections.ts';

/** What is looked at: all that is told of a task, and all that is not. */
export interface Told {
  statement: string;
  source: TaskInstance['problem_statement_source'];
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
    tells_the_fix:
      told.leakScore > 0 ||
      namesWhatIsAdded(texts) ||
      namesWhatIsInside(texts) ||
      namesPackage(told) ||
      saysWhatToUse(texts) ||
      saysHow(told) ||
      saysWhatWasDone(told),
    names_hidden_test: namesTest(told),
    underspecified:
      needsWhatIsNotTold(texts) ||
      needsValues(texts) ||
      needsError(texts) ||
      needsInside(texts) ||
      saysNoSymptom(told) ||
      namesNoMore(texts) ||
      leansOnAnother(told) ||
      speaksOfOtherThings(told) ||
      speaksOfForm(told) ||
      hasNoTitle(told),
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
  return new Set([
    ...called.filter(({ length }) => length >= 3),
    ...[...marked, ...written].filter(({ length }) => length >= 4),
  ]);
}

const withoutComment = (line: string) => line.replace(/(^|\s)(#|\/\/|\/\*|\*\s).*/, '');

/** The words of a fix's lines with these signs, other than in comments. */
const wordsOfCode = (code: string, ...signs: ('+' | '-' | ' ')[]) =>
  new Set(signs.flatMap((sign) => changedLines(code, sign).flatMap((line) => words(withoutComment(line)))));

/** Whether it names what only the fix brings, and no test asks for. */
function namesWhatIsAdded({ statement, code, testPatch }: Texts): boolean {
  const added = wordsOfCode(code, '+');
  const known = new Set([...wordsOf(code, '-', ' '), ...wordsOf(testPatch, '+', '-', ' ')]);
  return [...codeWords(statement)].some((word) => added.has(word) && !known.has(word));
}

/** Whether it names a package that the fix brings in, and no test uses. */
function namesPackage({ statement, patch, testPatch }: Told): boolean {
  const lists = patchSections(patch)
    .filter(({ paths }) =>
      paths.some((path) =>
        /(^|\/)(requirements[^/]*\.(txt|in)|setup\.(py|cfg)|pyproject\.toml|package\.json|go\.mod|Cargo\.toml)$/.test(
          path,
        ),
      ),
    )
    .map(({ text }) => text)
    .join('');
  const known = new Set([...wordsOf(lists, '-', ' '), ...wordsOf(testPatch, '+', '-', ' ')]);
  const said = new Set(words(statement));
  return [...wordsOf(lists, '+')].some((word) => word.length >= 5 && said.has(word) && !known.has(word));
}

const orders =
  /^[\s*-]*(change|remove|rename|refactor|move|make|use|let|replace|rewrite|simplif|add|call|drop|extract|split|inline)\w*\b/i;

/**
 * Whether a line of it says what to do with what only the code itself knows and no test asks for, or the title of who mended it speaks
 * of that, or says in what: that is where to write, and nothing that went wrong.
 */
function namesWhatIsInside({ statement, source, code, testPatch }: Texts): boolean {
  const asked = wordsOf(testPatch, '+', '-', ' ');
  const said = statement
    .split('\n')
    .filter((line, number) => orders.test(line) || (number === 0 && source !== 'issue'));
  if (said.flatMap(words).some((word) => /^_[a-z]\w{3,}$/i.test(word) && !word.endsWith('__') && !asked.has(word)))
    return true;
  const places = statement.split('\n', 1)[0]?.match(/\bin `?\w+_\w+/g) ?? [];
  const inCode = wordsOf(code, '+', '-', ' ');
  return places.flatMap(words).some((word) => word.includes('_') && inCode.has(word) && !asked.has(word));
}

const choices =
  /\b(instead of|rather than|in favou?r of|replac(e[sd]?|ing) .* (with|by)|switch(e[sd])? (from .* )?to|using|via|by means of)\b/i;

/** Whether it says what to write in place of what: with a word that the fix adds where it was not. */
function saysWhatToUse({ statement, code, testPatch }: Texts): boolean {
  const added = wordsOfCode(code, '+');
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
function needsWhatIsNotTold(texts: Texts): boolean {
  const { statement, code, patch, testPatch } = texts;
  const known = new Set([...wordsOf(code, '-', ' '), ...wordsOf(testPatch, '-', ' '), ...words(statement)]);
  const inTests = changedLines(testPatch, '+').join('\n');
  const asked = new Set(
    Array.from(inTests.matchAll(/\.([A-Za-z_]\w+)|\b([A-Za-z_]\w+)[=:](?=[^=\s])/g), membersAndKeywords),
  );
  for (const [, names = ''] of inTests.matchAll(/^[ \t]*from [\w.]+ import ([^\n]+)/gm))
    for (const name of words(names)) asked.add(name);
  return (
    newSymbolsInTests(statement, patch, testPatch).length > 0 ||
    membersIn(code, '+').some((name) => asked.has(name) && !known.has(name)) ||
    messagesIn(inTests).some((message) => isOfFixAlone(message, { statement, code, testPatch })) ||
    partsOfMessages(code).some((part) => inTests.includes(part) && isNew(part, { statement, code, testPatch })) ||
    pairsOfMessages(code).some(([one, other]) => isFilledIn(inTests, one, other) && isNew(one, texts)) ||
    partsOfPatterns(inTests).some((part) => isNew(part, { statement, code, testPatch }))
  );
}

/** What stands in code as it is, and is no word of a language: texts without space, and numbers that nobody would think of. */
const valuesIn = (line: string): string[] => [
  ...Array.from(line.matchAll(/(["'`])([^"'`\\\s]{3,60})\1/g), ([, , inner = '']) => inner),
  ...Array.from(line.matchAll(/(?<![\w.])(?:\d+\.\d+|\d{3,})(?![\w.])/g), ([number]) => number),
];

/** Whether the tests ask for a value that the fix writes down and nothing tells of: a default, a format, a key. */
function needsValues({ statement, code, testPatch }: Texts): boolean {
  const values = (diff: string, ...signs: ('+' | '-' | ' ')[]) =>
    new Set(signs.flatMap((sign) => changedLines(diff, sign).flatMap(valuesIn)));
  const asked = values(testPatch, '+');
  const known = new Set([...values(code, '-', ' '), ...values(testPatch, '-', ' ')]);
  const said = statement.toLowerCase();
  return [...values(code, '+')].some(
    (value) => asked.has(value) && !known.has(value) && !said.includes(value.toLowerCase()),
  );
}

/** With fewer words beside the number of an issue it is that issue which says what is wrong. */
const minWordsBesideIssue = 12;

function leansOnAnother({ statement }: Told): boolean {
  if (/\bthe same (fix|change) (as|in)\b/i.test(statement)) return true;
  const issue = /(?:\b(?:issues?|tickets?|bugs?|pr|gh)[ -]?#?|#)\d+\b/gi;
  return issue.test(statement) && words(statement.replaceAll(issue, '')).length < minWordsBesideIssue;
}

/** What is done to code, and is nothing that one sees from outside: `raise`, `allow` and `return` say what it shall do. */
const edits =
  'use|correct|compare|replace|change|turn|move|pass|skip|call|check|set|drop|remove|switch|swap|wrap|guard|catch|bind|cache|cast|clean|convert|' +
  'copy|decode|delegate|encode|integrate|lowercase|special-case|sync|synchroni[sz]e|uppercase|encapsulate|extract|initiali[sz]e|inline|merge|normali[sz]e|optimi[sz]e|override|refactor|rename|reorder|resolve|reuse|rework|' +
  'rewrite|simplify|split|store|invert|tweak|adjust|edit|modify|import';
const past =
  'used|corrected|replaced|changed|turned|moved|dropped|removed|switched|swapped|wrapped|converted|renamed|refactored|reworked|simplified|merged|added|made|deleted';
const deeds = new RegExp(
  String.raw`^[\s*-]*(\w+(\([^()\n]*\))?!?:\s+)?((also|and|then|plus)\s+)?(${edits}|discard|omit|${past}|add)\s|^\s*[*-]\s+(${edits})(e?s)\s`,
  'i',
);
/** How people go on to a way once they have said what was wrong. */
const tales = [
  /\b(in|with|after) this (fix|patch|commit|change)\b/i,
  /\bthis (fix|patch|commit|change) (?!fixes|ensures|allows|addresses|improves|enables|is|was|has)\w+s\b/i,
  /\bnow (takes|uses|calls|checks)\b|\b(fix(ed)?|solved?|resolved?|done|avoided) ((it|this|that) )?by (\w+ing|remove|add|change|use)\b/i,
  /^\s*this (\w+ )?(changes|breaks|does|replaces|solves|avoids|prevents|works|mends|fixes|addresses|removes|makes)\b.{0,120}\bby \w+ing\b/i,
  /\b(is|are) (done|handled|implemented) (in|by|via|through) `?[\w.]*_/i,
  /\b(the|my|our|an?) (\w+ )?(solution|fix|idea|trick|workaround) ((was|is) (\w+ )?to|uses|adds|makes|changes)\b|\b(should|will|does) (do )?the trick\b/i,
  /\bthis version (will|now|\w+s)\b|\bheuristic (is|was)\b/i,
  /\bto avoid [a-z]+ing\b|\bby [a-z]+(-[a-z]+)?ing (this|that|it|these|them)\b/i,
  /\bdue to an? (\w+ )?typo\b|\b(fix|correct) (the|that|this) typo\b/i,
  /\b(the|an?) (\w+ ){1,3}(avoids|prevents|ensures|guarantees)\b/i,
];
const noOrders = new RegExp(
  '^(when|if|in|on|at|for|with|by|from|after|before|because|since|while|as|but|and|or|so|then|that|there|here|it|we|they|you|i|not|no|only|also|even|' +
    'both|all|any|each|every|some|most|such|like|unlike|under|over|without|within|during|until|unless|though|although|whether|where|which|who|what|' +
    'how|why|now|once|per|via|except|neither|either|inside|outside|beyond|near|around|through|above|below|behind|beside|beneath|among|across|along|past|off|onto|' +
    'upon|toward|towards|besides|plus|minus|instead|rather|than|whenever|wherever|thus|hence|yet|still|just|again|to|of|be|do|can|could|will|would|should|may|might|must|into|between|against|about|given|despite|' +
    // What a program shall do, and what one asks of a reader.
    'raise|allow|let|return|reject|accept|support|handle|fix|ensure|avoid|prevent|keep|preserve|respect|see|note|consider|run|try|thanks)$',
  'i',
);
/** Whether it is an order: a verb as it is in a dictionary, and what the verb is about. */
function isOrder(sentence: string): boolean {
  const [, ordered, told] =
    /^[\s*-]*(?:(?:at|in|on|if|when|for|once|after|before|while|to)\b[^,]{0,80}, )?([a-z]{2,20}(?:-[a-z]{2,20})?) (?:the|an?|both|each|every|all|any|its|their|it|them|these|those|over|only)\b|^[\s*-]*to\b[^,]{0,80}, ([a-z]{2,20}) (?:this|that)\b/i.exec(
      sentence,
    ) ?? [];
  const verb = ordered ?? told ?? '';
  return verb !== '' && !noOrders.test(verb) && !/(s|ed|ing|ly)$/i.test(verb);
}
/** What stands above a way, at the beginning of a sentence or as a heading. */
const way =
  '(The |Proposed |Suggested )?([Ff]ix|[Ss]olution|[Aa]pproach|[Ii]mplementation|[Cc]hange|[Rr]esolution)(s|es|ed)?( made)?';
const headings = new RegExp(String.raw`^\s*(\*\*)?${way}\s*(:|\*\*|$)|^\s*#+\s*(${way}|What changed|How)\b`);
/** In an issue those who use the program speak so of what they do with it. */
const ofAuthors =
  /\bwe (also |now |simply |just )?(make|use|check|add|call|set|move|store|convert|replace|pass|record)\b|\binstead, we\b|\bbut rather (when|by|in)\b|\b(was|were) (also )?(moved|extracted|rewritten|refactored|modified)\b|\bthis uses .{1,80} to \w+|\bshould be (swapped|replaced|called|wrapped|initiali[sz]ed)\b|\b(is|are) implemented (with|using|via)\b/i;
/** What is done beside a fix gives nothing of it away. */
const beside = /\b(tests?|comments?|docs?|documentation|docstrings?|changelog|readme|examples?|links?|typos?|tox)\b/i;

/** Of what a sentence says more than this must be new for it to say more than the title. */
const maxNewShare = 1 / 3;

/** Whether it goes on, behind what is wrong, to what was done: its title may ask for something in the same words. */
function saysWhatWasDone(told: Told): boolean {
  const { title, body } = parted(told);
  const asked = subjects(title);
  const isFurther = (sentence: string) => {
    const said = [...subjects(sentence)];
    return said.filter((word) => !asked.has(word)).length > said.length * maxNewShare;
  };
  return body.some(
    (sentence) =>
      tales.some((tale) => tale.test(sentence)) ||
      headings.test(sentence) ||
      (told.source !== 'issue' &&
        (ofAuthors.test(sentence) || (isOrder(sentence) && !beside.test(sentence) && isFurther(sentence)))) ||
      (deeds.test(sentence) && !beside.test(sentence) && isFurther(sentence)),
  );
}

/** A title, and the sentences behind it, which may go over several lines: entries of a list, too, but in an issue, where they tell how to see what is wrong. */
function parted({ statement, source }: Told): { title: string; body: string[] } {
  const [title = ''] = /^.*?(?:[.!?](?=\s)|$)/m.exec(statement) ?? [];
  // There need not be an empty line before a list or a paragraph.
  const parts = statement.slice(title.length).split(/\n(?=[ \t]*(?:\n|[*-]\s))/);
  const isStep = (part: string) => source === 'issue' && /^\s*[*-]\s/.test(part);
  const body = parts.flatMap((part) => (isStep(part) ? [] : part.replaceAll('\n', ' ').split(/(?<=[.!?;:])\s/)));
  return { title, body };
}

/** What a title begins with where messages follow a convention. */
const kind = String.raw`^[\s*-]*(:\w+:\s+)?(\w+(\([^()\n]*\))?!?:\s+)?`;
/** What is done to nothing but code, or what was done: a title that begins with it asks for no behaviour. */
const inside = new RegExp(
  `${kind}(bind|call|cast|catch|delegate|encapsulate|extract|guard|import|initiali[sz]e|integrate|lowercase|override|re-?use|store|switch|sync|uppercase|use(?! of)|wrap|` +
    String.raw`changed|converted|extracted|merged|moved|reworked|rewrote|simplified|switched|using|switching|moving|replacing)\s`,
  'i',
);
const ways = new RegExp(
  String.raw`${kind}(${edits})\s.*\b(to (fix|avoid|prevent|work around)|so (that|as to)|instead of|rather than)\b`,
  'i',
);

/** Whether its title is about code alone, or a line tells a way: what it is good for, or what it replaces. */
const saysHow = ({ statement }: Told): boolean =>
  inside.test(statement) ||
  statement.split('\n').some((line) => line.length < 500 && ways.test(line) && !beside.test(line));

const form = new RegExp(
  String.raw`${kind}(some |minor |more |code )*(moderni[sz]|simplify |add .* to .*tests?$|clean(ed|ing)?[ -]?up|tid(y|ied)|reformat|restructur|reorgani[sz]|upgrade (python )?syntax)|` +
    String.raw`\b(refactor\w*|100 ?% (test )?coverage|flake8[\w-]*|pylint|pyupgrade|pre-commit|isort|(drop|add|end)(p?ed|s)? support (for|of) (python|node|ruby|java|go)\b|support python [\d.]+)\b`,
  'i',
);

/** Whether its title is about form alone: what tests of such a change ask for stands elsewhere. */
const speaksOfForm = ({ statement }: Told): boolean => form.test(statement.split('\n', 1)[0] ?? '');

/** Whether it is a heap of what was done before a release. */
const hasNoTitle = ({ statement }: Told): boolean =>
  /^(:\w+:\s+)?((version|release)\s+)?(v?[\d.]+|dev|wip)$/i.test(statement.split('\n', 1)[0]?.trim() ?? '');

const mends = new RegExp(
  String.raw`^[\s*-]*(fix(\([^()\n]*\))?!?:|(\w+(\([^()\n]*\))?!?:\s+)?(fix(es|ed)?|correct(s|ed)?|repair(s|ed)?|improve[sd]?)\b)`,
  'i',
);
/** What people say of something that goes wrong, and of when it does. */
const symptoms = new RegExp(
  '\\b(no|not|never|none|nothing|when\\w*|while|where|if|unless|without|with|during|after|before|until|for|from|instead|than|only|always|too|' +
    'should|must|shall|can|cannot|could|be|being|is|are|was|were|has|have|does|do|did|unable|wrong\\w*|incorrect\\w*|invalid|miss\\w*|lose|lost|loss|' +
    'empty|unexpected\\w*|error\\w*|exception\\w*|crash\\w*|fail\\w*|rais\\w*|throw\\w*|break\\w*|broken|regression\\w*|leak\\w*|hang\\w*|dead\\w*|' +
    "race|infinite\\w*|twice|duplicat\\w*|ignor\\w*|remov\\w*|overw\\w*|bugs? that|mis\\w+|dis\\w+|\\w*n't)\\b|" +
    // Code and numbers say it, too.
    '\\w(Error|Exception|Warning)\\b|["\'`\\d<>=/+$#@]|[^\\s()]\\(',
  'i',
);

/** Whether it says of what is wrong no more than where: `Fix the parsing of tables`. */
function saysNoSymptom({ statement }: Told): boolean {
  const [title = '', ...body] = statement.split('\n').filter((line) => line.trim() !== '');
  // `fix: when the basket is empty`: that something is wrong then is known.
  const wrong = title.replace(mends, '').trim();
  const said = [
    /^(when|if|while|for|in|on|with)\b[^,]*$/i.test(wrong) ? '' : wrong,
    ...body.filter((line) => !beside.test(line)),
  ];
  return mends.test(title) && !said.some((line) => symptoms.test(line));
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

/** Beginnings of words that a text is about: those of names, too, however these are written. */
const subjects = (text: string): Set<string> =>
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

const membersAndKeywords = ([, member, keyword]: RegExpMatchArray) => member ?? keyword ?? '';

/** Parameters, fields and members that the lines of a fix with these signs define. */
function membersIn(code: string, ...signs: ('+' | '-' | ' ')[]): string[] {
  return signs
    .flatMap((sign) => changedLines(code, sign))
    .flatMap((line) => [
      ...Array.from(
        line.matchAll(/\b(?:self|this|exports|prototype)\.([A-Za-z_]\w*)\s*=(?!=)/g),
        ([, name = '']) => name,
      ),
      // A parameter on a line of its own, a field of a class, a field of Go's, and what stands between the parentheses of a definition.
      ...words(/^[ \t]+([A-Za-z_]\w*)[ \t]*(?::[^=\n]{1,80})?=(?!=)/.exec(line)?.[1] ?? ''),
      ...words(/^\s+([A-Z]\w*)\s+[\w.*[\]]+(?:\s+`.*`)?$/.exec(line)?.[1] ?? ''),
      ...words(/\b(?:def|function|func)\b[^(]*\(([^()]*)/.exec(line)?.[1] ?? ''),
    ]);
}

/** Texts of more than a word, between marks. */
const messagesIn = (text: string) =>
  Array.from(text.matchAll(/(["'`])((?:(?!\1)[^\\\n]){6,200})\1/g), ([, , inner = '']) => inner).filter((inner) =>
    /\w\s\w/.test(inner),
  );

/** A message is filled in when it is thrown. */
const hole = /\{[^{}]{0,80}\}|\$\{[^{}]{0,80}\}|%[sdr]/;
/** Of what stands beside them, shorter parts are in many texts. */
const minPart = 15;

/** What stands in a fix's messages beside what is filled in. */
const partsOfMessages = (code: string) =>
  messagesIn(changedLines(code, '+').join('\n'))
    .filter((message) => hole.test(message))
    .flatMap((message) => message.split(hole))
    .map((part) => part.trim())
    .filter((part) => part.length >= minPart && /\w\s\w/.test(part));

/** What one throws where nothing says which. */
const usualErrors = new Set(['Error', 'TypeError', 'ValueError', 'ArgumentError']);

/** Whether the tests want an error of a kind that the fix throws, where it threw none of that kind, and nothing tells of it. */
function needsError({ statement, code, testPatch }: Texts): boolean {
  const kinds = (diff: string, form: RegExp) =>
    changedLines(diff, '+').flatMap((line) => Array.from(line.matchAll(form), ([, kind = '']) => kind));
  const wanted = kinds(testPatch, /(?:raises|raise|assertRaises\w*|throws?\w*|warns)\W{1,3}([A-Z]\w*)/gi);
  const thrown = new Set(kinds(code, /(?:\b(?:raise|throw new)\s+|\bwarn\([^)]{0,200},\s*)([A-Z]\w*)/g));
  const known = new Set([...wordsOf(code, '-', ' '), ...wordsOf(testPatch, '-', ' '), ...words(statement)]);
  return wanted.some((kind) => thrown.has(kind) && !known.has(kind) && !usualErrors.has(kind));
}

/** Whether the tests give a new parameter to a function that is private, and of which nothing is said. */
function needsInside({ statement, code, testPatch }: Texts): boolean {
  const before = new Set(membersIn(code, '-', ' '));
  const added = new Set(membersIn(code, '+').filter((name) => !before.has(name)));
  const said = new Set(words(statement));
  const calls = changedLines(testPatch, '+')
    .join('\n')
    .matchAll(/\b(_[a-z]\w{3,})\(([^()]{0,300})/g);
  const names = (given: string) => Array.from(given.matchAll(/\b(\w+)=/g), ([, name = '']) => name);
  return [...calls].some(
    ([, called = '', given = '']) => !said.has(called) && names(given).some((name) => added.has(name)),
  );
}

/** Neighbors among what stands in a fix's messages beside what is filled in, where they are no mere marks. */
const pairsOfMessages = (code: string): [string, string][] =>
  Array.from(
    changedLines(code, '+')
      .join('\n')
      .matchAll(/(["'`])((?:(?!\1)[^\\\n]){6,200})\1/g),
    ([, , inner = '']) => inner,
  )
    .map((message) => message.split(hole))
    .flatMap((parts) => parts.slice(1).map((part, index): [string, string] => [parts[index] ?? '', part]))
    .filter(
      ([one, other]) =>
        one.length >= 3 && other !== '' && `${one}${other}`.replaceAll(/\W/g, '').length >= minLettersOfPair,
    );

const minLettersOfPair = 10;

/** Whether a text has both, with little between them. */
function isFilledIn(text: string, one: string, other: string): boolean {
  for (let at = text.indexOf(one); at !== -1; at = text.indexOf(one, at + 1)) {
    const next = text.indexOf(other, at + one.length);
    if (next !== -1 && next - at - one.length <= 60) return true;
  }
  return false;
}

/** What stands in the patterns by which tests read messages, beside what is none of a message. */
const partsOfPatterns = (tests: string) =>
  Array.from(tests.matchAll(/(["'`])((?:(?!\1)[^\n]){6,200})\1/g), ([, , inner = '']) => inner)
    .flatMap((pattern) => pattern.split(/\\.|[.^$*+?()[\]{}|]+/))
    .map((part) => part.trim())
    .filter((part) => part.length >= minPartOfPattern && /\w\s\w/.test(part));

const minPartOfPattern = 10;

type Places = Pick<Texts, 'statement' | 'code' | 'testPatch'>;

/** Whether only the fix has it: neither the statement, nor what was there. */
function isNew(text: string, { statement, code, testPatch }: Places): boolean {
  const isIn = (diff: string, ...signs: ('+' | '-' | ' ')[]) =>
    signs.some((sign) => changedLines(diff, sign).some((line) => line.includes(text)));
  const isTold = statement.toLowerCase().includes(text.toLowerCase());
  return !isTold && isIn(code, '+') && !isIn(code, '-', ' ') && !isIn(testPatch, '-', ' ');
}

const isOfFixAlone = (message: string, places: Places) =>
  ['"', "'", '`'].some((mark) => places.code.includes(`${mark}${message}${mark}`)) && isNew(message, places);

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
