import { QueryFailure } from './failure.ts';
import { parseExpression, parseMap } from './parse-expression.ts';
import { parsePattern } from './parse-pattern.ts';
import type { Clause, Expression, Item, Match, Pattern, Projection, Query } from './syntax.ts';
import { TokenReader } from './token-reader.ts';

/** Of a query's text, in characters. */
export const maxText = 20_000;

/** Reads a query, from its beginning to its end and never back, so it takes as long as it is long. */
export function parseQuery(text: string, maxLength = maxText): Query {
  if (text.length > maxLength)
    throw new QueryFailure(
      'Limit',
      'length',
      `A query has at most ${maxLength} characters. Give lists and long texts as parameters.`,
    );
  const tokens = new TokenReader(text);
  const explain = tokens.takeWords('EXPLAIN');
  const parts = [parseClauses(tokens)];
  const kinds = new Set<boolean>();
  while (tokens.takeWords('UNION')) {
    kinds.add(tokens.takeWords('ALL'));
    parts.push(parseClauses(tokens));
  }
  if (kinds.size > 1)
    throw new QueryFailure('SyntaxError', 'InvalidClauseComposition', 'UNION and UNION ALL do not mix.', 0);
  tokens.takeSymbol(';');
  if (tokens.peek().kind !== 'end') throw tokens.unexpected('a clause (MATCH, WITH, UNWIND, RETURN)');
  return { explain, parts, all: kinds.has(true) };
}

function parseClauses(tokens: TokenReader): Clause[] {
  const clauses: Clause[] = [];
  for (;;) {
    const { at } = tokens.peek();
    if (tokens.takeWords('OPTIONAL', 'MATCH')) clauses.push(parseMatch(tokens, true, at));
    else if (tokens.takeWords('MATCH')) clauses.push(parseMatch(tokens, false, at));
    else if (tokens.takeWords('UNWIND')) {
      const list = parseExpression(tokens);
      tokens.expectWord('AS');
      clauses.push({ kind: 'unwind', list, variable: tokens.expectName('a variable'), at });
    } else if (tokens.takeWords('WITH')) clauses.push(parseProjection(tokens, 'with', at));
    else if (tokens.takeWords('RETURN')) clauses.push(parseProjection(tokens, 'return', at));
    else if (tokens.takeWords('CREATE')) clauses.push({ kind: 'create', patterns: parsePatterns(tokens), at });
    else if (clauses.length > 0) return clauses;
    else throw tokens.unexpected('a clause (MATCH, WITH, UNWIND, RETURN)');
  }
}

function parseMatch(tokens: TokenReader, optional: boolean, at: number): Match {
  const patterns = parsePatterns(tokens);
  return { kind: 'match', optional, patterns, where: parseWhere(tokens), at };
}

function parsePatterns(tokens: TokenReader): Pattern[] {
  const patterns = [parsePattern(tokens, parseMap)];
  while (tokens.takeSymbol(',')) patterns.push(parsePattern(tokens, parseMap));
  return patterns;
}

function parseWhere(tokens: TokenReader): Expression | null {
  return tokens.takeWords('WHERE') ? parseExpression(tokens) : null;
}

function parseProjection(tokens: TokenReader, kind: 'with' | 'return', at: number): Projection {
  const distinct = tokens.takeWords('DISTINCT');
  const all = tokens.takeSymbol('*');
  const items: Item[] = [];
  if (!all || tokens.takeSymbol(',')) {
    do items.push(parseItem(tokens));
    while (tokens.takeSymbol(','));
  }
  const order: Projection['order'] = [];
  if (tokens.takeWords('ORDER', 'BY')) {
    do {
      const by = parseExpression(tokens);
      const descending = tokens.takeWords('DESC') || tokens.takeWords('DESCENDING');
      if (!descending && !tokens.takeWords('ASC')) tokens.takeWords('ASCENDING');
      order.push({ by, descending });
    } while (tokens.takeSymbol(','));
  }
  const skip = tokens.takeWords('SKIP') ? parseExpression(tokens) : null;
  const limit = tokens.takeWords('LIMIT') ? parseExpression(tokens) : null;
  const where = kind === 'with' ? parseWhere(tokens) : null;
  return { kind, distinct, all, items, order, skip, limit, where, at };
}

function parseItem(tokens: TokenReader): Item {
  const from = tokens.peek().at;
  const expression = parseExpression(tokens);
  const to = tokens.peek().at;
  if (tokens.takeWords('AS')) return { expression, name: tokens.expectName('a name'), isNamed: true };
  const written = tokens.text.slice(from, to).trim();
  return {
    expression,
    name: expression.kind === 'variable' ? expression.name : written,
    isNamed: expression.kind === 'variable',
  };
}
