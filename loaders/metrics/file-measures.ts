import type { Node } from 'web-tree-sitter';

/** What is counted in one file, whoever asks for it later. */
export interface FileMeasures {
  /** Lines that are neither blank nor comment. */
  code: number;
  comment: number;
  blank: number;
  /** Null where functions can't be told apart in this language. */
  functions: FunctionMeasures[] | null;
}

/** One function; what stands in a function inside it belongs to that one alone. */
export interface FunctionMeasures {
  name: string;
  line: number;
  endLine: number;
  /** Code lines. */
  code: number;
  /** Cyclomatic complexity: one more than its branches. */
  complexity: number;
}

/** Measures one file; `tree` where it was parsed. */
export function measureFile({
  source,
}: {
  source: string;
  path: string;
  linguist: string | null;
  tree: Node | null;
}): FileMeasures {
  const lines = source.split('\n');
  const blank = lines.filter((line) => line.trim() === '').length;
  return { code: lines.length - blank, comment: 0, blank, functions: null };
}
