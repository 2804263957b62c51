import type { SearchDocument } from '../../model/search-document.ts';
import { documentTokens, fields, type Field } from './document-tokens.ts';
import {
  howOf,
  isBeginning,
  isPrefix,
  mayBeMistyped,
  waysOf,
  type Clause,
  type ParsedQuery,
  type ResolvedWord,
} from './query.ts';
import { relevance } from './score.ts';
import { stem } from './tokens.ts';

/** How well a query fits a document that matches it; `near` gives the terms of names that a mistyped token may mean. */
export function prepareRelevance(
  parsed: ParsedQuery,
  words: readonly ResolvedWord[],
  near: (token: string) => readonly string[],
): (document: SearchDocument) => number {
  const { text, exact } = parsed;
  const ways = words.map((word) => waysOf(word, words.length));
  const nearly = mayBeMistyped(parsed, words) ? near(exact) : [];
  const begins = isBeginning(parsed);

  return (document) => {
    if (text === '' || document.name === text || document.qualified_name === text) return relevance.exact;
    const tokens = documentTokens(document);
    if (tokens.name.includes(exact) || tokens.qualified.includes(exact)) return relevance.sameKey;
    const points = ways.map(
      (each) => each.find(({ clauses }) => clauses.some((clause) => holds(clause, tokens, near)))?.points ?? 0,
    );
    const alike = [
      ...(['name', 'qualified'] as const).map((field) =>
        begins && tokens[field].some((token) => token.startsWith(exact)) ? relevance.beginning[field] : 0,
      ),
      tokens.name.some((token) => nearly.includes(token)) ? relevance.nearlyExact : 0,
    ];
    return Math.max(
      points.reduce((sum, each) => sum + each, 0),
      ...alike,
    );
  };
}

type Tokens = Record<Field, readonly string[]>;

function holds(clause: Clause, tokens: Tokens, near: (token: string) => readonly string[]): boolean {
  if (clause.how === 'nearly') {
    return clause.tokens.every(({ token, known }) =>
      known
        ? fields.some((field) => has(tokens[field], token, 'prefix'))
        : near(token).some((term) => tokens.name.includes(term)),
    );
  }
  const { how, field, tokens: wanted } = clause;
  const places = field === 'anywhere' ? fields : [field];
  if (how === 'phrase') return places.some((place) => inOrder(tokens[place], wanted));
  return wanted.every((token, i) => places.some((place) => has(tokens[place], token, howOf(how, i, wanted))));
}

function has(tokens: readonly string[], token: string, how: 'whole' | 'prefix'): boolean {
  if (how === 'whole' || !isPrefix(token)) return tokens.includes(token);
  const begun = stem(token);
  return tokens.some((each) => each.startsWith(begun));
}

function inOrder(tokens: readonly string[], wanted: readonly string[]): boolean {
  return tokens.some((_, at) => wanted.every((token, i) => tokens[at + i] === token));
}
