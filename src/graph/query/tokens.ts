import { QueryFailure } from './failure.ts';

/** One piece of a query's text. */
export interface Token {
  kind: 'name' | 'quoted' | 'integer' | 'float' | 'string' | 'symbol' | 'end';
  /** What is meant: a name without its backticks, a string without its quotes and escapes. */
  text: string;
  /** Where it begins and ends, in characters from 0. */
  at: number;
  end: number;
  /** Of an opening bracket: which token closes it. */
  closes?: number;
}

/** Brackets inside of brackets, and expressions inside of expressions. */
export const maxDepth = 100;

const spaces = /[\s\u180e]+|\/\/[^\n]*/y;
const names = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy;
const floats = /(?:\d+\.\d+|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+/y;
const integers = /0[xX][0-9a-fA-F]*|0o[0-7]*|\d+/y;
const symbols = /\.\.|<=|>=|<>|=~|\+=|[()[\]{},:;.|=<>+\-*/%^$]/y;
const strings = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/y;
const quotedNames = /`(?:[^`]|``)*`/y;

/** Cuts a query into its tokens, in one go from the beginning to the end; the last one is `end`. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const open: number[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  for (;;) {
    at = behindSpaces(text, at);
    if (at >= text.length) break;
    const token = tokenAt(text, at, take);
    if (token.kind === 'symbol') matchBrackets(token.text, tokens, open, token.at);
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ kind: 'end', text: '', at: text.length, end: text.length });
  return tokens;
}

/** Where the next token begins: behind spaces and comments. */
function behindSpaces(text: string, from: number): number {
  for (let at = from; ;) {
    if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) throw new QueryFailure('SyntaxError', 'UnexpectedSyntax', 'A comment does not end.', at);
      at = end + 2;
      continue;
    }
    spaces.lastIndex = at;
    const skipped = spaces.exec(text)?.[0];
    if (skipped === undefined) return at;
    at += skipped.length;
  }
}

function tokenAt(text: string, at: number, take: (pattern: RegExp) => string | null): Token {
  const token = (kind: Token['kind'], raw: string, meant = raw): Token => ({
    kind,
    text: meant,
    at,
    end: at + raw.length,
  });
  const name = take(names);
  if (name !== null) return token('name', name);
  const float = take(floats);
  const number = float ?? take(integers);
  if (number !== null) {
    names.lastIndex = at + number.length;
    const more = names.exec(text)?.[0] ?? '';
    const end = at + number.length + more.length;
    if (more !== '' || /^0[xXo]$/.test(number) || /\d/.test(text.charAt(end))) {
      const isKey = text.charAt(behindSpaces(text, end)) === ':';
      throw new QueryFailure(
        'SyntaxError',
        isKey ? 'UnexpectedSyntax' : 'InvalidNumberLiteral',
        isKey ? 'A name does not begin with a digit.' : `${number}${more} is no number.`,
        at,
      );
    }
    return token(float === null ? 'integer' : 'float', number);
  }
  const first = text.charAt(at);
  if (first === "'" || first === '"') {
    const string = take(strings);
    if (string === null) throw new QueryFailure('SyntaxError', 'UnexpectedSyntax', 'A string does not end.', at);
    return token('string', string, unescaped(string.slice(1, -1), at));
  }
  if (first === '`') {
    const quoted = take(quotedNames);
    if (quoted === null)
      throw new QueryFailure('SyntaxError', 'UnexpectedSyntax', 'A name in backticks does not end.', at);
    return token('quoted', quoted, quoted.slice(1, -1).replaceAll('``', '`'));
  }
  const symbol = take(symbols);
  if (symbol !== null) return token('symbol', symbol);
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const reason = character.charCodeAt(0) > 127 ? 'InvalidUnicodeCharacter' : 'UnexpectedSyntax';
  throw new QueryFailure('SyntaxError', reason, `${JSON.stringify(character)} means nothing here.`, at);
}

const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Notes where each bracket closes; what closes nothing is the parser's to say. */
function matchBrackets(symbol: string, tokens: Token[], open: number[], at: number): void {
  if ('([{'.includes(symbol)) {
    if (open.length >= maxDepth) throw tooDeep(at);
    open.push(tokens.length);
    return;
  }
  const opening = pairs[symbol];
  const last = tokens[open.at(-1) ?? -1];
  if (opening === undefined || last?.text !== opening) return;
  last.closes = tokens.length;
  open.pop();
}

export const tooDeep = (at: number) =>
  new QueryFailure(
    'Limit',
    'depth',
    `More than ${maxDepth} expressions lie inside of one another. Use WITH to name parts of it.`,
    at,
  );

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function unescaped(text: string, at: number): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g, (_, code: string) => {
    if (code.length > 1) {
      const point = Number.parseInt(code.slice(1), 16);
      if (point <= 0x10_ff_ff) return String.fromCodePoint(point);
    }
    const meant = escapes[code];
    if (meant !== undefined) return meant;
    const reason = /^u/i.test(code) ? 'InvalidUnicodeLiteral' : 'UnexpectedSyntax';
    throw new QueryFailure('SyntaxError', reason, `A string has \\${code.slice(0, 1)}, which is no escape.`, at);
  });
}
