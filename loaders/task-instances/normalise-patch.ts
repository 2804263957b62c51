import type { ProvenTask } from '../../src/model/task-instance.ts';
import { isTestFile } from './is-test-file.ts';
import { patchPaths, patchSections } from './patch-sections.ts';

/** Files that no repository has and that code reads before any test: a solution that brings one does not want to be tested. */
const plantedInRunner: readonly RegExp[] = [
  /(^|\/)(site|user)customize\.py$/,
  // `python -m` looks in the working folder first.
  /^(_?pytest|pluggy|unittest)(\.py|\/)/,
];

/** Files that decide which tests run, how, and what is told of them; a solution has no business there. */
const runnerControl: readonly RegExp[] = [
  ...plantedInRunner,
  /(^|\/)(conftest\.py|\.?pytest\.(ini|toml)|tox\.ini|setup\.cfg|noxfile\.py|[^/]+\.pth)$/,
  // Plugins make themselves known there.
  /(^|\/)[^/]+\.(egg|dist)-info\//,
  /(^|\/)((jest|vitest|vite)\.(config|workspace|setup)\.[^/]+|\.mocharc[^/]*|karma\.conf[^/]*|\.npmrc|\.yarnrc[^/]*|\.pnp\.[^/]+)$/,
  /(^|\/)(package\.json|pyproject\.toml|Cargo\.toml|build\.rs|pom\.xml|(build|settings)\.gradle(\.kts)?)$/,
  /(^|\/)(\.cargo|\.mvn|\.github|node_modules|site-packages|\.venv|venv)\//,
];

/** Whether a path that a solution may not change serves nothing but to change how it is tested. */
export const isPlantedInRunner = (path: string): boolean => plantedInRunner.some((form) => form.test(path));

/** A patch without what it may not change. */
export interface NormalisedPatch {
  patch: string;
  /** The same for programs that know less of patches than git does. */
  hunks: string;
  dropped_paths: string[];
  /** Why it is not applied at all, in a sentence; null where it may be. */
  problem: string | null;
}

type Instance = Pick<ProvenTask, 'patch' | 'test_patch' | 'environment'>;

/**
 * Whether a solution of this instance may change a path: no tests, and nothing that controls how they are run, unless the gold
 * patch does it too.
 */
export function mayChange({ patch, test_patch: testPatch, environment }: Instance): (path: string) => boolean {
  const [gold, tests] = [new Set(patchPaths(patch)), new Set(patchPaths(testPatch))];
  const words = environment.test_cmd.split(/[\s;&|"'=]+/).map((word) => word.replace(/^\.\//, ''));
  const inCommand = new Set(words.includes('make') ? [...words, 'Makefile', 'makefile', 'GNUmakefile'] : words);
  return (path) => {
    if (tests.has(path)) return false;
    if (gold.has(path)) return true;
    return !inCommand.has(path) && !isTestFile(path) && !runnerControl.some((form) => form.test(path));
  };
}

/** Takes out of a model's patch what it may not change; what leaves the tree makes the whole patch void. */
export function normalisePatch(patch: string, instance: Instance): NormalisedPatch {
  const isAllowed = mayChange(instance);
  const gold = new Set(patchSections(instance.patch).map(({ text }) => text));
  const kept: { text: string; hunks: string }[] = [];
  const dropped = new Set<string>();
  let problem: string | null = null;
  for (const section of patchSections(patch)) {
    const { text, hunks, paths, modes } = section;
    const forbidden = paths.filter((path) => !isAllowed(path));
    const outside = paths.find(isOutside);
    if (outside !== undefined) problem ??= `It names ${JSON.stringify(outside)}, which is no path in the tree.`;
    if (modes.some(isNoFile) && !gold.has(text) && forbidden.length === 0)
      problem ??= `It makes ${JSON.stringify(paths[0] ?? '')} a symbolic link or a submodule.`;
    if (forbidden.length > 0) for (const path of forbidden) dropped.add(path);
    else kept.push({ text, hunks });
  }
  if (kept.length === 0 && dropped.size === 0) problem ??= 'There is no patch in it.';
  return {
    patch: kept.map(({ text }) => text).join(''),
    hunks: kept.map(({ hunks }) => hunks).join(''),
    dropped_paths: [...dropped].sort(),
    problem,
  };
}

const isOutside = (path: string) =>
  path.startsWith('/') || path.split('/').some((part) => part === '..' || part.toLowerCase() === '.git');

const isNoFile = (mode: string) => mode === '120000' || mode === '160000';
