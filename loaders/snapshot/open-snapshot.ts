import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { clone } from './clone.ts';
import { gitDirOf } from './find-repository.ts';
import { fullNameOf, remotesOf } from './full-name.ts';
import { parseLocation, repositoryName } from './location.ts';
import type { Credentials } from './location.ts';
import { openCommit } from './open-commit.ts';
import { openFolder } from './open-folder.ts';
import type { OpenSnapshot } from './snapshot.ts';
import { SnapshotError } from './snapshot-error.ts';

/** Larger files are left out, unless told. */
export const largestFile = 5_000_000;

/** How a snapshot is opened. */
export interface OpenOptions {
  /** Branch, tag or commit; HEAD by default. Never for a folder without git. */
  ref?: string;
  /** By default the last part of the path or URL. */
  name?: string;
  /** Where URLs are cloned to, and fetched again the next time; required for a URL. */
  cloneFolder?: string;
  /** A URL may lead nowhere but to the public internet, and no path is opened. */
  publicOnly?: boolean | undefined;
  /** For a URL that names none itself. */
  credentials?: Credentials | null | undefined;
  /** Larger files are left out. */
  maxFileBytes?: number;
  /** Git's own progress, line by line, while it clones or fetches. */
  onProgress?: (line: string) => void;
  /** Silence after which a clone or fetch counts as hanging; 120 s by default. */
  idleMs?: number;
  signal?: AbortSignal;
}

/** Opens a repository at one commit, or a folder as it is; throws SnapshotError with a sentence for the person who named it. */
export async function openSnapshot(pathOrUrl: string, options: OpenOptions = {}): Promise<OpenSnapshot> {
  const location = parseLocation(pathOrUrl);
  const maxFileBytes = options.maxFileBytes ?? largestFile;
  const ref = options.ref ?? null;
  if (location.kind === 'url') {
    const { url } = location;
    const credentials = location.credentials ?? options.credentials ?? null;
    if (options.cloneFolder === undefined)
      throw new SnapshotError('clone_failed', `${url} needs a folder to be cloned into: name one.`);
    const { onProgress, idleMs, signal } = options;
    const gitDir = await clone({
      url,
      credentials,
      publicOnly: options.publicOnly,
      folder: resolve(options.cloneFolder),
      ...(onProgress ? { onProgress } : {}),
      ...(idleMs === undefined ? {} : { idleMs }),
      ...(signal ? { signal } : {}),
    });
    const fullName = fullNameOf(url, url);
    return openCommit({ gitDir, source: url, fullName, name: options.name ?? repositoryName(url), ref, maxFileBytes });
  }
  if (options.publicOnly)
    throw new SnapshotError('clone_failed', `${pathOrUrl} is not read: it must begin with https://.`);
  const source = resolve(location.path);
  await mustBeFolder(source);
  const name = options.name ?? repositoryName(source);
  const gitDir = await gitDirOf(source);
  if (gitDir !== null) {
    const remotes = await remotesOf(gitDir);
    const fullName = fullNameOf(remotes.origin, source);
    return openCommit({ gitDir, source, fullName, name, ref, maxFileBytes, remotes });
  }
  if (ref !== null)
    throw new SnapshotError('not_found', `${source} is no git repository, so it has no ${ref}: leave the ref out.`);
  return openFolder({ folder: source, fullName: fullNameOf('', source), name, maxFileBytes });
}

async function mustBeFolder(path: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) return;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new SnapshotError('not_found', `${path} does not exist: check the path.`, { cause: error });
    throw new SnapshotError('unreadable', `${path} can't be read (${String(code)}): check its permissions.`, {
      cause: error,
    });
  }
  throw new SnapshotError('not_a_repository', `${path} is a file: name the folder of the repository.`);
}
