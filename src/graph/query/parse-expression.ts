import { QueryFailure } from './failure.ts';
import { isChain, parseChain, parsePattern } from './parse-pattern.ts';
import type { Comparison, Expression, Operator } from './syntax.ts';
import type { TokenReader } from './token-reader.ts';
import type { Token } from './tokens.ts';

/** What binds to the left, as `1 + 1 + 1` does, lies inside of one another too. */
const maxChain = 500;

class Chain {
  private length = 0;
  longer(token: Token): Token {
    if (++this.length > maxChain)
      throw new QueryFailure(
        'Limit',
        'depth',
        `More than ${maxChain} operators follow one another. Use a list and IN, or WITH to name parts of it.`,
        token.at,
      );
    return token;
  }
}

type Of<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;

/** Any expression; those that bind weaker first. */
export function parseExpression(tokens: TokenReader): Expression {
  return tokens.deeper(() => parseWords(tokens, ['OR', 'XOR', 'AND']));
}

function parseWords(tokens: TokenReader, [operator, ...stronger]: Operator[]): Expression {
  if (operator === undefined) return parseNot(tokens);
  let left = parseWords(tokens, stronger);
  const chain = new Chain();
  for (let { at } = tokens.peek(); tokens.takeWords(operator); { at } = chain.longer(tokens.peek()))
    left = { kind: 'binary', operator, left, right: parseWords(tokens, stronger), at };
  return left;
}

function parseNot(tokens: TokenReader): Expression {
  const places: number[] = [];
  for (let { at } = tokens.peek(); tokens.takeWords('NOT'); { at } = tokens.peek()) places.push(at);
  // Two cancel each other, but still only take booleans.
  const kept = places.length > 2 ? places.slice((places.length % 2) - 2) : places;
  return kept.reduceRight<Expression>(
    (of, at) => ({ kind: 'unary', operator: 'NOT', of, at }),
    parseComparison(tokens),
  );
}

const comparisons: readonly Comparison[] = ['=', '<>', '<=', '>=', '<', '>'];

function parseComparison(tokens: TokenReader): Expression {
  const first = parsePredicate(tokens);
  const { at } = tokens.peek();
  const rest: Of<'comparison'>['rest'] = [];
  for (;;) {
    const operator = comparisons.find((each) => tokens.takeSymbol(each));
    if (operator === undefined) break;
    rest.push({ operator, right: parsePredicate(tokens) });
  }
  if (tokens.isSymbol('=~'))
    throw new QueryFailure(
      'NotSupported',
      '=~',
      'Regular expressions are not in the subset. Use CONTAINS, STARTS WITH or ENDS WITH.',
      tokens.peek().at,
    );
  return rest.length === 0 ? first : { kind: 'comparison', first, rest, at };
}

/** What asks of a value whether it begins so, is in a list, is null. */
function parsePredicate(tokens: TokenReader): Expression {
  let left = parseArithmetic(tokens, 0);
  const chain = new Chain();
  for (;;) {
    const { at } = chain.longer(tokens.peek());
    const binary = (operator: Operator) => {
      left = { kind: 'binary', operator, left, right: parseArithmetic(tokens, 0), at };
    };
    if (tokens.takeWords('IN')) binary('IN');
    else if (tokens.takeWords('STARTS', 'WITH')) binary('STARTS WITH');
    else if (tokens.takeWords('ENDS', 'WITH')) binary('ENDS WITH');
    else if (tokens.takeWords('CONTAINS')) binary('CONTAINS');
    else if (tokens.takeWords('IS', 'NOT', 'NULL')) left = { kind: 'isNull', of: left, negated: true, at };
    else if (tokens.takeWords('IS', 'NULL')) left = { kind: 'isNull', of: left, negated: false, at };
    else return left;
  }
}

const arithmetic: readonly (readonly Operator[])[] = [['+', '-'], ['*', '/', '%'], ['^']];

function parseArithmetic(tokens: TokenReader, level: number): Expression {
  const operators = arithmetic[level];
  if (operators === undefined) return parseSign(tokens);
  let left = parseArithmetic(tokens, level + 1);
  const chain = new Chain();
  for (;;) {
    const { at } = chain.longer(tokens.peek());
    const operator = operators.find((each) => tokens.takeSymbol(each));
    if (operator === undefined) return left;
    left = { kind: 'binary', operator, left, right: parseArithmetic(tokens, level + 1), at };
  }
}

