/** More of a text than this adds nothing to finding it, and would let one long text fill the index. */
const MAX_TOKENS_PER_TEXT = 300;
const MAX_TOKEN_LENGTH = 64;
/** A name of more parts is a sentence; its tails are not what people type. */
export const MAX_PARTS_JOINED = 8;

/** Acronym before a word (`HTTP|Server`), capitalised word, run of small letters, of capitals, of digits, of letters without case. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[\p{L}\p{M}]+/gu;
/** Scripts that are written without spaces: each character is a token. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const IDENTIFIERS = /[\p{L}\p{M}\p{N}_$]+/gu;

const ASCII = /^[\0-\x7f]*$/;
const ASCII_PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** The same few thousand identifiers make up most of a repository's text. */
const known = new Map<string, readonly string[]>();
const MOST_KNOWN = 20_000;

/** The parts of an identifier as people read it: `HTTPServer2` is `http`, `server`, `2`. */
export function parts(identifier: string): readonly string[] {
  const before = known.get(identifier);
  if (before !== undefined) return before;
  const found = split(identifier);
  if (identifier.length <= MAX_TOKEN_LENGTH) {
    if (known.size >= MOST_KNOWN) known.clear();
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
  const own = parts(name).slice(0, MAX_TOKENS_PER_TEXT);
  const tails = own.length > MAX_PARTS_JOINED ? [] : own.slice(0, -1).map((_, start) => join(own.slice(start)));
  return [...new Set([...own, ...tails])];
}

/** Tokens of prose, a path or a signature: the parts of its identifiers, and each identifier in one. */
export function textTokens(text: string): string[] {
  const tokens = new Set<string>();
  for (const [identifier] of text.matchAll(IDENTIFIERS)) {
    const own = parts(identifier);
    for (const part of own) tokens.add(part);
    if (own.length > 1 && own.length <= MAX_PARTS_JOINED) tokens.add(join(own));
    if (tokens.size >= MAX_TOKENS_PER_TEXT) break;
  }
  return [...tokens];
}

/** Elasticsearch cuts longer tokens in two. */
const MAX_EXACT_LENGTH = 250;
/** Marks of a token that stands for a whole name: for its letters and digits, or for its bytes. */
const EXACT = '\ue000';
const BYTES = '\ue001';

/**
 * One token for a whole name without case, accents and separators: `get_user`, `getUser` and `get user` have the same. A name
 * without a letter or digit is told by its bytes.
 */
export function exactToken(name: string): string {
  const own = parts(name).join('').slice(0, MAX_EXACT_LENGTH);
  return own === ''
    ? `${BYTES}${Buffer.from(name.slice(0, MAX_TOKEN_LENGTH)).toString('hex')}`
    : `${EXACT}${own}`.toWellFormed();
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
  return token.length > MAX_TOKEN_LENGTH ? token.slice(0, MAX_TOKEN_LENGTH).toWellFormed() : token;
}
