import type { Node } from '../facts/syntax-tree.ts';
import type { Language } from '../languages/language.ts';

/** What a file says to a compiler: a word, mark or literal and the line it begins on, from 1. */
export interface CodeToken {
  line: number;
  text: string;
}

/** Comments that a compiler reads all the same: Go's directives. */
const directive = /^\/\/(?:go:| ?\+build\b|export )/;
/** Within these white space counts; they are taken as they stand. */
const literal = /string|char|rune|regex|heredoc/;

/**
 * The code of a parsed file without comments and docstrings: two files that differ in these, or in white space that means nothing,
 * have the same. Where indentation means something, the first of each line begins with how far it is indented.
 */
export function codeTokens({ tree }: Node, { id: language, comments }: Language): CodeToken[] {
  const { source, names, type, start, end, next } = tree;
  const kinds = names.types.map((name, index) => {
    if (names.isNamed[index] !== 1) return 0;
    return name.endsWith('comment') ? comment : literal.test(name) ? whole : 0;
  });
  const docstring = comments.docstrings ? names.types.indexOf('expression_statement') : -1;
  const isDocstring = (node: number) =>
    type[node] === docstring && names.types[type[node + 1] ?? 0] === 'string' && next[node + 1] === next[node];
  const isIndented = language === 'python';
  const tokens: CodeToken[] = [];
  let [at, line] = [0, 1];
  /** Goes on to here; what no node is of is a token too, unless it is blank. */
  const goTo = (to: number) => {
    const gap = source.slice(at, to);
    if (gap.trim() !== '') add(gap.trim(), line + countLines(gap.slice(0, gap.length - gap.trimStart().length)));
    line += countLines(gap);
    at = to;
  };
  const add = (text: string, on: number) => {
    const isFirst = isIndented && tokens.at(-1)?.line !== on;
    tokens.push({ line: on, text: isFirst ? `${' '.repeat(at - source.lastIndexOf('\n', at - 1) - 1)}${text}` : text });
  };
  for (let id = 0; id < type.length;) {
    const [from = 0, to = 0, behind = id + 1] = [start[id], end[id], next[id]];
    const kind = isDocstring(id) ? comment : (kinds[type[id] ?? 0] ?? 0);
    if ((kind === 0 && behind > id + 1) || from < at) {
      id += 1;
      continue;
    }
    goTo(from);
    const text = source.slice(from, to);
    if (text !== '' && (kind !== comment || directive.test(text))) add(text, line);
    line += countLines(text);
    at = to;
    id = behind;
  }
  goTo(source.length);
  return tokens;
}

const comment = 1;
const whole = 2;

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
