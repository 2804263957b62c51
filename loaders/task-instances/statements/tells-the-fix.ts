import { changedLines } from '../changed-lines.ts';
import { patchSections } from '../patch-sections.ts';
import { beside, edits, kind, subjects, withoutComment, words, wordsOf, wordsOfCode } from './told.ts';
import type { Texts, Told } from './told.ts';

/** Whether a statement gives away how it was mended: by words that only the fix has, or by telling what was done. */
export const tellsTheFix = (texts: Texts): boolean =>
  texts.leakScore > 0 ||
  namesWhatIsAdded(texts) ||
  namesWhatIsInside(texts) ||
  namesPackage(texts) ||
  saysWhatToUse(texts) ||
  saysHow(texts) ||
  saysWhatWasDone(texts);

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

/** Members of modules and objects as a text has them, `html.unescape`; it may have names of files and hosts, and no ends of sentences. */
const membersOf = (text: string): [whole: string, name: string][] =>
  Array.from(text.matchAll(/(?<![\w./])[a-z_]\w{1,100}\.([a-z_]\w{3,100})\b(?![./])/g), ([whole, name = '']) => [
    whole,
    name,
  ]);

/** Whether it names what only the fix brings, and no test asks for. */
function namesWhatIsAdded({ statement, code, testPatch }: Texts): boolean {
  const added = wordsOfCode(code, '+');
  const known = new Set([...wordsOf(code, '-', ' '), ...wordsOf(testPatch, '+', '-', ' ')]);
  // A file's name stands in a text, between marks or in a path.
  const written = new Set(
    changedLines(code, '+').flatMap(
      (line) => withoutComment(line).match(/(?<![\w./"'`-])[a-z_]\w{1,100}\.[a-z_]\w{3,100}\b/g) ?? [],
    ),
  );
  return (
    [...codeWords(statement)].some((word) => added.has(word) && !known.has(word)) ||
    membersOf(statement).some(([member, name]) => !known.has(name) && written.has(member))
  );
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
    'the|an?|this|these|those|my|your|our|his|her|its|their|other|another|many|much|more|few|several|empty|valid|invalid|' +
    // What a program shall do, and what one asks of a reader.
    'raise|allow|let|return|reject|accept|support|handle|fix|ensure|avoid|prevent|keep|preserve|respect|see|note|consider|run|try|thanks)$',
  'i',
);

/** What has a name in code. */
const things =
  /^(attribute|class|field|file|function|member|method|module|name|option|parameter|property|python|type|value|variable)$/i;

/** Whether it is an order: a verb as it is in a dictionary, and what the verb is about. */
function isOrder(sentence: string): boolean {
  const [, ordered, told] =
    /^[\s*-]*(?:(?:at|in|on|if|when|for|once|after|before|while|to)\b[^,]{0,80}, )?([a-z]{2,20}(?:-[a-z]{2,20})?) (?:the|an?|both|each|every|all|any|its|their|it|them|these|those|over|only)\b|^[\s*-]*to\b[^,]{0,80}, ([a-z]{2,20}) (?:this|that)\b/i.exec(
      sentence,
    ) ?? [];
  // What stands in code may be what it is about: `Advance ctx.pos to the end`.
  const [, ofCode] = /^[\s*-]*([A-Z][a-z]{2,20}) (?:from |to )?`?[A-Za-z_]\w*(?:\.[a-z_]\w*|\()/.exec(sentence) ?? [];
  const verb = ordered ?? told ?? ofCode ?? '';
  return verb !== '' && !noOrders.test(verb) && !things.test(verb) && !/(s|ed|ing|ly)$/i.test(verb);
}

/** What stands above a way, at the beginning of a sentence or as a heading. */
const way =
  '(The |Proposed |Suggested )?([Ff]ix|[Ss]olution|[Aa]pproach|[Ii]mplementation|[Cc]hange|[Rr]esolution)(s|es|ed)?( made)?';

const headings = new RegExp(String.raw`^\s*(\*\*)?${way}\s*(:|\*\*|$)|^\s*#+\s*(${way}|What changed|How)\b`);

/** In an issue those who use the program speak so of what they do with it. */
const ofAuthors =
  /\b(I|we)('ve| have| had to)? (also |now |just |simply )?(added|changed|moved|put|removed|replaced|rewrote|switched|wrapped)\b|\bwe (also |now |simply |just )?(make|use|check|add|call|set|move|store|convert|replace|pass|record)\b|\binstead, we\b|\bbut rather (when|by|in)\b|\b(was|were) (also )?(moved|extracted|rewritten|refactored|modified)\b|\bthis uses .{1,80} to \w+|\bshould be (swapped|replaced|called|wrapped|initiali[sz]ed)\b|\b(is|are) implemented (with|using|via)\b/i;

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

/** What is done to nothing but code, or what was done: a title that begins with it asks for no behaviour. */
const inside = new RegExp(
  `${kind}(assign|bind|call|cast|catch|construct|declare|define|delegate|encapsulate|extract|guard|import|inherit|initiali[sz]e|instantiate|integrate|iterate|lowercase|override|re-?use|store|subclass|switch|sync|uppercase|use(?! of)|wrap|` +
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
