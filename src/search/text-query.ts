import { BadPattern, compile } from './text/pattern.ts';
import type { Expression, Pattern } from './text/expression.ts';

/** What a person asks of the text of the code. */
export interface TypedTextQuery {
  expression: Expression;
  /** Whether all that fits is to be found, however much. */
  isAll: boolean;
  /** A sentence each: what was read in another way than it may have been meant. */
  hints: string[];
}

/** The qualifiers of the box, each with its short forms. */
const qualifiers = {
  file: ['path', 'f'],
  lang: ['language', 'l'],
  repo: ['r'],
  case: [],
  content: ['c'],
} as const;
const names = new Map(
  Object.entries(qualifiers).flatMap(([name, others]) =>
    [name, ...others].map((each) => [each, name as keyof typeof qualifiers] as const),
  ),
);

/** As people call languages, by linguist's name in small letters. */
const otherLanguageNames: Readonly<Record<string, string>> = {
  js: 'javascript',
  ts: 'typescript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  kt: 'kotlin',
  cs: 'c#',
  csharp: 'c#',
  cpp: 'c++',
  golang: 'go',
  sh: 'shell',
  bash: 'shell',
};

/** More levels of brackets are text. */
const maxDepth = 20;

/**
 * Reads `"as it stands" /a regular expression/ file:^src/ lang:go repo:koa case:yes count:all -this (one OR other)`. Words that stand
 * together must all be in the file; a quote within quotes is `\"`. Throws `BadPattern`.
 */