function parseSign(tokens: TokenReader): Expression {
  const { at, end } = tokens.peek();
  const operator = (['-', '+'] as const).find((each) => tokens.takeSymbol(each));
  if (operator === undefined) return parsePostfix(tokens);
  // The smallest integer has no positive one that it could be the negative of.
  if (operator === '-' && tokens.peek().kind === 'integer' && tokens.peek().at === end)
    return parseBehind(tokens, { kind: 'literal', value: integerOf(tokens, '-'), at });
  return tokens.deeper(() => ({ kind: 'unary', operator, of: parseSign(tokens), at }));
}

function parsePostfix(tokens: TokenReader): Expression {
  return parseBehind(tokens, parseAtom(tokens));
}

/** `.name`, `[1]`, `[1..2]`, `:Label` behind an expression. */
function parseBehind(tokens: TokenReader, atom: Expression): Expression {
  let of = atom;
  const chain = new Chain();
  for (;;) {
    const { at } = chain.longer(tokens.peek());
    if (tokens.takeSymbol('.')) of = { kind: 'property', of, name: tokens.expectName('the name of a property'), at };
    else if (tokens.isSymbol(':') && tokens.isName(1)) {
      const labels: string[] = [];
      while (tokens.takeSymbol(':')) labels.push(tokens.expectName('a label'));
      of = { kind: 'hasLabels', of, labels, at };
    } else if (tokens.takeSymbol('[')) of = parseIndex(tokens, of, at);
    else if (tokens.isSymbol('{') && of.kind === 'variable')
      throw new QueryFailure(
        'NotSupported',
        'map projection',
        'Map projections are not in the subset. Write a map: {name: n.name}.',
        at,
      );
    else return of;
  }
}

function parseIndex(tokens: TokenReader, of: Expression, at: number): Expression {
  const end = () => {
    const to = tokens.isSymbol(']') ? null : parseExpression(tokens);
    tokens.expectSymbol(']');
    return to;
  };
  if (tokens.takeSymbol('..')) return { kind: 'slice', of, from: null, to: end(), at };
  const index = parseExpression(tokens);
  if (tokens.takeSymbol('..')) return { kind: 'slice', of, from: index, to: end(), at };
  tokens.expectSymbol(']');
  return { kind: 'index', of, index, at };
}

function parseAtom(tokens: TokenReader): Expression {
  const { kind, text, at } = tokens.peek();
  switch (kind) {
    case 'string':
      tokens.next();
      return { kind: 'literal', value: text, at };
    case 'integer':
      return { kind: 'literal', value: integerOf(tokens, ''), at };
    case 'float': {
      tokens.next();
      const value = Number(text);
      if (!Number.isFinite(value))
        throw new QueryFailure('SyntaxError', 'FloatingPointOverflow', `${text} is too large for a number.`, at);
      return { kind: 'literal', value, at };
    }
    case 'symbol':
      return parseBracketed(tokens);
    case 'name':
      return parseWord(tokens);
    case 'quoted':
      if (tokens.isSymbol('(', 1)) return parseCall(tokens);
      tokens.next();
      return { kind: 'variable', name: text, at };
    case 'end':
      throw tokens.unexpected('an expression');
  }
}

const maxInteger = 2n ** 63n - 1n;

function integerOf(tokens: TokenReader, sign: '' | '-'): bigint {
  const { text, at } = tokens.next();
  const value = sign === '-' ? -BigInt(text.toLowerCase()) : BigInt(text.toLowerCase());
  if (value > maxInteger || value < -maxInteger - 1n)
    throw new QueryFailure('SyntaxError', 'IntegerOverflow', `${sign}${text} is no integer of 64 bits.`, at);
  return value;
}

