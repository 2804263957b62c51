import { SnapshotError } from './snapshot-error.ts';

/** Where a repository is, as the person wrote it: on this machine, or at a URL whose secrets are kept apart. */
export type Location =
  | { kind: 'path'; path: string }
  /** `url` holds no secret and may be shown. */
  | { kind: 'url'; url: string; credentials: Credentials | null };

export interface Credentials {
  username: string;
  password: string;
}

const protocols = new Set(['https:', 'http:', 'ssh:', 'git:', 'file:']);
const scpLike = /^[\w.-]+@[\w.-]+:(?!\/\/).+$/;

/** Tells a URL (`https://…`, `git@host:owner/name`) from a path. */
export function parseLocation(text: string): Location {
  // An unset variable in a script, and never the folder that one stands in.
  if (text.trim() === '') throw new SnapshotError('not_found', 'The path is empty: name a folder or a URL.');
  if (scpLike.test(text)) return { kind: 'url', url: text, credentials: null };
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return { kind: 'path', path: text };
  const url = URL.parse(text);
  if (url === null)
    throw new SnapshotError(
      'not_found',
      'This is no valid URL: write it as https://host/owner/name or git@host:owner/name.',
    );
  if (!protocols.has(url.protocol))
    throw new SnapshotError(
      'not_found',
      `Repositories can't be read over ${url.protocol.slice(0, -1)}: use https, ssh, git or file.`,
    );
  const { username, password } = url;
  // Over ssh the name belongs to the address (`git@`), and there is no password to give.
  const isSecret = url.protocol !== 'ssh:' && (username !== '' || password !== '');
  if (url.protocol !== 'ssh:') url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return {
    kind: 'url',
    url: url.href.replace(/\/$/, ''),
    credentials: isSecret ? { username: decodeURIComponent(username), password: decodeURIComponent(password) } : null,
  };
}

/** The name that people would call it by: the last part of its path, fit for an id (no `/`, no `#`). */
export function repositoryName(pathOrUrl: string): string {
  const parts = pathOrUrl.split(/[/\\:]/).filter(Boolean);
  if (parts.at(-1) === '.git') parts.pop();
  const name = (parts.at(-1) ?? '').replace(/\.git$/, '').replace(/[#\s\p{Cc}]+/gu, '-');
  return name === '' || name === '.' || name === '..' ? 'repository' : name;
}
