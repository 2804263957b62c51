import type { Rejection } from '../../src/model/rejections.ts';
import type { FileDiff, Step } from '../snapshot/first-parent-log.ts';
import { changedLines } from './changed-lines.ts';
import type { PathKind } from './path-kinds.ts';

/** What counts as what, and how large a fix may be. */
export interface StepRules {
  kindOf: (path: string) => PathKind;
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

function partFiles(files: readonly FileDiff[], { kindOf }: StepRules): FixFiles {
  const gold = files.filter(({ path }) => kindOf(path) !== 'test');
  return {
    tests: files.filter(({ path }) => kindOf(path) === 'test'),
    gold,
    sources: gold.filter(({ path }) => kindOf(path) !== 'made_by_tools'),
    code: gold.filter(({ path, mode }) => kindOf(path) === 'code' && mode !== '160000'),
  };
}

function objectionTo(
  { tests, gold, sources, code }: FixFiles,
  all: readonly FileDiff[],
  rules: StepRules,
): Rejection | null {
  if (tests.length === 0 && code.length === 0 && all.every(({ mode }) => mode !== '160000')) {
    if (sources.length === 0) return 'lockfile_only';
    if (sources.every(({ path }) => rules.kindOf(path) === 'documentation')) return 'docs_only';
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
  const squeezed = (text: string) => text.replace(/\s+/g, '');
  // Nearly always the first words tell.
  const firstHunk = diff.indexOf('\n@@ ');
  const first = (sign: '\n-' | '\n+') => {
    const at = diff.indexOf(sign, firstHunk);
    return at === -1 ? '' : squeezed(diff.slice(at + sign.length, diff.indexOf('\n', at + 1)));
  };
  const [removed, added] = [first('\n-'), first('\n+')];
  if (!removed.startsWith(added) && !added.startsWith(removed)) return false;
  return squeezed(changedLines(diff, '-').join('')) === squeezed(changedLines(diff, '+').join(''));
}