function parseBracketed(tokens: TokenReader): Expression {
  const { at } = tokens.peek();
  if (tokens.isSymbol('{')) return parseMap(tokens);
  if (tokens.isSymbol('(')) {
    if (isChain(tokens))
      return { kind: 'exists', patterns: [parseChain(tokens, parseMap)], where: null, bare: true, at };
    tokens.next();
    const expression = parseExpression(tokens);
    tokens.expectSymbol(')');
    // Brackets end a chain of comparisons and of NOT.
    return expression;
  }
  if (tokens.isSymbol('[')) return parseList(tokens);
  if (tokens.takeSymbol('$')) {
    const { kind } = tokens.peek();
    if (kind !== 'integer' && !tokens.isName()) throw tokens.unexpected('the name of a parameter');
    return { kind: 'parameter', name: tokens.next().text, at };
  }
  throw tokens.unexpected('an expression');
}

export function parseMap(tokens: TokenReader): Of<'map'> & { at: number } {
  const { at } = tokens.expectSymbol('{');
  const entries: Of<'map'>['entries'] = [];
  if (!tokens.takeSymbol('}')) {
    do {
      const name = tokens.expectName('the name of a property');
      tokens.expectSymbol(':');
      entries.push({ name, value: parseExpression(tokens) });
    } while (tokens.takeSymbol(','));
    tokens.expectSymbol('}');
  }
  return { kind: 'map', entries, at };
}

/** A list, a list comprehension, or a pattern comprehension. */
function parseList(tokens: TokenReader): Expression {
  const { at } = tokens.expectSymbol('[');
  if (tokens.isName() && tokens.isWord('IN', 1)) {
    const { variable, list, where } = parseFilter(tokens);
    const result = tokens.takeSymbol('|') ? parseExpression(tokens) : null;
    tokens.expectSymbol(']');
    return { kind: 'comprehension', variable, list, where, result, at };
  }
  if (
    (tokens.isSymbol('(') && isChain(tokens)) ||
    (tokens.isName() && tokens.isSymbol('=', 1) && tokens.isSymbol('(', 2))
  ) {
    const pattern = parsePattern(tokens, parseMap);
    const where = tokens.takeWords('WHERE') ? parseExpression(tokens) : null;
    if (tokens.takeSymbol('|')) {
      const result = parseExpression(tokens);
      tokens.expectSymbol(']');
      return { kind: 'patternComprehension', pattern, where, result, at };
    }
    // `[(a)-->(b)]` is a list of one predicate.
    if (where !== null || pattern.variable !== null) throw tokens.unexpected('"|"');
    return parseItems(tokens, at, [{ kind: 'exists', patterns: [pattern], where: null, bare: true, at: pattern.at }]);
  }
  return parseItems(tokens, at, []);
}

function parseItems(tokens: TokenReader, at: number, items: Expression[]): Expression {
  if (items.length === 0 && tokens.takeSymbol(']')) return { kind: 'list', items, at };
  if (items.length === 0) items.push(parseExpression(tokens));
  while (tokens.takeSymbol(',')) items.push(parseExpression(tokens));
  tokens.expectSymbol(']');
  return { kind: 'list', items, at };
}

/** `x IN list WHERE condition` */
function parseFilter(tokens: TokenReader): { variable: string; list: Expression; where: Expression | null } {
  const variable = tokens.expectName('a variable');
  tokens.expectWord('IN');
  const list = parseExpression(tokens);
  return { variable, list, where: tokens.takeWords('WHERE') ? parseExpression(tokens) : null };
}

/** What begins with a name: a literal, CASE, a function, a variable. */
function parseWord(tokens: TokenReader): Expression {
  const { text, at } = tokens.peek();
  const word = text.toUpperCase();
  if (word === 'TRUE' || word === 'FALSE') {
    tokens.next();
    return { kind: 'literal', value: word === 'TRUE', at };
  }
  if (word === 'NULL') {
    tokens.next();
    return { kind: 'literal', value: null, at };
  }
  if (word === 'CASE' && !tokens.isSymbol('.', 1)) return parseCase(tokens);
  if (word === 'EXISTS' && tokens.isSymbol('{', 1)) return parseExists(tokens);
  if (tokens.isSymbol('(', 1)) return parseSpecialCall(tokens, word) ?? parseCall(tokens);
  if (tokens.isSymbol('.', 1) && tokens.isName(2) && isNamespaced(tokens)) return parseCall(tokens);
  if (reserved.has(word)) throw tokens.unexpected('an expression');
  tokens.next();
  return { kind: 'variable', name: text, at };
}

