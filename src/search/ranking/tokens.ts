/** More of a text than this adds nothing to finding it, and would let one long text fill the index. */
const maxTokensPerText = 300;
const maxTokenLength = 64;
/** A name of more parts is a sentence; its tails are not what people type. */
export const maxPartsJoined = 8;

/** Acronym before a word (`HTTP|Server`), capitalised word, run of small letters, of capitals, of digits, of letters without case. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[\p{L}\p{M}]+/gu;
/** The same in a text as written, each character of a script without spaces alone. */
const PIECES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:\p{Lu}\p{M}*)+(?!\p{Ll})|\p{Lu}?\p{M}*(?:\p{Ll}\p{M}*)+|\p{N}+|[\p{L}\p{M}]+/gu;
/** Scripts that are written without spaces: each character is a token. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const IDENTIFIERS = /[\p{L}\p{M}\p{N}_$]+/gu;

const ASCII = /^[\0-\x7f]*$/;
const ASCII_PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** The same few thousand identifiers make up most of a repository's text. */
const known = new Map<string, readonly string[]>();
const maxKnown = 20_000;

/** The parts of an identifier as people read it: `HTTPServer2` is `http`, `server`, `2`. */
export function parts(identifier: string): readonly string[] {
  const before = known.get(identifier);
  if (before !== undefined) return before;
  const found = split(identifier);
  if (identifier.length <= maxTokenLength) {
    if (known.size >= maxKnown) known.clear();
    known.set(identifier, found);
  }
  return found;
}

function split(identifier: string): string[] {
  const found = ASCII.test(identifier)
    ? identifier.match(ASCII_PARTS)
    : identifier
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC')
        .replace(UNSPACED, ' $& ')
        .match(PARTS);
  return (found ?? []).map((part) => cut(part.toLowerCase()));
}

/**
 * Tokens of a name: its parts, and its tails written in one (`getUserProfile` gives `getuserprofile`, `userprofile`), so that
 * the beginning of any part is the beginning of a token, however the name is typed.
 */
export function nameTokens(name: string): string[] {
  const own = parts(name).slice(0, maxTokensPerText);
  const tails = own.length > maxPartsJoined ? [] : own.slice(0, -1).map((_, start) => join(own.slice(start)));
  return [...own, ...new Set(tails.filter((tail) => !own.includes(tail)))];
}

/**
 * Tokens of prose, a path or a signature: the parts of its identifiers in their order, so that phrases are found; then each
 * identifier in one.
 */
export function textTokens(text: string): string[] {
  const own: string[] = [];
  const inOne = new Set<string>();
  for (const [identifier] of text.matchAll(IDENTIFIERS)) {
    const each = parts(identifier);
    own.push(...each);
    if (each.length > 1 && each.length <= maxPartsJoined) inOne.add(join(each));
    if (own.length + inOne.size >= maxTokensPerText) break;
  }
  const left = own.slice(0, maxTokensPerText);
  return inOne.size === 0 ? left : [...left, GAP, ...inOne];
}

/** A part of an identifier in a text, and where it is, in UTF-16 units. */
export interface Piece {
  token: string;
  start: number;
  end: number;
}

/** Where in a text the parts of its identifiers are: to show what was found. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  const add = (token: string, start: number, length: number) => found.push({ token, start, end: start + length });
  if (ASCII.test(text)) {
    for (const { 0: piece, index } of text.matchAll(ASCII_PARTS)) add(cut(piece.toLowerCase()), index, piece.length);
    return found;
  }
  for (const { 0: identifier, index } of text.matchAll(IDENTIFIERS)) {
    for (const { 0: piece, index: at } of identifier.matchAll(PIECES))
      add(join(parts(piece)), index + at, piece.length);
  }
  return found;
}

/** The parts' first letters in one, as `gUP` for `getUserProfile`; null for a name of one part, or of too many. */
export function acronymToken(name: string): string | null {
  const own = parts(name);
  if (own.length < 2 || own.length > maxPartsJoined) return null;
  return ACRONYM + own.map(([first = '']) => first).join('');
}

/** The token of the acronym that a person typed: letters of which all but the first are capitals; null when it is none. */
export function typedAcronym(word: string): string | null {
  return /^\p{L}[\p{Lu}\p{N}]{1,7}$/u.test(word) ? ACRONYM + word.toLowerCase() : null;
}

const minStem = 4;

/** What an English word and its other forms begin with: those of `parsing` with `pars`. */
export function stem(token: string): string {
  if (!/^[a-z]+$/.test(token)) return token;
  const plural = token.endsWith('ies') ? 3 : /(?:ss|x|ch|sh)es$/.test(token) ? 2 : /[^sui]s$/.test(token) ? 1 : 0;
  const singular = without(token, plural);
  const present = without(singular, singular.endsWith('ing') ? 3 : singular.endsWith('ed') ? 2 : 0);
  if (present !== singular) return present.replace(/([bdgmnprt])\1$/, '$1');
  return present.length > minStem + 1 && /[ey]$/.test(present) ? without(present, 1) : present;
}

/** Without so many letters at its end, where enough are left and there is a vowel among them. */
function without(word: string, letters: number): string {
  const left = word.slice(0, word.length - letters);
  return left.length >= minStem && /[aeiouy]/.test(left) ? left : word;
}

/** Elasticsearch cuts longer tokens in two. */
const maxExactLength = 250;
/** Marks of a token that stands for a whole name: for its letters and digits, or for its bytes, or for its parts' first letters. */
const EXACT = '\ue000';
const BYTES = '\ue001';
const ACRONYM = '\ue002';
/** Between what does not follow each other in the text; found by nothing. */
export const GAP = '\ue003';

/**
 * One token for a whole name without case, accents and separators: `get_user`, `getUser` and `get user` have the same. A name
 * without a letter or digit is told by its bytes.
 */
export function exactToken(name: string): string {
  const own = parts(name).join('').slice(0, maxExactLength);
  return own === ''
    ? `${BYTES}${Buffer.from(name.slice(0, maxTokenLength)).toString('hex')}`
    : `${EXACT}${own}`.toWellFormed();
}

/** Is this a part of the text, or parts in one; not one of the tokens above? */
export function isWord(token: string): boolean {
  const first = token.charAt(0);
  return first < EXACT || first > GAP;
}

/** Does this token say how something is written, a part or a whole name; not by its bytes or first letters? */
export function isSpelling(token: string): boolean {
  return isWord(token) || token.startsWith(EXACT);
}

/** Does this exact token stand for a name without letters and digits? */
export function isBytes(exact: string): boolean {
  return exact.startsWith(BYTES);
}

/** Tokens in one. */
export function join(tokens: readonly string[]): string {
  return cut(tokens.join(''));
}

function cut(token: string): string {
  return token.length > maxTokenLength ? token.slice(0, maxTokenLength).toWellFormed() : token;
}
