import { exactToken, isBytes, join, MAX_PARTS_JOINED, parts } from './tokens.ts';

/** One word of a query, as typed between spaces: every token must be found. */
export interface QueryWord {
  tokens: string[];
  /** The word in one, where it has several tokens: `OAuth` is also looked for as `oauth`. */
  joined: string | null;
}

/** What a query asks: its text as written, the token of a name that is just so, its words. What goes beyond the bounds is not looked for. */
export interface ParsedQuery {
  text: string;
  exact: string;
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
  return { text: trimmed, exact: exactToken(trimmed), words };
}

/** From this length on a token also stands for the words that begin with it. */
export function isPrefix(token: string): boolean {
  return token.length > 1;
}

/** Does the text also stand for the names that begin with it? */
export function isBeginning({ exact }: ParsedQuery): boolean {
  return !isBytes(exact) && isPrefix(exact.slice(1));
}

/** How many typos a token of this length may have; the first letter is never one. */
export function maxTypos(token: string): 0 | 1 | 2 {
  const length = Array.from(token).length;
  return length < 4 ? 0 : length < 8 ? 1 : 2;
}

/** At most so many terms stand for one mistyped token: the nearest, then the first by code point. */
export const MAX_TYPO_TERMS = 50;

/** A token, and whether any document has one that begins so; where none has, it is taken for mistyped. */
export interface ResolvedToken {
  token: string;
  known: boolean;
}

/**
 * A word of a query against what the index holds: found as typed, or token by token with the terms it may have meant. Each token
 * of `QuerySt` may begin something while the word in one begins no name: then that may be mistyped.
 */
export type ResolvedWord =
  | { kind: 'found'; tokens: readonly string[]; joined: ResolvedToken | null }
  | { kind: 'mistyped'; tokens: readonly ResolvedToken[]; joined: ResolvedToken | null };

/** Does any document have a token that begins so (or is so, see isPrefix), in this field or anywhere? */
export interface Lookup {
  field: 'name' | null;
  token: string;
}

/** Decides for each word whether it is mistyped: when a token of it begins no term at all, and the word in one none of a name. */
export async function resolveWords(
  words: readonly QueryWord[],
  exist: (lookups: Lookup[]) => Promise<boolean[]>,
): Promise<ResolvedWord[]> {
  const lookups = words.map(({ tokens, joined }) => [
    ...tokens.map((token): Lookup => ({ field: null, token })),
    ...(joined === null ? [] : [{ field: 'name', token: joined } as const]),
  ]);
  const answers = words.length === 0 ? [] : await exist(lookups.flat());
  let next = 0;
  return words.map(({ tokens, joined }, i) => {
    const known = answers.slice(next, (next += lookups[i]?.length ?? 0));
    const resolved = (token: string, j: number): ResolvedToken => ({ token, known: known[j] ?? false });
    const each = tokens.map(resolved);
    const inOne = joined === null ? null : resolved(joined, tokens.length);
    return each.every((token) => token.known) || inOne?.known
      ? { kind: 'found', tokens, joined: inOne }
      : { kind: 'mistyped', tokens: each, joined: inOne };
  });
}
