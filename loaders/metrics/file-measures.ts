import type { InsecureCode } from '../facts/insecure-code.ts';
import type { Node } from '../facts/syntax-tree.ts';
import { anyOf } from '../snapshot/linguist/any-of.ts';
import { tests } from '../snapshot/linguist/tests.ts';
import { BLANK, classifyLines, CODE, COMMENT } from '../languages/reading/classify-lines.ts';
import { commentSyntax } from '../languages/reading/comment-syntax.ts';
import { endpointsIn } from './endpoints-in.ts';
import type { HardcodedEndpoint } from './endpoints-in.ts';
import { functionsIn } from './functions.ts';
import { hashLines } from './line-hashes.ts';
import { secretsIn } from './security/secrets-in.ts';
import type { SecretFinding } from './security/secrets-in.ts';
import { testsIn } from './test-coverage/test-cases.ts';
import type { TestMeasures } from './test-coverage/test-cases.ts';

/** What is counted in one file, whoever asks for it later. */
export interface FileMeasures {
  /** Lines that are neither blank nor comment. */
  code: number;
  comment: number;
  blank: number;
  /** Null where functions can't be told apart in this language. */
  functions: FunctionMeasures[] | null;
  /** Of each line, 0 for one without code: 32 bits each, little-endian, in base64. */
  lineHashes: string;
  /** Addresses that stand in the code. */
  endpoints: HardcodedEndpoint[];
  /** Lines on which a test is told not to run. */
  skippedTests: number[];
  /** Tests and what asserts for them; null where its path is neither a test's nor a helper's. */
  tests: TestMeasures | null;
  secrets: SecretFinding[];
}

/** What is known of a source file that is left out of all figures. */
export interface Glance {
  /** Lines that are neither blank nor comment. */
  code: number;
  secrets: SecretFinding[];
  insecure: InsecureCode[];
}

/** What is counted in each file, by path; of many files it lies on disk. */
export type Measures = Pick<ReadonlyMap<string, FileMeasures>, 'has' | 'get'>;

/** One function; what stands in a function inside it belongs to that one alone. */
export interface FunctionMeasures {
  name: string;
  line: number;
  endLine: number;
  /** Code lines, or statements where these are more. */
  code: number;
  /** Cyclomatic complexity: one more than its branches. */
  complexity: number;
  /** Equal for functions that differ in nothing but names and values. */
  shape: number;
  /** It does nothing but give back what it was given, or a literal; absent where it does, and where nobody can tell. */
  idle?: true;
}

const isTest = anyOf(tests);
const skip =
  /\b(?:it|test|describe|context|suite)\.skip\b|\bx(?:it|describe|test|context)\s*\(|@(?:Ignore|Disabled)\b|\bt\.Skip(?:f|Now)?\(|\bmark\.(?:skip|skipif|xfail)\b|@(?:unittest\.)?skip(?:If|Unless)?\b|\bself\.skipTest\(|\bpytest\.skip\(|#\[ignore\b|\bmarkTestSkipped\(|\bpending\(/;

/** Measures one file; `tree` where it was parsed. */
export function measureFile(file: {
  source: string;
  path: string;
  linguist: string | null;
  tree: Node | null;
}): FileMeasures {
  const { source, path, linguist, tree } = file;
  const syntax = commentSyntax(linguist);
  const kinds = classifyLines(source, syntax);
  const counts = [0, 0, 0];
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  const functions = tree && functionsIn(tree, linguist, kinds);
  return {
    code: counts[CODE] ?? 0,
    comment: counts[COMMENT] ?? 0,
    blank: counts[BLANK] ?? 0,
    functions,
    lineHashes: hashLines(source, kinds, syntax),
    endpoints: endpointsIn(source, kinds),
    skippedTests: isTest(path) ? skipsIn(source, kinds) : [],
    tests: mayTest(path, source) ? testsIn({ source, linguist, tree, functions, kinds }) : null,
    secrets: secretsIn(source, path),
  };
}

/** Looks into a file that is not measured. */
export function glanceAt(file: {
  source: string;
  /** What of it is code. */
  code?: string | undefined;
  path: string;
  linguist: string | null;
  insecure: InsecureCode[];
}): Glance {
  const { source, code = source, path, linguist, insecure } = file;
  const kinds = classifyLines(code, commentSyntax(linguist));
  return {
    code: kinds.reduce((sum, kind) => sum + Number(kind === CODE), 0),
    secrets: secretsIn(source, path),
    insecure,
  };
}
/** A test by its path, what tests may be helped by, or Rust's, which stand beside the code. */
const mayTest = (path: string, source: string): boolean =>
  isTest(path) || /test|spec|assert|fixture/i.test(path) || (path.endsWith('.rs') && source.includes('test]'));

function skipsIn(source: string, kinds: Uint8Array): number[] {
  if (!skip.test(source)) return [];
  return source.split('\n').flatMap((line, index) => (kinds[index] === CODE && skip.test(line) ? [index + 1] : []));
}