const reserved = new Set([
  'WHERE',
  'RETURN',
  'MATCH',
  'WITH',
  'UNWIND',
  'OPTIONAL',
  'UNION',
  'ORDER',
  'AND',
  'OR',
  'XOR',
  'THEN',
  'WHEN',
  'ELSE',
  'AS',
  'IN',
  'CREATE',
]);

/** `date.truncate(…)`: a name with dots before a bracket. */
function isNamespaced(tokens: TokenReader): boolean {
  let ahead = 0;
  while (tokens.isName(ahead) && tokens.isSymbol('.', ahead + 1)) ahead += 2;
  return tokens.isName(ahead) && tokens.isSymbol('(', ahead + 1);
}

function parseCall(tokens: TokenReader): Expression {
  const { at } = tokens.peek();
  let name = tokens.next().text;
  while (tokens.takeSymbol('.')) name += `.${tokens.expectName('the name of a function')}`;
  tokens.expectSymbol('(');
  if (name.toUpperCase() === 'COUNT' && tokens.isSymbol('*') && tokens.isSymbol(')', 1)) {
    tokens.next();
    tokens.next();
    return { kind: 'countAll', at };
  }
  const distinct = tokens.takeWords('DISTINCT');
  const given: Expression[] = [];
  if (!tokens.takeSymbol(')')) {
    do given.push(parseExpression(tokens));
    while (tokens.takeSymbol(','));
    tokens.expectSymbol(')');
  }
  return { kind: 'call', name: name.toLowerCase(), distinct, arguments: given, at };
}

/** What looks like a function and has a grammar of its own. */
function parseSpecialCall(tokens: TokenReader, word: string): Expression | null {
  const { at } = tokens.peek();
  const quantifier = (['all', 'any', 'none', 'single'] as const).find((each) => each.toUpperCase() === word);
  if (quantifier !== undefined && tokens.isName(2) && tokens.isWord('IN', 3)) {
    tokens.next();
    tokens.next();
    const { variable, list, where } = parseFilter(tokens);
    if (where === null) throw tokens.unexpected('WHERE');
    tokens.expectSymbol(')');
    return { kind: 'quantifier', quantifier, variable, list, where, at };
  }
  if (word === 'REDUCE' && tokens.isName(2) && tokens.isSymbol('=', 3)) {
    tokens.next();
    tokens.next();
    const accumulator = tokens.expectName('a variable');
    tokens.expectSymbol('=');
    const initial = parseExpression(tokens);
    tokens.expectSymbol(',');
    const { variable, list } = parseFilter(tokens);
    tokens.expectSymbol('|');
    const result = parseExpression(tokens);
    tokens.expectSymbol(')');
    return { kind: 'reduce', accumulator, initial, variable, list, result, at };
  }
  return null;
}

function parseCase(tokens: TokenReader): Expression {
  const { at } = tokens.next();
  const subject = tokens.isWord('WHEN') ? null : parseExpression(tokens);
  const branches: Of<'case'>['branches'] = [];
  while (tokens.takeWords('WHEN')) {
    const when = parseExpression(tokens);
    tokens.expectWord('THEN');
    branches.push({ when, result: parseExpression(tokens) });
  }
  if (branches.length === 0) throw tokens.unexpected('WHEN');
  const otherwise = tokens.takeWords('ELSE') ? parseExpression(tokens) : null;
  tokens.expectWord('END');
  return { kind: 'case', subject, branches, otherwise, at };
}

/** `exists { (a)-->(b) WHERE … }`, with or without MATCH. */
function parseExists(tokens: TokenReader): Expression {
  const { at } = tokens.next();
  tokens.next();
  tokens.takeWords('MATCH');
  const patterns = [parsePattern(tokens, parseMap)];
  while (tokens.takeSymbol(',')) patterns.push(parsePattern(tokens, parseMap));
  const where = tokens.takeWords('WHERE') ? parseExpression(tokens) : null;
  if (!tokens.isSymbol('}'))
    throw new QueryFailure(
      'NotSupported',
      'full subquery',
      'A subquery has patterns and WHERE, and no other clauses.',
      tokens.peek().at,
    );
  tokens.next();
  return { kind: 'exists', patterns, where, bare: false, at };
}
