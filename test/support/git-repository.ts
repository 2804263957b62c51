import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a file becomes: text or bytes, a symlink or an executable; null removes it. */
export type FileContent = string | Uint8Array | { symlink: string } | { executable: string } | null;

interface CommitOptions {
  /** Written before the commit. */
  files?: Record<string, FileContent>;
  author?: { name: string; email: string };
  /** RFC 3339; by default one minute after the commit before, from 2024-01-01. */
  date?: string;
}

/** A git repository on disk, made by real `git commit`s with fixed dates, so that its commit ids are the same in every run. */
export interface GitRepository extends Disposable {
  /** Root of the work tree. */
  readonly path: string;
  /** Writes without committing. */
  write(files: Record<string, FileContent>): void;
  /** Commits all that is in the work tree; gives the commit's id. */
  commit(message: string, options?: CommitOptions): string;
  /** Commits what is staged, at this time. */
  commitStaged(message: string, date: string): void;
  /** Runs git in the repository; gives what it printed. */
  git(...args: string[]): string;
  /** Removes it from disk. */
  remove(): void;
}

const ann = { name: 'Ann Author', email: 'ann@example.com' };

/** Writes files under a folder, with the folders they need. */
export function writeFiles(root: string, files: Record<string, FileContent>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    rmSync(path, { recursive: true, force: true });
    if (content === null) continue;
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(path, content);
    else if ('symlink' in content) symlinkSync(content.symlink, path);
    else {
      writeFileSync(path, content.executable);
      chmodSync(path, 0o755);
    }
  }
}

/** A new empty folder outside every repository. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'repo-intel-test-'));
}

/** Makes a repository on branch `main` in a new folder; with `files`, they are its first commit. */
export function gitRepository(
  options: { name?: string; files?: Record<string, FileContent>; init?: string[] } = {},
): GitRepository {
  const folder = temporaryFolder();
  const path = join(folder, options.name ?? 'repository');
  let clock = Date.parse('2024-01-01T00:00:00Z');
  const run = (args: string[], env: Record<string, string> = {}) =>
    execFileSync('git', args, {
      cwd: path,
      env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C', ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
    });
  const commitStaged = (message: string, date: string, author = ann) =>
    void run(
      [
        '-c',
        'core.quotePath=false',
        'commit',
        '--quiet',
        '--allow-empty',
        '--allow-empty-message',
        '--no-gpg-sign',
        '-m',
        message,
      ],
      {
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: author.name,
        GIT_COMMITTER_EMAIL: author.email,
        GIT_COMMITTER_DATE: date,
      },
    );
  const repository: GitRepository = {
    path,
    write: (files) => writeFiles(path, files),
    commit(message, { files = {}, author = ann, date = new Date((clock += 60_000)).toISOString() } = {}) {
      writeFiles(path, files);
      run(['add', '--all', '--force']);
      commitStaged(message, date, author);
      return run(['rev-parse', 'HEAD']).trim();
    },
    commitStaged,
    git: (...args) =>
      run(args, {
        GIT_AUTHOR_NAME: ann.name,
        GIT_AUTHOR_EMAIL: ann.email,
        GIT_COMMITTER_NAME: ann.name,
        GIT_COMMITTER_EMAIL: ann.email,
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
  mkdirSync(path, { recursive: true });
  run(['init', '--quiet', '--initial-branch=main', ...(options.init ?? [])]);
  if (options.files) repository.commit('Begin', { files: options.files });
  return repository;
}
