import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { clone } from './clone.ts';
import { gitDirOf } from './find-repository.ts';
import { git } from './git.ts';
import { fullNameOf, originOf } from './full-name.ts';
import { parseLocation } from './location.ts';
import { resolveCommit } from './open-commit.ts';
import { SnapshotError } from './snapshot-error.ts';

/** A repository whose history is read. */
export interface Repository {
  gitDir: string;
  /** Absolute path or URL without credentials. */
  source: string;
  commit: string;
  /** `owner/name`, by where it was cloned from; `local/FOLDER` where that is not known. */
  fullName: string;
  /** The lack of its older commits is nobody's choice. */
  shallow: boolean;
}

/** Opens a git repository, by path or URL; throws SnapshotError with a sentence for the person who named it. */
export async function openRepository(
  pathOrUrl: string,
  options: { ref?: string; cloneFolder: string; onProgress?: (line: string) => void; signal?: AbortSignal },
): Promise<Repository> {
  const { ref = null, cloneFolder, onProgress, signal } = options;
  const location = parseLocation(pathOrUrl);
  const source = location.kind === 'url' ? location.url : resolve(location.path);
  const gitDir =
    location.kind === 'url'
      ? await clone({
          ...location,
          folder: resolve(cloneFolder),
          ...(onProgress ? { onProgress } : {}),
          ...(signal ? { signal } : {}),
        })
      : await gitDirAt(source);
  return {
    gitDir,
    source,
    commit: await resolveCommit(gitDir, source, ref),
    fullName: fullNameOf(location.kind === 'url' ? source : await originOf(gitDir), source),
    shallow: (await git(['rev-parse', '--is-shallow-repository'], { gitDir })).trim() === 'true',
  };
}

async function gitDirAt(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw new SnapshotError('not_found', `${folder} is no folder: check the path.`);
  const gitDir = await gitDirOf(folder);
  if (gitDir === null)
    throw new SnapshotError('not_a_repository', `${folder} is no git repository: it has no history.`);
  return gitDir;
}
