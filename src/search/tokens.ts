/** More of a text than this adds nothing to finding it, and would let one long text fill the index. */
const MAX_TOKENS_PER_TEXT = 300;
const MAX_TOKEN_LENGTH = 64;
/** A name of more parts is a sentence; its tails are not what people type. */
const MAX_PARTS_JOINED = 8;

/** Acronym before a word (`HTTP|Server`), capitalised word, run of small letters, of capitals, of digits, of letters without case. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[\p{L}\p{M}]+/gu;
/** Scripts that are written without spaces: each character is a token. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const IDENTIFIERS = /[\p{L}\p{M}\p{N}_$]+/gu;

/** A text as search compares it: compatibility forms, accents and case folded away. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();
}

/** The parts of an identifier as people read it: `HTTPServer2` is `http`, `server`, `2`. */
export function parts(identifier: string): string[] {
  const spaced = identifier
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(UNSPACED, ' $& ');
  return Array.from(spaced.matchAll(PARTS), ([part]) => part.toLowerCase().slice(0, MAX_TOKEN_LENGTH));
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

/** The name without case, accents and separators: `get_user`, `getUser` and `get user` have one key; empty where nothing is left. */
export function nameKey(name: string): string {
  return parts(name).join('').slice(0, 256);
}

/** One word of a query, as typed between spaces: every token must be found. */
export interface QueryWord {
  tokens: string[];
  /** The word in one, where it has several tokens: `OAuth` is also looked for as `oauth`. */
  joined: string | null;
}

/** What a query asks: its text as written, its key, its words. What goes beyond the bounds is not looked for. */
export interface ParsedQuery {
  text: string;
  key: string;
  words: QueryWord[];
}

const MAX_WORDS = 12;
const MAX_QUERY_TOKENS = 24;

/** Reads any text as a query; never fails, and its size is bounded. */
export function parseQuery(text: string): ParsedQuery {
  const trimmed = text.slice(0, 256).toWellFormed().trim();
  const words: QueryWord[] = [];
  let left = MAX_QUERY_TOKENS;
  for (const typed of trimmed.split(/\s+/u)) {
    const tokens = parts(typed).slice(0, left);
    if (tokens.length === 0) continue;
    if (words.length === MAX_WORDS) break;
    left -= tokens.length;
    words.push({ tokens, joined: tokens.length > 1 && tokens.length <= MAX_PARTS_JOINED ? join(tokens) : null });
    if (left === 0) break;
  }
  return { text: trimmed, key: nameKey(trimmed), words };
}

function join(tokens: readonly string[]): string {
  return tokens.join('').slice(0, MAX_TOKEN_LENGTH);
}
