import { git } from './git.ts';
import { repositoryName } from './location.ts';

/** What git's settings say of where a repository is from. */
export interface Remotes {
  /** Where it was cloned from; empty where that is not known. */
  origin: string;
  /** It lacks contents that are fetched when they are needed. */
  isPartial: boolean;
}

export async function remotesOf(gitDir: string): Promise<Remotes> {
  const asked = String.raw`^(remote\.origin\.url|remote\..*\.promisor|extensions\.partialclone)$`;
  // It ends with 1 where there is none of them.
  const told = await git(['config', '-z', '--get-regexp', asked], { gitDir }).catch(() => '');
  const settings = told.split('\0').filter(Boolean);
  // One that has no value has no end of line either.
  const isOrigin = (setting: string) => /^remote\.origin\.url(\n|$)/.test(setting);
  const url = settings.findLast(isOrigin)?.replace(/^.*\n?/, '') ?? '';
  return {
    origin: url.trim(),
    isPartial: settings.some((setting) => !isOrigin(setting)),
  };
}

export const originOf = async (gitDir: string): Promise<string> => (await remotesOf(gitDir)).origin;

/** `owner/name`, the last two parts of a forge's address; `local/FOLDER` where there is none: an owner is no folder of this machine. */
export function fullNameOf(url: string, source: string): string {
  // Bounded: an address that who loads has given, or git's own settings; neither is in what is cloned.
  const [, owner, name] = /^(?:\w+:\/\/|[\w.-]+@[\w.-]+:).*?([^/:]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ?? [];
  const isForge = owner !== undefined && !url.startsWith('file:');
  return isForge ? `${owner}/${name}` : `local/${repositoryName(source)}`;
}
