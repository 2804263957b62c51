import { findRepository, gitDirOf } from './find-repository.ts';
import { git, GitFailure, gitStream, nulSeparated } from './git.ts';
import { resolveCommit } from './open-commit.ts';
import { openRepository } from './open-repository.ts';
import { SnapshotError } from './snapshot-error.ts';

/** More files are compared in no change. */
export const maxChangedFiles = 5_000;

/** A file that two commits have differently. */
export interface ChangedFile {
  path: string;
  /** What it was called before; null where it has its name still, or is new. */
  oldPath: string | null;
  status: 'added' | 'removed' | 'changed' | 'renamed';
}

/** Two commits of one repository, the second later than the first. */
export interface CommitRange {
  /** The repository's root. */
  root: string;
  /** What is compared: the base itself, or where both sides parted from each other. */
  base: string;
  head: string;
  /** By path. */
  files: readonly ChangedFile[];
  /** A sentence each, on what is compared and what is not. */
  notes: readonly string[];
}

/**
 * Reads `BASE..HEAD` (or `BASE...HEAD`, or `BASE` alone for what led from there to HEAD) in the repository around a folder. Where the
 * base has commits that the head has not, both are compared from where they parted, as forges do. Throws SnapshotError.
 */
export async function openRange(folder: string, range: string): Promise<CommitRange> {
  // A bare one may lie within another repository.
  const root = (await gitDirOf(folder)) === null ? ((await findRepository(folder)) ?? folder) : folder;
  // No name of a commit has two dots in it.
  const [wantedBase = '', wantedHead = ''] = range.split(/\.\.\.?/, 2);
  const { gitDir, commit: head, shallow } = await openRepository(root, refOr(wantedHead || 'HEAD'));
  const named = await resolveCommit(gitDir, root, wantedBase).catch((error: unknown) => {
    throw shallow && error instanceof SnapshotError && error.code === 'not_found' ? isShallow(root, wantedBase) : error;
  });
  const notes = await workTreeNotes(root, wantedHead || 'HEAD');
  const base = await parting(gitDir, named, head);
  if (base === null && shallow) throw isShallow(root, `the commits that lead to ${wantedBase}`);
  if (base === null)
    throw new SnapshotError(
      'not_found',
      `${wantedBase} and ${wantedHead || 'HEAD'} have no commit in common, so nothing led from one to the other: name two commits of one history.`,
    );
  if (base === head && named !== head)
    throw new SnapshotError(
      'not_found',
      `${wantedBase} comes after ${wantedHead || 'HEAD'}: say ${wantedHead || 'HEAD'}..${wantedBase}.`,
    );
  if (base !== named)
    notes.push(
      `${wantedBase} has commits that ${wantedHead || 'HEAD'} has not: it is compared from ${base.slice(0, 10)}, where they parted.`,
    );
  const files = await changedFiles(gitDir, base, head).catch((error: unknown) => {
    if (!(error instanceof GitFailure)) throw error;
    notes.push('Some contents are missing in this clone, so renamed files are not followed.');
    return changedFiles(gitDir, base, head, '--no-renames');
  });
  return { root, base, head, files, notes };
}

const refOr = (ref: string) => ({ cloneFolder: '', ...(ref === 'HEAD' ? {} : { ref }) });

const isShallow = (root: string, what: string) =>
  new SnapshotError(
    'not_found',
    `${root} is a shallow clone that lacks ${what}: \`git fetch --unshallow\` brings it (in a GitHub workflow \`fetch-depth: 0\`, in GitLab's \`GIT_DEPTH: 0\`).`,
  );

/** The commit from which both come; null where there is none. */
async function parting(gitDir: string, base: string, head: string): Promise<string | null> {
  try {
    return (await git(['merge-base', base, head], { gitDir })).split('\n')[0] || null;
  } catch (error) {
    if (error instanceof GitFailure && error.exitCode === 1) return null;
    throw error;
  }
}

/** What lies in the work tree and is compared with nothing. */
async function workTreeNotes(root: string, head: string): Promise<string[]> {
  if (head !== 'HEAD') return [];
  const options = { cwd: root, config: [`safe.directory=${root}`] };
  // Neither of them reads a file's content, which could start a filter.
  const unmerged = await git(['ls-files', '--unmerged', '-z'], options).catch(() => '');
  if (unmerged !== '')
    return ['A merge with conflicts is under way: what is compared was committed before it, so end it and ask again.'];
  const listed = await Promise.all(
    [
      ['diff-files', '--name-only', '-z'],
      ['diff-index', '--cached', '--name-only', '-z', 'HEAD'],
    ].map((args) => git(args, options).catch(() => '')),
  );
  const paths = new Set(listed.flatMap((text) => text.split('\0').filter(Boolean)));
  return paths.size === 0
    ? []
    : [
        `${paths.size === 1 ? '1 file is' : `${paths.size} files are`} changed and not committed: that is no part of it.`,
      ];
}

/** Throws for more than `maxChangedFiles`. */
async function changedFiles(
  gitDir: string,
  base: string,
  head: string,
  renames: '-M' | '--no-renames' = '-M',
): Promise<ChangedFile[]> {
  const args = ['diff', '--name-status', '-z', renames, '--no-ext-diff', '--no-textconv', base, head];
  const tokens: string[] = [];
  for await (const some of nulSeparated(gitStream(args, { gitDir }))) tokens.push(...some.map(String));
  const files: ChangedFile[] = [];
  for (let at = 0; at < tokens.length;) {
    const letter = tokens[at]?.[0] ?? '';
    const isRename = letter === 'R';
    const oldPath = isRename ? (tokens[at + 1] ?? null) : null;
    const path = tokens[at + (isRename ? 2 : 1)] ?? '';
    at += isRename ? 3 : 2;
    const status = isRename ? 'renamed' : letter === 'A' ? 'added' : letter === 'D' ? 'removed' : 'changed';
    files.push({ path, oldPath, status });
  }
  if (files.length > maxChangedFiles)
    throw new SnapshotError(
      'too_large',
      `${files.length} files differ, and at most ${maxChangedFiles} are compared: choose a base that is nearer.`,
    );
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
