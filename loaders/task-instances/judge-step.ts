import { languageOf } from '../snapshot/language-of.ts';
import { anyOf } from '../snapshot/linguist/any-of.ts';
import { documentation } from '../snapshot/linguist/documentation.ts';
import { generatedPaths } from '../snapshot/linguist/generated.ts';
import { vendored } from '../snapshot/linguist/vendored.ts';
import type { FileDiff, Step } from '../snapshot/first-parent-log.ts';
import { changedLines } from './changed-lines.ts';
import type { Rejection } from './rejections.ts';

/** What counts as a test and how large a fix may be. */
export interface StepRules {
  isTest: (path: string) => boolean;
  /** Further bounds what may count as code. */
  isSource: (path: string) => boolean;
  maxFiles: number;
  /** Added and removed, in source files that people write. */
  maxLines: number;
}

/** The files of a step that may be a fix. */
export interface FixFiles {
  tests: readonly FileDiff[];
  /** All others: the gold patch. */
  gold: readonly FileDiff[];
  /** Of these, what people write: without lockfiles, generated and vendored files. */
  sources: readonly FileDiff[];
  /** Of these, what is in a programming language and no documentation. */
  code: readonly FileDiff[];
}

const madeByTools = anyOf([
  ...generatedPaths,
  ...vendored,
  /\.lock$/,
  /(^|\/)(go\.sum|dist\/.*)$/,
  /[.-]min\.([cm]?js|css)$/,
]);
const isDocumentation = anyOf([...documentation, /\.(md|mdx|markdown|rst|adoc|txt|pod|tex)$/i]);
const revert = /^revert\b[:(! ]/i;
const bot =
  /\[bot\]|^(dependabot|renovate|greenkeeper|snyk|pre-commit-ci|github-actions|semantic-release|pyup|imgbot|allcontributors|mergify|deepsource|codecov|transifex|weblate)\b/i;
const versionBump =
  /^(v?\d+(\.\d+)+(-?(alpha|beta|rc|dev|pre)[\w.-]*)?$|chore\(release\)|(release|prepare|back to|bump(s|ed)?|version)\b.*\bv?\d+(\.\d+)+)/i;
const rustTests = /#\[(cfg\(test\)|([\w:]+::)?test\b|rstest)|^@@ .*@@ .*\bmod tests?\b/m;
const lfsPointer = '+version https://git-lfs.github.com/spec/v1';

/** Parts a step into tests and gold patch, or says why it can be no fix that tests prove. Looks at nothing but the step. */
export function judgeStep(step: Step, rules: StepRules): FixFiles | Rejection {
  const [subject = ''] = step.message.split('\n', 1);
  if (step.parents.length === 0) return 'root';
  if (step.files.length === 0) return 'empty';
  if (revert.test(subject)) return 'revert';
  if (bot.test(step.author.name) || bot.test(step.author.email)) return 'bot';
  if (versionBump.test(subject)) return 'version_bump';
  if (step.files.some(({ path }) => path.includes('\uFFFD'))) return 'path_not_utf8';
  if (step.truncated) return 'too_large';
  const files = partFiles(step.files, rules);
  return objectionTo(files, step.files, rules) ?? files;
}

function partFiles(files: readonly FileDiff[], rules: StepRules): FixFiles {
  const tests = files.filter(({ path }) => rules.isTest(path));
  const gold = files.filter(({ path }) => !rules.isTest(path));
  const sources = gold.filter(({ path }) => !madeByTools(path));
  const code = sources.filter(
    ({ path, mode }) =>
      mode !== '160000' && languageOf(path) !== null && !isDocumentation(path) && rules.isSource(path),
  );
  return { tests, gold, sources, code };
}

function objectionTo(
  { tests, gold, sources, code }: FixFiles,
  all: readonly FileDiff[],
  rules: StepRules,
): Rejection | null {
  if (tests.length === 0 && code.length === 0 && all.every(({ mode }) => mode !== '160000')) {
    if (sources.length === 0) return 'lockfile_only';
    if (sources.every(({ path }) => isDocumentation(path))) return 'docs_only';
  }
  if (all.some(({ mode }) => mode === '160000')) return 'submodule';
  if (code.some(({ path, text }) => path.endsWith('.rs') && rustTests.test(text))) return 'inline_tests';
  if (tests.length === 0) return 'no_tests';
  if (tests.every(({ status }) => status === 'deleted')) return 'tests_deleted_only';
  if (code.length === 0) return 'no_code';
  if (all.some(({ mode }) => mode === '120000')) return 'symlink';
  if (all.some(({ text }) => text.includes(lfsPointer))) return 'lfs';
  if (gold.some(({ binary }) => binary)) return 'binary';
  if (sources.length > rules.maxFiles) return 'too_many_files';
  if (sources.reduce((sum, { added, removed }) => sum + added + removed, 0) > rules.maxLines) return 'too_large';
  return code.every(({ text }) => changesOnlySpace(text)) ? 'format_only' : null;
}

function changesOnlySpace(diff: string): boolean {
  const squeezed = (sign: '+' | '-') => changedLines(diff, sign).join('').replace(/\s/g, '');
  return squeezed('+') === squeezed('-');
}
