import { basename } from 'node:path';
import { changedLines } from '../changed-lines.ts';
import { patchSections } from '../patch-sections.ts';
import { changedFunctions } from './definitions.ts';
import {
  beside,
  codeWords,
  edits,
  kind,
  membersOf,
  subjects,
  withoutComment,
  words,
  wordsOf,
  wordsOfCode,
} from './told.ts';
import type { Texts, Told } from './told.ts';

/** Whether a statement gives away how it was mended: by words that only the fix has, or by telling what was done. */
export const tellsTheFix = (texts: Texts): boolean =>
  texts.leakScore > 0 ||
  namesWhatIsAdded(texts) ||
  namesWhatIsInside(texts) ||
  namesWhatIsFaulty(texts) ||
  namesPackage(texts) ||
  namesFile(texts) ||
  saysWhatToUse(texts) ||
  saysWhatForWhat(texts) ||
  saysHow(texts) ||
  saysWhatWasDone(texts);

/** Whether it names what only the fix brings, and no test asks for. */
function namesWhatIsAdded({ statement, code, testPatch }: Texts): boolean {
  const added = wordsOfCode(code, '+');
  // What stands in the comments of tests is not asked for.
  const known = new Set([...wordsOf(code, '-', ' '), ...wordsOfCode(testPatch, '+', '-', ' ')]);
  // A file's name stands in a text, between marks or in a path.
  const written = new Set(
    changedLines(code, '+').flatMap(
      (line) => withoutComment(line).match(/(?<![\w./"'`-])[a-z_]\w{1,100}\.[a-z_]\w{3,100}\b/g) ?? [],
    ),
  );
  return (
    [...codeWords(statement)].some((word) => added.has(word) && !known.has(word)) ||
    membersOf(statement).some(([member, name]) => !known.has(name) && written.has(member)) ||
    quotesWhatIsAdded({ statement, code, testPatch })
  );
}

/** Whether who mended it goes on to where the fault is: by names in code that stand in what is changed or around it, and that no test has. */
function namesWhatIsFaulty({ statement, source, code, testPatch }: Texts): boolean {
  if (source === 'issue') return false;
  const changed = new Set([...wordsOfCode(code, '-', ' '), ...changedFunctions(code)]);
  // What stands in the comments of tests is not asked for.
  const known = new Set([...wordsOfCode(testPatch, '+', '-', ' '), ...words(firstLineOf(statement))]);
  // An error is what one sees, and so is where it came from.
  const said = withoutStacks(statement).join('\n');
  const named = [...codeWords(said), ...membersOf(said).map(([, name]) => name)];
  return named.some(
    (name) => changed.has(name) && !known.has(name) && !/^[A-Z]\w*(Error|Exception|Warning)$/.test(name),
  );
}

/** Shorter pieces of code stand in any line. */
const minQuoted = 3;

/** Whether it has a piece of code between marks, beside mere names, that only the fix brings: a pattern, an expression. */
function quotesWhatIsAdded({ statement, code, testPatch }: Pick<Texts, 'statement' | 'code' | 'testPatch'>): boolean {
  const plain = (lines: readonly string[]) => lines.map(withoutComment).join('\n').replaceAll('\\\\', '\\');
  const quoted = Array.from(statement.matchAll(/(?<!`)`([^`\n]{1,200})`(?!`)/g), ([, inner = '']) => inner.trim());
  const pieces = quoted.filter((inner) => inner.length >= minQuoted && /[^\w\s.-]/.test(inner));
  if (pieces.length === 0) return false;
  const added = plain(changedLines(code, '+'));
  const known = plain([
    ...(['-', ' '] as const).flatMap((sign) => changedLines(code, sign)),
    ...(['+', '-', ' '] as const).flatMap((sign) => changedLines(testPatch, sign)),
  ]);
  return pieces.some((piece) => added.includes(piece) && !known.includes(piece));
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

/** Where a stack is shown, files stand in it. */
const inStack = /^\s*(at .*[(:]|File "|\S+:\d+(?::\d+)?:?\s*(error|warning|in)\b)/;

/** Longer lines are no frames of a stack. */
const maxStackLine = 500;

const withoutStacks = (statement: string): string[] =>
  statement.split('\n').filter((line) => line.length >= maxStackLine || !inStack.test(line));

/** Whether who mended it names a file that had to be changed. */
function namesFile({ statement, source, code }: Texts): boolean {
  if (source === 'issue') return false;
  const names = patchSections(code)
    .flatMap(({ paths }) => paths)
    .map((path) => basename(path))
    .filter((name) => /\w\.\w/.test(name))
    .map((name) => name.replace(/^[.-]+/, ''));
  const said = new Set(
    withoutStacks(statement)
      // With marks between letters alone, a run of dots is passed over at once.
      .flatMap((line) => line.match(/\w+(?:[.-]+\w+)*/g) ?? []),
  );
  return names.some((name) => said.has(name));
}

/** Whether it says what stands in the fix in place of what stood there: also of what is no word, `%v instead of %q`. */
function saysWhatForWhat({ statement, code, testPatch }: Texts): boolean {
  const added = changedLines(code, '+').join('\n');
  const removed = changedLines(code, '-').join('\n');
  const asked = changedLines(testPatch, '+').join('\n');
  const pairs = statement.matchAll(/(\S{1,60}) (?:instead of|rather than|in place of) (\S{1,60})/g);
  return Array.from(pairs, ([, one = '', other = '']) => [bare(one), bare(other)] as const).some(
    ([one, other]) =>
      /[^a-z]/i.test(one) &&
      added.includes(one) &&
      !removed.includes(one) &&
      !asked.includes(one) &&
      other !== '' &&
      removed.includes(other),
  );
}

/** What stands in marks or at the end of a sentence, without these. */
// Bounded: sixty characters.
const bare = (text: string) => text.replaceAll(/^[`'"(]+|[`'")]*[.,;:!?]?$/g, '').replaceAll(/[`'")]+$/g, '');

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
  String.raw`^[\s*-]*(\w+(\([^()\n]*\))?!?:\s+)?((also|and|then|plus|additionally|consequently|correctly|explicitly|finally|recursively|lastly|secondly|simply|similarly|subsequently)\s+)?(${edits}|discard|omit|${past}|add)\s|^\s*[*-]\s+(${edits})(e?s)\s`,
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
  /\b(it|this) works by (\w+ )?\w+ing\b|\bhow (I|we) (addressed|fixed|solved|handled)\b|^\s*now,? (the |these |this )?(\w+ ){1,2}(returns?|uses?|takes?|calls?|checks?)\b/i,
  /\bthis version (will|now|\w+s)\b|\bheuristic (is|was)\b/i,
  /\bto avoid [a-z]+ing\b|\bby [a-z]+(-[a-z]+)?ing (this|that|it|these|them)\b/i,
  /\bdue to an? (\w+ )?typo\b|\b(fix|correct) (the|that|this) typo\b/i,
  /\b(the|an?) (\w+ ){1,3}(avoids|prevents|ensures|guarantees)\b/i,
  /^[\s*-]*[A-Z][a-z]+ing\b.{1,80}\b(lets|allows|ensures|avoids|fixes|solves)\b/,
  /\b(did|does)(n['’]t| not) (implement|override|extend|call|use)\b|\black(s|ed|ing)\b|\bso (include|add|use|call|make|move|skip|pass) (it|them|this|that|the)\b/i,
  /\b(we|it|which|that) currently (use|call)s?\b|\bimplementation (of .{1,40} )?(applied|used|called|took|relied|multiplied|added|removed)\b/i,
  /\b(instead of|rather than|without) (first )?(copy|clon|check|compar|call|convert|escap|quot|reset|clear|wait|us|tak|pass|read|writ|stor|keep|hold|look|creat|mak|comput|count|test|match)\w{0,4}ing\b/i,
  /\b(checks?|guards?|code|functions?|methods?|loops?|calls?|lookups?|parsers?|comparisons?|conditions?|handlers?|branch(es)?) (is |are )?now\b/i,
  /\b(is|are) now (asked|read|taken|built|computed|looked|used|called|passed|checked|compared|copied)\b/i,
  /\b(never|not|n't) (added|registered|listed|included) (to|in) (the|either|both|any|its)\b/i,
  /\b(fix|solv|resolv|address)(e[sd]?|ed|ing)? (it|this|that|the) (\w+ ){0,3}by \w+ing\b/i,
  /^\s*now,? (it|we) (track|record|store|keep|reset|compute|compare|walk|create)(s|es)?\b/i,
  /\b(delegate[sd]?|forward(s|ed)?|defer(s|red)?) to `?[\w.]+\(/i,
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
  /^(argument|attribute|call|class|command|error|example|exception|field|file|flag|function|header|key|member|method|module|name|object|option|package|parameter|plugin|property|python|rule|token|type|value|variable)$/i;

/** A word that ends as others do that are no orders. */
const alsoOrders = /^(apply|rely|reply|multiply|embed|feed|need|bypass|pass|process|compress|address|focus)$/i;

const determined =
  /^[\s*-]*(?:(?:at|in|on|if|when|for|once|after|before|while|to)\b[^,]{0,80}, )?([a-z]{2,20}(?:-[a-z]{2,20})?) (?:(?:on|past|with|into|onto|over|back to|from|through) )?(?:the|an?|one|both|each|every|all|any|its|their|it|them|these|those|over|only)\b|^[\s*-]*to\b[^,]{0,80}, ([a-z]{2,20}) (?:this|that)\b/i;

/** What stands in code may be what it is about: `Advance ctx.pos to the end`, `Unpack args[0]`, `Implement toJSON on it`. */
const ofCode =
  /^[\s*-]*([A-Z][a-z]{2,20}) (?:(?:on|past|to|with|into|onto|over|from|through) )?(?:`[^`]{1,80}`|[A-Za-z_]\w*(?:\.[a-z_]\w*|\(|\[)[^\s]*|\w*[a-z0-9][A-Z]\w*|\w+_\w+)(?: (\w+))?/;

/** Of what is told by these, the word before is what it is told of. */
const isSaid = /^(is|are|was|were|has|have|had|do|can|could|should|would|will|must|may|[a-z]{2,}(s|ed))$/;

/** Whether it is an order: a verb as it is in a dictionary, and what the verb is about. */
function isOrder(sentence: string): boolean {
  const [, ordered, told] = determined.exec(sentence) ?? [];
  const [, before, after = ''] = ofCode.exec(sentence) ?? [];
  const verb = ordered ?? told ?? (isSaid.test(after) ? undefined : before) ?? '';
  return isVerb(verb);
}

/** Whether a word may be a verb as it is in a dictionary. */
const isVerb = (word: string): boolean =>
  word !== '' && !noOrders.test(word) && !things.test(word) && (alsoOrders.test(word) || !/(s|ed|ing|ly)$/i.test(word));

/** An order that goes on to what it is good for: `Scan by line so that no end is lost`. */
const orderFor =
  /^[\s*-]*([a-z]{2,20}) (?:by|on|over|at|in|with|from|to|through|past|until|only|whole) .{1,80}\bso (?:that )?\w/i;

const isOrderFor = (sentence: string): boolean => isVerb(orderFor.exec(sentence)?.[1] ?? '');

/** What stands above a way, at the beginning of a sentence or as a heading. */
const way =
  '(The |My |Our |Proposed |Suggested )?([Ff]ix|[Pp]roposal|[Ss]olution|[Aa]pproach|[Ii]mplementation|[Cc]hange|[Rr]esolution)(s|es|ed)?( made)?( are)?';

const headings = new RegExp(String.raw`^\s*(\*\*)?${way}\s*(:|\*\*|$)|^\s*#+\s*(${way}|What changed|How)\b`);

/** In an issue those who use the program speak so of what they do with it. */
const ofAuthors =
  /\b(I|we)('ve| have| had to)? (also |now |just |simply )?(added|changed|moved|put|removed|replaced|rewrote|switched|wrapped)\b|\bwe (also |now |simply |just )?(make|use|check|add|call|set|move|store|convert|replace|pass|record)\b|\binstead, we\b|\binstead,? (use|take|ask|store)s?\b|\bbut rather (when|by|in)\b|\b(was|were) (also )?(moved|extracted|rewritten|refactored|modified)\b|\bthis uses .{1,80} to \w+|\byou should\b|\bshould be (swapped|replaced|called|wrapped|initiali[sz]ed)\b|\b(is|are) implemented (with|using|via)\b/i;

/** Of what a sentence says more than this must be new for it to say more than the title. */
const maxNewShare = 1 / 3;

/** What is done to tests and texts, and not `before each test`. */
const besides = new RegExp(String.raw`^(?:(?!\b(?:before|after|when|while|during|until)\b).)*?${beside.source}`, 'is');

/** Whether it goes on, behind what is wrong, to what was done: its title may ask for something in the same words. */
function saysWhatWasDone(told: Told): boolean {
  const { title, body } = parted(told);
  const asked = subjects(title);
  const isFurther = (sentence: string) => {
    const said = [...subjects(sentence)];
    return said.filter((word) => !asked.has(word)).length > said.length * maxNewShare;
  };
  const namesMore = (sentence: string) => [...codeWords(sentence)].some((word) => !title.includes(word));
  const isOfTests = (sentence: string) => besides.test(sentence.split(/,? and |, /, 1)[0] ?? '');
  return body.some(
    (sentence) =>
      tales.some((tale) => tale.test(sentence)) ||
      headings.test(sentence) ||
      (told.source !== 'issue' &&
        (ofAuthors.test(sentence) ||
          isOrderFor(sentence) ||
          (isOrder(sentence) && !isOfTests(sentence) && (isFurther(sentence) || namesMore(sentence))))) ||
      (deeds.test(sentence) && !isOfTests(sentence) && isFurther(sentence)),
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

/** What one does to code rather than asks of a program: how it shall reckon, read or keep what it has. */
const onCode =
  'adapt|advance|anchor|append|await|backport|batch|blacklist|buffer|calculate|clamp|coalesce|coerce|collect|compute|concat|consolidate|decrement|dedupe|defer|' +
  'derive|deserialize|divide|evaluate|filter|flatten|hoist|increment|inject|insert|invoke|join|lock|loop|memoize|migrate|monkey-patch|multiply|negate|patch|peek|pin|' +
  'check against|compare|pop|populate|prefer|prepend|propagate|push|quote|re-add|read|rewind|scan|rearrange|recalculate|reduce|reference|register|relax|reload|require|reset|reverse|review|rotate|' +
  'sanitize|serialize|shift|short-circuit|slice|snapshot|standardize|stringify|subtract|swallow|transform|translate|traverse|truncate|unify|unlock|unpack|' +
  'unregister|unset|unwrap|whitelist|widen|implement `?[A-Z]\\w*`?(\\(\\))? (for|on|in|to)|(add|include) (an? |the |missing |\\w+ )?(check|guard|condition|lock|cast|call|missing)s?|(get|take|fetch|load|obtain|retrieve) .{1,80} from';

/** What is done to nothing but code, or what was done: a title that begins with it asks for no behaviour. */
const inside = new RegExp(
  `${kind}(assign|bind|call|cast|catch|construct|declare|define|delegate|encapsulate|extract|guard|import|inherit|initiali[sz]e|instantiate|integrate|iterate|lowercase|override|recursively \\w+|re-?use|store|subclass|switch|sync|uppercase|use(?! of)|wrap|${onCode}|` +
    String.raw`changed|converted|extracted|merged|moved|reworked|rewrote|simplified|switched|using|switching|moving|replacing)\s`,
  'i',
);

/** What is taken away is code, and nothing that one sees from outside. */
const removed = new RegExp(`${kind}(remove|drop|delete)[sd]?\\s(?!support)`, 'i');

/** What has a name by which people ask for it, other than a list or a table within. */
const added = new RegExp(
  String.raw`${kind}(?:[Aa]dd|[Aa]dds|[Aa]dded|[Ii]nclude|[Pp]ut|[Mm]ove)\s(?:(?!\b(?:parameters?|param|attributes?|options?|arguments?|args?|kwargs?|methods?|functions?|support|property|properties|fields?|flags?|keys?)\b).)*\s(to|into|in) (the )?\`?(?:\w+_\w+|[a-z]+[A-Z]\w*)\`?(?!\.)`,
);

const ways = new RegExp(
  String.raw`${kind}(${edits})\s.*\b(to (fix|avoid|prevent|work around)|so (that|as to)|instead of|rather than)\b|` +
    String.raw`${kind}(${edits}|add|implement)\s.*, (enabling|fixing|avoiding|preventing)\b|` +
    String.raw`${kind}(${edits}|implement|define|override)\s.*\bso\s.*\b(works?|passes)\b|` +
    String.raw`^\s*[*-]\s+(make|treat|mark)\s.*\b(instead of|rather than)\b|` +
    String.raw`${kind}(don['’]t|do not|stop|avoid|no longer) (us(e|ing)|call(ing)?|rely(ing)? on|import(ing)?)\s(?!the |an? )|` +
    String.raw`${kind}(remove|drop|delete)\s.*\b(preventing|causing|breaking|that (prevent|cause|break)s?)\b`,
  'i',
);

/** What code lacks, or how it is wrong, is no behaviour; nor is what is done to it beside what is asked. */
const causes =
  /\b(missing|lacks?|lacking)( an?)? ([\w-]+ )?(check|guard|lock|cast|await)s?\b(?! file)|\b(does not|doesn['’]t|must|should) null-?check\b|\boperator precedence\b|\band (use|switch to) (the |an? |its |our )?(new )?.{0,60}\b(api|method|function|helper|library|algorithm)s?\b|\bto use .{1,60} instead$/i;

const purposes = new RegExp(String.raw`${kind}([a-z]{2,20})\s.*\bto (avoid|prevent|work around)\b`, 'i');

/** Whether a title orders what is good for something: `Close the response to prevent a warning`. */
function hasPurpose(title: string): boolean {
  const verb = purposes.exec(title)?.[4] ?? '';
  return verb !== '' && !noOrders.test(verb) && !things.test(verb) && !/(ed|ing|ly)$/i.test(verb);
}

/** A title that has in parentheses what was wrong says what was done before these. */
const asides = /\((fix(es|ed)?|to fix|avoids|prevents) (?!(?:issue|bug|gh-?|#)? ?#?\d)[a-z][^()]{8,}\)\s*$/i;

const firstLineOf = (statement: string) => statement.trim().split('\n', 1)[0] ?? '';

/** Whether its title is about code alone, or a line tells a way: what it is good for, or what it replaces. */
const saysHow = ({ statement }: Told): boolean =>
  inside.test(statement) ||
  removed.test(firstLineOf(statement)) ||
  added.test(firstLineOf(statement)) ||
  asides.test(firstLineOf(statement)) ||
  hasPurpose(firstLineOf(statement)) ||
  causes.test(firstLineOf(statement)) ||
  statement.split('\n').some((line) => line.length < 500 && ways.test(line) && !beside.test(line));
