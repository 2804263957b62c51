/** What `.gitattributes` say of one path: true, false (`-name`, `name=false`) or the value given; missing where they say nothing. */
export type Attributes = ReadonlyMap<string, boolean | string>;

interface Rule {
  matches: (path: string) => boolean;
  attributes: [name: string, value: boolean | string | null][];
}

/** Reads the linguist attributes of all `.gitattributes` files of a tree, by their paths; later lines and deeper files win, as in git. */
export function gitAttributes(files: ReadonlyMap<string, string>): (path: string) => Attributes {
  const rules = new Map<string, Rule[]>();
  for (const [path, text] of files) {
    const folder = path.slice(0, -'.gitattributes'.length);
    const parsed = parse(text);
    if (parsed.length > 0) rules.set(folder, parsed);
  }
  const none: Attributes = new Map();
  if (rules.size === 0) return () => none;
  return (path) => {
    const found = new Map<string, boolean | string>();
    for (let end = 0; end !== -1; end = path.indexOf('/', end)) {
      if (end > 0) end += 1;
      for (const rule of rules.get(path.slice(0, end)) ?? []) {
        if (!rule.matches(path.slice(end))) continue;
        for (const [name, value] of rule.attributes) {
          if (value === null) found.delete(name);
          else found.set(name, value);
        }
      }
    }
    return found;
  };
}

function parse(text: string): Rule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, quoted, plain, rest] = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^\s#"]\S*))\s+(?!\s)(.*)$/.exec(line) ?? [];
    if (rest === undefined || !rest.includes('linguist-')) return [];
    const pattern = quoted === undefined ? (plain ?? '') : unquote(quoted);
    // Git itself ignores negative patterns, and a trailing slash never matches a file.
    if (pattern.startsWith('!') || pattern.startsWith('[attr]') || pattern.endsWith('/')) return [];
    const attributes = rest
      .split(/\s+/)
      .filter((word) => /^[-!]?linguist-/.test(word))
      .map((word): [string, boolean | string | null] => {
        if (word.startsWith('-')) return [word.slice(1), false];
        if (word.startsWith('!')) return [word.slice(1), null];
        const [name = '', value] = word.split(/=(.*)/s);
        return [name, value === undefined || value === 'true' ? true : value === 'false' ? false : value];
      });
    return attributes.length === 0 ? [] : [{ matches: glob(pattern), attributes }];
  });
}

function unquote(text: string): string {
  return text.replace(/\\(.)/g, (_, escaped: string) => ({ t: '\t', n: '\n', r: '\r' })[escaped] ?? escaped);
}

type Character = (character: string) => boolean;
type Segment = readonly (Character | '*')[] | '**';

/**
 * Git's wildmatch for one pattern. Not by regular expressions, which the glob libraries make: a pattern of a hostile
 * repository (`*a*a*a*a*a*b`) would keep them busy for hours; this takes (pattern × path) steps at most.
 */
function glob(pattern: string): (path: string) => boolean {
  const anchored = pattern.replace(/^\//, '');
  const segments = anchored.split('/').map((part): Segment => (part === '**' ? '**' : segment(part)));
  if (!pattern.includes('/')) segments.unshift('**');
  // `folder/**` means what is inside, not the folder's own name.
  if (segments.at(-1) === '**') segments.push(['*']);
  return (path) =>
    wild(
      segments,
      path.split('/'),
      '**',
      (each, part) => each !== '**' && wild(each, Array.from(part), '*', matchesCharacter),
    );
}

const matchesCharacter = (each: Character | '*', character: string) => each !== '*' && each(character);

/** Matches a list against a pattern in which `star` stands for any number of elements; going back to the last star is enough. */
function wild<P, T>(
  pattern: readonly P[],
  list: readonly T[],
  star: P,
  matches: (each: P, element: T) => boolean,
): boolean {
  let at = 0;
  let afterStar = -1;
  let resume = 0;
  for (let index = 0; index < list.length;) {
    const each = pattern[at];
    const element = list[index];
    if (at < pattern.length && each === star) {
      afterStar = ++at;
      resume = index;
    } else if (at < pattern.length && each !== undefined && element !== undefined && matches(each, element)) {
      at += 1;
      index += 1;
    } else if (afterStar >= 0) {
      at = afterStar;
      index = ++resume;
    } else return false;
  }
  while (at < pattern.length && pattern[at] === star) at += 1;
  return at === pattern.length;
}

function segment(text: string): (Character | '*')[] {
  const found: (Character | '*')[] = [];
  const characters = Array.from(text);
  for (let i = 0; i < characters.length; i += 1) {
    const character = characters[i] ?? '';
    if (character === '*') {
      if (found.at(-1) !== '*') found.push('*');
    } else if (character === '?') found.push(() => true);
    else if (character === '[') {
      const close = characters.indexOf(']', i + (/[!^]/.test(characters[i + 1] ?? '') ? 3 : 2));
      if (close === -1) found.push((each) => each === '[');
      else {
        found.push(bracket(characters.slice(i + 1, close)));
        i = close;
      }
    } else {
      const literal = character === '\\' ? (characters[++i] ?? '\\') : character;
      found.push((each) => each === literal);
    }
  }
  return found;
}

function bracket(body: readonly string[]): Character {
  const negated = body[0] === '!' || body[0] === '^';
  const ranges: [string, string][] = [];
  for (let i = negated ? 1 : 0; i < body.length; i += 1) {
    if (body[i] === '\\') i += 1;
    const from = body[i] ?? '\\';
    const isRange = body[i + 1] === '-' && i + 2 < body.length;
    ranges.push([from, isRange ? (body[i + 2] ?? from) : from]);
    if (isRange) i += 2;
  }
  return (each) => ranges.some(([from, to]) => from <= each && each <= to) !== negated;
}
