import type { InsecureCode } from '../../facts/insecure-code.ts';
import { type Language as Grammar, Query, type QueryMatch, type QueryPredicate, type Tree } from 'web-tree-sitter';
import { type RuleFile, ruleFiles } from './rule-files.ts';
import { type InsecureCodeRule, ruleIn } from './rules.ts';

/** A parsed file, while its tree is there. */
interface ParsedText {
  tree: Tree;
  grammar: Grammar;
  /** One of our languages. */
  language: string;
  source: string;
  /** By `performance.now`; what was found until then is told. */
  deadline: number;
}

/** By our languages: whose rules hold for them. */
const rulesOf: Readonly<Record<string, InsecureCodeRule['language']>> = {
  javascript: 'TypeScript',
  typescript: 'TypeScript',
  tsx: 'TypeScript',
  python: 'Python',
  go: 'Go',
  java: 'Java',
};

/** A file made to hold more tells nothing. */
const maxFound = 100;

/** Insecure code in one file, by its lines. A rule looks at it only where the rule's hint is in the text. */
export function findInsecureCode({ tree, grammar, language, source, deadline }: ParsedText): InsecureCode[] {
  const files = ruleFiles().filter(({ language: of, hint }) => of === rulesOf[language] && hint.test(source));
  const found = files.flatMap((file) => {
    const { query, predicates } = queryOf(file, grammar);
    const matches = query.matches(tree.rootNode, { progressCallback: () => performance.now() > deadline });
    return matches
      .filter((match) => predicates[match.patternIndex]?.every((predicate) => holds(predicate, match)))
      .flatMap(({ captures }) => captures.filter(({ name }) => name === 'found'))
      .map(({ node }) => {
        const { id, severity } = ruleIn(file);
        return { rule: id, line: node.startPosition.row + 1, severity };
      });
  });
  const each = new Map(found.map((one) => [`${one.rule} ${one.line}`, one]));
  return [...each.values()].sort((a, b) => a.line - b.line || (a.rule < b.rule ? -1 : 1)).slice(0, maxFound);
}

/** Whether a rule would look at a source in this language. */
export const mayBeInsecure = (language: string, source: string): boolean =>
  ruleFiles().some(({ language: of, hint }) => of === rulesOf[language] && hint.test(source));

/** A rule's query in one grammar; of each of its patterns the predicates that are ours, not the parser's. */
interface CompiledRule {
  query: Query;
  predicates: readonly QueryPredicate[][];
}

const compiled = new WeakMap<Grammar, Map<RuleFile, CompiledRule>>();

function queryOf(file: RuleFile, grammar: Grammar): CompiledRule {
  const known = compiled.get(grammar) ?? new Map<RuleFile, CompiledRule>();
  compiled.set(grammar, known);
  const before = known.get(file);
  if (before) return before;
  const query = new Query(grammar, ruleIn(file).query);
  const predicates = Array.from({ length: query.patternCount() }, (_, pattern) => query.predicatesForPattern(pattern));
  const rule = { query, predicates };
  known.set(file, rule);
  return rule;
}

/** What queries can't ask by themselves; see the README of the detectors. */
function holds({ operator, operands }: QueryPredicate, { captures }: QueryMatch): boolean {
  const [capture, ...kinds] = operands.map((operand) => (operand.type === 'capture' ? operand.name : operand.value));
  const nodes = captures.filter(({ name }) => name === capture).map(({ node }) => node);
  const [kind = '', part = ''] = kinds;
  switch (operator) {
    case 'contains?':
      return nodes.every((node) => node.descendantsOfType(kind).length > 0);
    case 'not-kind?':
      return nodes.every((node) => !kinds.includes(node.type));
    case 'not-kind-without?':
      return nodes.every((node) => node.type !== kind || node.descendantsOfType(part).length > 0);
    default:
      throw new Error(`There is no predicate #${operator}.`);
  }
}
