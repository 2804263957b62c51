import { QueryFailure } from './failure.ts';
import { maxDepth, tokensOf, tooDeep } from './tokens.ts';
import type { Token } from './tokens.ts';

const notSupported: Readonly<Record<string, string>> = {
  MERGE: 'writes',
  SET: 'writes',
  DELETE: 'writes',
  DETACH: 'writes',
  REMOVE: 'writes',
  FOREACH: 'writes',
  DROP: 'writes',
  LOAD: 'reads files',
  CALL: 'runs procedures',
  USE: 'changes the graph',
  PROFILE: 'is not known; EXPLAIN is',
  SHOW: 'is for administrators',
};

/** Goes through the tokens of a query; knows no grammar but what an unexpected token is called. */
export class TokenReader {
  readonly text: string;
  private readonly tokens: readonly Token[];
  private place = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
    this.tokens = tokensOf(text);
  }

  /** The token so many places on. */
  peek(ahead = 0): Token {
    // The last one stands for all behind it.
    const token = this.tokens[this.place + ahead] ?? this.tokens.at(-1);
    if (!token) throw new Error('There is always an end.');
    return token;
  }

  next(): Token {
    const token = this.peek();
    this.place += 1;
    return token;
  }

  /** The token that is so many places behind where this one closes; null where it closes nowhere. */
  behindClosing(ahead: number, further: number): Token | null {
    const { closes } = this.peek(ahead);
    return closes === undefined ? null : (this.tokens[closes + further] ?? null);
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'symbol' && token.text === symbol;
  }

  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'name' && token.text.toUpperCase() === word;
  }

  /** Goes on where this is what comes next. */
  takeSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.place += 1;
    return true;
  }

  /** Likewise for words that follow one another. */
  takeWords(...words: string[]): boolean {
    if (!words.every((word, index) => this.isWord(word, index))) return false;
    this.place += words.length;
    return true;
  }

  expectSymbol(symbol: string): Token {
    if (!this.isSymbol(symbol)) throw this.unexpected(`"${symbol}"`);
    return this.next();
  }

  expectWord(word: string): void {
    if (!this.takeWords(word)) throw this.unexpected(word);
  }

  isName(ahead = 0): boolean {
    const { kind } = this.peek(ahead);
    return kind === 'name' || kind === 'quoted';
  }

  /** A name of whatever is named. */
  expectName(what: string): string {
    if (!this.isName()) throw this.unexpected(what);
    return this.next().text;
  }

  /** Says what stands here in place of what was expected. */
  unexpected(expected: string): QueryFailure {
    const { kind, text, at } = this.peek();
    const word = kind === 'name' ? text.toUpperCase() : '';
    const reason = notSupported[word];
    if (reason !== undefined)
      return new QueryFailure(
        'NotSupported',
        word,
        `${word} ${reason}. This query language only reads: MATCH, OPTIONAL MATCH, WHERE, WITH, UNWIND, RETURN, UNION.`,
        at,
      );
    const found =
      kind === 'end' ? 'the query ends' : `there is ${JSON.stringify(this.text.slice(at, this.peek().end))}`;
    return new QueryFailure('SyntaxError', 'UnexpectedSyntax', `Expected ${expected}, and ${found}.`, at);
  }

  /** Reads what lies one level deeper. */
  deeper<T>(read: () => T): T {
    if (++this.depth > maxDepth) throw tooDeep(this.peek().at);
    try {
      return read();
    } finally {
      this.depth -= 1;
    }
  }
}
