import { QueryFailure } from './failure.ts';
import type { EdgePattern, Expression, NodePattern, Pattern } from './syntax.ts';
import type { TokenReader } from './token-reader.ts';

/** Reads `{name: 'x'}`; what expressions are is not known here. */
type ParseMap = (tokens: TokenReader) => Expression;

/** `p = (a)-[:CALLS]->(b)` */
export function parsePattern(tokens: TokenReader, parseMap: ParseMap): Pattern {
  const { at } = tokens.peek();
  const isNamed = tokens.isName() && tokens.isSymbol('=', 1);
  const variable = isNamed ? tokens.next().text : null;
  if (isNamed) tokens.next();
  if (['SHORTESTPATH', 'ALLSHORTESTPATHS'].some((word) => tokens.isWord(word)))
    throw new QueryFailure(
      'NotSupported',
      'shortestPath',
      'shortestPath is not in the subset. GET /api/graph/path gives a shortest path.',
      tokens.peek().at,
    );
  return { ...parseChain(tokens, parseMap), variable, at };
}

/** `(a)-[:CALLS]->(b)` */
export function parseChain(tokens: TokenReader, parseMap: ParseMap): Pattern {
  const { at } = tokens.peek();
  const nodes = [parseNode(tokens, parseMap)];
  const edges: EdgePattern[] = [];
  while (tokens.isSymbol('-') || (tokens.isSymbol('<') && tokens.isSymbol('-', 1))) {
    edges.push(parseEdge(tokens, parseMap));
    nodes.push(parseNode(tokens, parseMap));
  }
  return { variable: null, nodes, edges, at };
}

/** Whether a pattern stands here, or an expression in brackets: what is behind the first bracket's end tells. */
export function isChain(tokens: TokenReader): boolean {
  const inside = tokens.isName(1) ? 2 : 1;
  if (![')', ':', '{', '$'].some((symbol) => tokens.isSymbol(symbol, inside))) return false;
  const [first, second, third] = [1, 2, 3].map((further) => tokens.behindClosing(0, further)?.text);
  return first === '-'
    ? second === '[' || second === '-'
    : first === '<' && second === '-' && (third === '[' || third === '-');
}

function parseNode(tokens: TokenReader, parseMap: ParseMap): NodePattern {
  const { at } = tokens.expectSymbol('(');
  const variable = tokens.isName() ? tokens.next().text : null;
  const labels: string[] = [];
  while (tokens.takeSymbol(':')) labels.push(tokens.expectName('a label'));
  const properties = parseProperties(tokens, parseMap);
  tokens.expectSymbol(')');
  return { variable, labels, properties, at };
}

function parseEdge(tokens: TokenReader, parseMap: ParseMap): EdgePattern {
  const { at } = tokens.peek();
  const isIn = tokens.takeSymbol('<');
  tokens.expectSymbol('-');
  const edge: EdgePattern = { variable: null, types: [], direction: 'both', length: null, properties: null, at };
  if (tokens.takeSymbol('[')) {
    if (tokens.isName()) edge.variable = tokens.next().text;
    if (tokens.takeSymbol(':')) {
      do {
        tokens.takeSymbol(':');
        edge.types.push(tokens.expectName('a type'));
      } while (tokens.takeSymbol('|'));
    }
    if (tokens.isSymbol('..'))
      throw new QueryFailure(
        'SyntaxError',
        'InvalidRelationshipPattern',
        'Before a length stands a *.',
        tokens.peek().at,
      );
    edge.length = parseLength(tokens);
    edge.properties = parseProperties(tokens, parseMap);
    tokens.expectSymbol(']');
  }
  tokens.expectSymbol('-');
  const isOut = tokens.takeSymbol('>');
  if (isIn !== isOut) edge.direction = isIn ? 'in' : 'out';
  return edge;
}

/** `*`, `*2`, `*1..3`, `*..3`, `*1..` */
function parseLength(tokens: TokenReader): EdgePattern['length'] {
  if (!tokens.takeSymbol('*')) return null;
  const bound = (): number | null => {
    if (tokens.isSymbol('-') || tokens.peek().kind === 'float')
      throw new QueryFailure(
        'SyntaxError',
        'InvalidRelationshipPattern',
        'A length is a whole number of at least 0.',
        tokens.peek().at,
      );
    return tokens.peek().kind === 'integer' ? Number(tokens.next().text) : null;
  };
  const first = bound();
  if (!tokens.takeSymbol('..')) return { min: first ?? 1, max: first ?? Infinity };
  return { min: first ?? 1, max: bound() ?? Infinity };
}

function parseProperties(tokens: TokenReader, parseMap: ParseMap): Expression | null {
  const { at } = tokens.peek();
  if (tokens.isSymbol('{')) return parseMap(tokens);
  if (!tokens.takeSymbol('$')) return null;
  tokens.next();
  throw new QueryFailure(
    'SyntaxError',
    'InvalidParameterUse',
    'A parameter can’t stand for all properties of a pattern: say each, {name: $name}.',
    at,
  );
}
