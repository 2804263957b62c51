import { createHash } from 'node:crypto';
import { cp, lstat, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { mustBelongTo } from './git-dir-owner.ts';
import { git, GitFailure } from './git.ts';
import { fullNameOf, originOf } from './full-name.ts';
import { largestFile } from './open-snapshot.ts';

/** What lies in a work tree and is not committed, as the commit that would be made of it. */
export interface WorkingTree {
  /** A bare repository beside the real one: that commit is its HEAD, on the same branch, and it has all other refs as well. */
  gitDir: string;
  /** The commit: its parent is `head`, its tree what git would commit, ignored files left out. The same tree gives the same id. */
  commit: string;
  head: string;
  /** How many files differ from `head`. */
  files: number;
  /** `owner/name` of the real one. */
  fullName: string;
  close(): Promise<void>;
}

/** What decides how files become blobs and where objects are. Nothing here names a program. */
const kept =
  /^(core\.(filemode|ignorecase|symlinks|precomposeunicode|autocrlf|eol|excludesfile)|remote\..*\.(url|promisor)|extensions\.(partialclone|objectformat))$/i;

/** A work tree at a glance: no file of it is read. */
export interface Glance {
  /** The commit that is checked out. */
  head: string;
  /** Another text whenever what is not committed may be other than it was; null where nothing is. */
  stamp: string | null;
}

/**
 * What git is asked at each question. It starts the three itself: to start one from a process that holds much memory takes three
 * times as long as git does for its answer.
 */
const looks = [
  'git rev-parse --verify --quiet HEAD',
  'git diff-index --name-only -z --ignore-submodules=all HEAD',
  'git ls-files --others --exclude-standard -z',
].join(' && ');

/** Null where there is no commit. */
export async function lookAtWorkTree(root: string): Promise<Glance | null> {
  try {
    const seen = await git(['look'], { cwd: root, config: [`safe.directory=${root}`, `alias.look=!${looks}`] });
    const head = seen.slice(0, seen.indexOf('\n'));
    const paths = seen
      .slice(head.length + 1)
      .split('\0')
      .filter(Boolean);
    return { head, stamp: paths.length === 0 ? null : await stampOf(root, [head, ...paths]) };
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  }
}

async function stampOf(root: string, [head = '', ...paths]: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(head);
  for (const path of paths) {
    const found = await lstat(join(root, path), { bigint: true }).catch(() => null);
    hash.update(
      `${path}\0${found ? [found.mode, found.size, found.mtimeNs, found.ctimeNs, found.ino].join(' ') : ''}\0`,
    );
  }
  return hash.digest('hex');
}

/**
 * Makes that commit in a temporary repository, which has what is in the real one by reference: this one stays as it is, and what its
 * settings name is not run. Null where nothing differs from HEAD, or there is no commit. Throws GitFailure.
 */
export async function openWorkingTree(root: string): Promise<WorkingTree | null> {
  const real = { cwd: root, config: [`safe.directory=${root}`] };
  const ask = async (...args: string[]) => (await git(args, real)).replace(/\n$/, '');
  const head = await ask('rev-parse', '--verify', '--quiet', 'HEAD').catch(() => null);
  if (head === null) return null;
  const realGitDir = await ask('rev-parse', '--absolute-git-dir');
  await mustBelongTo(root, realGitDir);
  const gitDir = await mkdtemp(join(tmpdir(), 'repo-intel-tree-'));
  const close = () => rm(gitDir, { recursive: true, force: true });
  try {
    await makeBeside({ gitDir, root, head, ask });
    const tree = await treeOfFiles(gitDir, root);
    const changed = await git(['diff-tree', '-r', '--name-only', '--no-renames', '-z', head, tree], { gitDir });
    const files = changed.split('\0').length - 1;
    if (files === 0) {
      await close();
      return null;
    }
    const commit = await commitOf(gitDir, { tree, head, ask });
    const branch = await ask('symbolic-ref', '--quiet', 'HEAD').catch(() => null);
    if (branch === null) await writeFile(join(gitDir, 'HEAD'), `${commit}\n`);
    else await git(['update-ref', branch, commit], { gitDir });
    return { gitDir, commit, head, files, fullName: fullNameOf(await originOf(gitDir), root), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeBeside({
  gitDir,
  root,
  head,
  ask,
}: {
  gitDir: string;
  root: string;
  head: string;
  ask: (...args: string[]) => Promise<string>;
}): Promise<void> {
  const names = ['objects', 'index', 'info/exclude', 'shallow', 'config'];
  const [objects = '', index = '', exclude = '', shallow = '', config = ''] = (
    await ask('rev-parse', ...names.flatMap((name) => ['--git-path', name]))
  )
    .split('\n')
    .map((path) => resolve(root, path));
  const [refs, settings, branch] = await Promise.all([
    ask('for-each-ref', '--format=%(objectname) %(refname)'),
    git(['config', '--file', config, '--list', '-z']).catch(() => ''),
    ask('symbolic-ref', '--quiet', 'HEAD').catch(() => null),
    mkdir(join(gitDir, 'objects', 'info'), { recursive: true }),
    mkdir(join(gitDir, 'refs')),
    mkdir(join(gitDir, 'info')),
  ]);
  await Promise.all([
    writeFile(join(gitDir, 'HEAD'), branch === null ? `${head}\n` : `ref: ${branch}\n`),
    writeFile(join(gitDir, 'objects', 'info', 'alternates'), `${objects}\n`),
    writeFile(join(gitDir, 'packed-refs'), refs === '' ? '' : `# pack-refs with: unpeeled\n${refs}\n`),
    writeFile(join(gitDir, 'config'), '[core]\n\trepositoryformatversion = 1\n\tbare = true\n'),
    // It knows which files did not change since, so that only others are read.
    copyIfThere(index, join(gitDir, 'index')),
    copyIfThere(exclude, join(gitDir, 'info', 'exclude')),
    copyIfThere(shallow, join(gitDir, 'shallow')),
  ]);
  const own = join(gitDir, 'config');
  for (const setting of settings.split('\0')) {
    const [name = '', value] = setting.split(/\n([^]*)/);
    if (kept.test(name)) await git(['config', '--file', own, '--add', name, value ?? 'true']);
  }
}

/** The tree of what git would commit of these files. Submodules stay as they are: to look into one would run what its settings name. */
async function treeOfFiles(gitDir: string, root: string): Promise<string> {
  const options = {
    cwd: root,
    environment: { GIT_DIR: gitDir, GIT_WORK_TREE: root },
    // What is made here is thrown away soon.
    config: ['core.bare=false', 'core.looseCompression=0'],
  };
  const list = async (...args: string[]) => (await git([...args, '-z'], options)).split('\0').filter(Boolean);
  const differing = () => list('diff-files', '--name-only', '--ignore-submodules=all');
  const changed = await differing().catch(async (error: unknown) => {
    if (!(error instanceof GitFailure)) throw error;
    // The index is in parts that lie elsewhere, or is damaged: all files are read.
    await rm(join(gitDir, 'index'), { force: true });
    await git(['read-tree', 'HEAD'], options);
    return differing();
  });
  for (const path of await list('ls-files', '--others', '--exclude-standard')) {
    // A repository within is listed as a folder.
    const found = path.endsWith('/') ? null : await lstat(join(root, path)).catch(() => null);
    // Nobody reads a larger one, and git would take long to store it.
    if (found && found.size <= largestFile) changed.push(path);
  }
  await git(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], {
    ...options,
    input: changed.join('\0'),
  });
  return (await git(['write-tree'], options)).trim();
}

/** By whom commits here are made, and at the time of the one before, so that the same tree is the same commit. */
async function commitOf(
  gitDir: string,
  { tree, head, ask }: { tree: string; head: string; ask: (...args: string[]) => Promise<string> },
): Promise<string> {
  const format = ['%an', '%ae', '%ct'].join('%n');
  const [author = '', address = '', at = '0'] = (
    await git(['show', '-s', `--format=${format}`, head], { gitDir })
  ).split('\n');
  const [name, email] = await Promise.all(
    ['user.name', 'user.email'].map((setting) => ask('config', '--get', setting).catch(() => '')),
  );
  const isKnown = Boolean(name && email);
  const person = {
    name: isKnown ? (name ?? '') : author,
    email: isKnown ? (email ?? '') : address,
    date: `${at} +0000`,
  };
  const environment = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      Object.entries(person).map(([part, value]) => [`GIT_${role}_${part.toUpperCase()}`, value]),
    ),
  );
  const made = await git(['commit-tree', tree, '-p', head, '-m', 'Working tree'], { gitDir, environment });
  return made.trim();
}

const copyIfThere = (from: string, to: string) =>
  // An index's own time says of which files it can't be sure.
  cp(from, to, { preserveTimestamps: true }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  });

/** For who says it: `with 3 uncommitted files`. */
export const uncommitted = (files: number): string =>
  files === 1 ? 'with 1 uncommitted file' : `with ${files} uncommitted files`;
