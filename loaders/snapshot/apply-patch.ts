import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { env } from 'node:process';
import { git, GitFailure } from './git.ts';

/** How a patch was applied; `problem` says why it could not be. */
export type Applied = { way: string; problem: null } | { way: null; problem: string };

/** Git on the tree that has its own repository, and on no other that lies around it. */
const inTree = (tree: string) => ({
  cwd: tree,
  config: ['core.autocrlf=false', 'core.symlinks=true', 'safe.directory=*'],
  environment: {
    GIT_DIR: `${tree}/.git`,
    GIT_WORK_TREE: tree,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  },
});

/** Applies a patch to the tree's files, exactly as it is or not at all. */
export async function applyPatch(tree: string, patch: string): Promise<Applied> {
  return byGit(tree, patch, []);
}

/**
 * Applies a patch as SWE-bench does: by git, then by way of the blobs that it names, then hunk by hunk, then by `patch` where that is
 * installed, to which `hunks` is given. Between the attempts, and when none succeeds, the tree is as it was committed.
 */
export async function applyLeniently(
  tree: string,
  { patch, hunks }: { patch: string; hunks: string },
): Promise<Applied> {
  const problems: string[] = [];
  for (const attempt of [
    () => byGit(tree, patch, []),
    () => byGit(tree, patch, ['--3way']),
    () => byGit(tree, patch, ['--reject']),
    () => byPatch(tree, hunks),
  ]) {
    const applied = await attempt();
    if (applied.problem === null) return applied;
    problems.push(applied.problem);
    await resetTree(tree);
  }
  const isThere = await byGit(tree, patch, ['--check', '--reverse']);
  return isThere.problem === null
    ? { way: 'already applied', problem: null }
    : { way: null, problem: problems.join('\n') };
}

/** What differs from the commit: changed, removed, and new, ignored or not. */
export async function changedPaths(tree: string): Promise<string[]> {
  const listings = [
    ['diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', 'HEAD'],
    ['ls-files', '--others', '-z'],
  ];
  const paths = new Set<string>();
  for (const listing of listings)
    for (const path of (await git(listing, inTree(tree))).split('\0')) if (path !== '') paths.add(path);
  return [...paths].sort();
}

/** The paths of the commit that the tree is of. */
export async function listFiles(tree: string): Promise<string[]> {
  return (await git(['ls-tree', '-r', '-z', '--name-only', 'HEAD'], inTree(tree))).split('\0').filter(Boolean);
}

/** A file as it was committed; null where the commit has none there. */
export async function committedText(tree: string, path: string): Promise<string | null> {
  try {
    return await git(['show', `HEAD:${path}`], inTree(tree));
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    return null;
  }
}

/** Which of these texts, none of more than a line, stand in some file as it was committed; binary ones are not looked at. */
export async function foundTexts(tree: string, texts: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (let start = 0; start < texts.length; start += textsAtOnce) {
    const some = texts.slice(start, start + textsAtOnce);
    const patterns = some.flatMap((text) => ['-e', text]);
    // With none found it ends with 1.
    const printed = await git(['grep', '-I', '-F', '-o', '-h', ...patterns, 'HEAD'], inTree(tree)).catch(
      (error: unknown) => {
        if (error instanceof GitFailure) return '';
        throw error;
      },
    );
    const lines = [...new Set(printed.split('\n'))];
    // Of two that stand at one place it prints the longer one.
    for (const text of some) if (lines.some((line) => line.includes(text))) found.add(text);
  }
  return found;
}

/** They go as arguments, too. */
const textsAtOnce = 100;

/** Puts these paths back as they were committed; what was not is removed. Links on the way are not followed. */
export async function restorePaths(tree: string, paths: readonly string[]): Promise<void> {
  const { environment, ...rest } = inTree(tree);
  // A path is a name here, whatever signs are in it.
  const options = { ...rest, environment: { ...environment, GIT_LITERAL_PATHSPECS: '1' } };
  for (let start = 0; start < paths.length; start += pathsAtOnce) {
    const some = paths.slice(start, start + pathsAtOnce);
    const committed = await git(['ls-tree', '-r', '-z', '--name-only', 'HEAD', '--', ...some], options);
    await git(['rm', '-r', '-f', '-q', '--cached', '--ignore-unmatch', '--', ...some], options);
    await git(['clean', '-ffdxq', '--', ...some], options);
    const back = committed.split('\0').filter((path) => path !== '');
    if (back.length > 0) await git(['checkout', '-q', '-f', 'HEAD', '--', ...back], options);
  }
}

/** Paths go as arguments, and these have an end. */
const pathsAtOnce = 500;

async function resetTree(tree: string): Promise<void> {
  await git(['reset', '--quiet', '--hard', 'HEAD'], inTree(tree));
  await git(['clean', '-ffdxq'], inTree(tree));
}

async function byGit(tree: string, patch: string, flags: readonly string[]): Promise<Applied> {
  const command = ['git', 'apply', ...flags].join(' ');
  try {
    await git(['apply', '--whitespace=nowarn', ...flags, '-'], { ...inTree(tree), input: patch });
    return { way: command, problem: null };
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    return { way: null, problem: `${command}: ${error.stderr.trim()}` };
  }
}

async function byPatch(tree: string, hunks: string): Promise<Applied> {
  const args = ['--batch', '--forward', '--fuzz=5', '-p1', '--unified', '--no-backup-if-mismatch', '--reject-file=-'];
  const child = spawn('patch', args, { cwd: tree, env: { PATH: env['PATH'], LC_ALL: 'C' }, timeout: 60_000 });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-16_384)));
  // It may end before it has read everything; its exit code says why.
  child.stdin.on('error', () => {}).end(hunks);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code === 0 ? { way: 'patch --fuzz=5', problem: null } : { way: null, problem: `patch: ${said.trim()}` };
  } catch (error) {
    // That the machine lacks it says nothing of the patch.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new Error('GNU patch is not installed, by which SWE-bench applies what git does not: install `patch`.', {
        cause: error,
      });
    return { way: null, problem: `patch: ${error instanceof Error ? error.message : String(error)}` };
  }
}