export function typedTextQuery(box: string): TypedTextQuery {
  const hints: string[] = [];
  const { text, matchCase, isAll } = withoutOptions(box, hints);
  let at = 0;
  let depth = 0;

  const pattern = (source: string, isRegex = false): Pattern => ({ source, isRegex, matchCase });
  const skipSpace = () => {
    while (/\s/.test(text[at] ?? '')) at++;
  };
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const found = form.exec(text);
    if (found !== null) at = form.lastIndex;
    return found;
  };

  /** Up to the end, or to the bracket that closes this. */
  function alternatives(): Expression | null {
    const parts = [all()];
    while (take(/OR(?=\s|\()/y)) parts.push(all());
    const some = parts.filter((part) => part !== null);
    return some.length > 1 ? { op: 'or', parts: some } : (some[0] ?? null);
  }

  function all(): Expression | null {
    const parts: Expression[] = [];
    for (;;) {
      skipSpace();
      if (at >= text.length || (depth > 0 && text[at] === ')') || /^OR(?=[\s(])/.test(text.slice(at, at + 3))) break;
      const part = take(/AND(?=\s)/y) === null ? one() : null;
      if (part !== null) parts.push(part);
    }
    return parts.length > 1 ? { op: 'and', parts } : (parts[0] ?? null);
  }

  function one(): Expression | null {
    if (take(/-(?=[^\s-])/y) !== null) {
      const part = one();
      return part && { op: 'not', part };
    }
    if (text[at] === '(' && depth < maxDepth && isClosed(text, at)) {
      at++;
      depth++;
      const inside = alternatives();
      depth--;
      at++;
      return inside;
    }
    const [, name, asItStands] = take(/(?:([a-z]+):)?"((?:\\"|[^"])*)"(?=[\s)]|$)/giy) ?? [];
    if (asItStands !== undefined) return qualified(name, asItStands.replaceAll(String.raw`\"`, '"'), false);
    const [, of, regex] = take(/(?:([a-z]+):)?\/((?:\\.|[^\\/])+)\/(?=[\s)]|$)/giy) ?? [];
    if (regex !== undefined) return qualified(of, regex, true);
    const [, key, value = ''] = /^([a-z]+):(.*)$/is.exec(bare()) ?? [null, undefined, text.slice(begun, at)];
    if (key === undefined) sayIfRegex(value);
    return qualified(key, value, null);
  }

  let begun = 0;
  /** Up to a space, or to a bracket that closes what was opened before. */
  function bare(): string {
    begun = at;
    for (let open = 0; at < text.length && !/\s/.test(text[at] ?? ''); at++) {
      if (text[at] === '(') open++;
      else if (text[at] === ')' && open-- === 0 && depth > 0) break;
    }
    // A bracket that closes nothing, where none was opened.
    if (at === begun) at++;
    return text.slice(begun, at);
  }

  /** `isRegex`: null where nothing says so. */
  function qualified(key: string | undefined, value: string, isRegex: boolean | null): Expression | null {
    if (key === undefined)
      return value === '' ? null : { op: 'text', pattern: pattern(checked(value, isRegex), isRegex ?? false) };
    const name = names.get(key.toLowerCase());
    // One that has no value yet is still being typed.
    if (name !== undefined && value === '') return null;
    switch (name) {
      case 'file':
        return { op: 'path', pattern: place(value, isRegex) };
      case 'repo':
        return { op: 'named', pattern: place(value, isRegex) };
      case 'lang':
        return {
          op: 'language',
          names: value
            .toLowerCase()
            .split(',')
            .map((each) => otherLanguageNames[each] ?? each),
        };
      case 'content':
        return { op: 'text', pattern: pattern(checked(value, isRegex), isRegex ?? false) };
      default: {
        if (/^[^\s:/]/.test(value)) hints.push(unknownQualifier(key));
        const quote = isRegex === null ? '' : isRegex ? '/' : '"';
        return { op: 'text', pattern: pattern(`${key}:${quote}${value}${quote}`) };
      }
    }
  }

  function checked(source: string, isRegex: boolean | null): string {
    if (isRegex) compile(pattern(source, true));
    return source;
  }

  /** Of a path or a name, which is read as a regular expression where it is one. */
  function place(value: string, isRegex: boolean | null): Pattern {
    const asRegex = { source: value, isRegex: isRegex ?? true, matchCase: false };
    try {
      compile(asRegex);
      return asRegex;
    } catch (error) {
      if (isRegex || !(error instanceof BadPattern)) throw error;
      return { ...asRegex, isRegex: false };
    }
  }

  function sayIfRegex(word: string): void {
    if (/\.[*+]|\\[wdsbWDSB.]|\[\^|\)\?|^\^|[^$]\$$/.test(word))
      hints.push(`${word} was looked for as it stands: a regular expression is written between slashes, /${word}/.`);
  }

  return { expression: alternatives() ?? { op: 'and', parts: [] }, isAll, hints };
}

/** `case:` and `count:all` hold for all, wherever they stand. */
function withoutOptions(box: string, hints: string[]): { text: string; matchCase: boolean; isAll: boolean } {
  let [matchCase, isAll] = [false, false];
  // What stands in quotes or is an expression is looked for as it is, with `case:` in it as well.
  const asItIs =
    /(?<=^|[\s(:-])(?:"(?:\\.|[^"\\])*"|\/(?:\\.|[^/\\])+\/)|(^|[\s(])(?:case:([^\s)]*)|count:all)(?=[\s)]|$)/gi;
  const text = box.replaceAll(asItIs, (whole, before?: string, ofCase?: string) => {
    if (before === undefined) return whole;
    if (ofCase === undefined) isAll = true;
    else if (/^(yes|no|auto|)$/i.test(ofCase)) matchCase = ofCase.toLowerCase() === 'yes';
    else hints.push(`case:${ofCase} was left out: case is yes or no.`);
    return before;
  });
  return { text, matchCase, isAll };
}

function unknownQualifier(name: string): string {
  const known = [...Object.keys(qualifiers).map((each) => `${each}:`), 'count:all'];
  return `${name}: is no qualifier of a search for text, so it was looked for as it stands; qualifiers are ${known.join(', ')}.`;
}

/** Whether a bracket at this place is closed again. */
function isClosed(text: string, from: number): boolean {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') open++;
    else if (text[at] === ')' && --open === 0) return true;
  }
  return false;
}
