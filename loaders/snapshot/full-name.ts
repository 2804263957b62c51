import { git } from './git.ts';
import { repositoryName } from './location.ts';

/** Where a repository was cloned from; empty where that is not known. */
export async function originOf(gitDir: string): Promise<string> {
  return git(['config', '--get', 'remote.origin.url'], { gitDir }).then(
    (url) => url.trim(),
    () => '',
  );
}

/** `owner/name`, the last two parts of a forge's address; `local/FOLDER` where there is none: an owner is no folder of this machine. */
export function fullNameOf(url: string, source: string): string {
  // Bounded: an address that who loads has given, or git's own settings; neither is in what is cloned.
  const [, owner, name] = /^(?:\w+:\/\/|[\w.-]+@[\w.-]+:).*?([^/:]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ?? [];
  const isForge = owner !== undefined && !url.startsWith('file:');
  return isForge ? `${owner}/${name}` : `local/${repositoryName(source)}`;
}
