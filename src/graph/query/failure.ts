/** Why a query is not answered, in the words of the openCypher TCK: when that shows, what kind of mistake, and which one. */
export class QueryFailure extends Error {
  readonly kind: FailureKind;
  /** `UndefinedVariable`, `InvalidArgumentType` …; of a limit its name. */
  readonly reason: string;
  /** Where in the query, counted in characters from 0; null where no place is meant. */
  readonly at: number | null;
  constructor(kind: FailureKind, reason: string, message: string, at: number | null = null) {
    super(message);
    this.kind = kind;
    this.reason = reason;
    this.at = at;
  }
}

/** `Limit` and `NotSupported` are ours: a query that asks for too much, and what is not in the subset. */
export type FailureKind = 'SyntaxError' | 'TypeError' | 'ArgumentError' | 'NotSupported' | 'Limit';

/** Line and column of a place, both from 1. */
export function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - before.lastIndexOf('\n') };
}
