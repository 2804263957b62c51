/** How forges show lines of a file, by what their hosts are called. */
const forges = [
  {
    host: /(^|\.)github\./,
    blob: 'blob',
    commit: 'commit',
    lines: (from: number, to: number) => `#L${from}${to > from ? `-L${to}` : ''}`,
  },
  {
    host: /(^|\.)gitlab\./,
    blob: '-/blob',
    commit: '-/commit',
    lines: (from: number, to: number) => `#L${from}${to > from ? `-${to}` : ''}`,
  },
  {
    host: /(^|\.)bitbucket\.org$/,
    blob: 'src',
    commit: 'commits',
    lines: (from: number, to: number) => `#lines-${from}${to > from ? `:${to}` : ''}`,
  },
  {
    host: /(^|\.)(codeberg\.org|gitea\.|forgejo\.)/,
    blob: 'src/commit',
    commit: 'commit',
    lines: (from: number, to: number) => `#L${from}${to > from ? `-L${to}` : ''}`,
  },
];

/** Where a repository was read from, and its page on the forge that it was cloned from, where that is known. */
interface Place {
  source: string;
  forge?: string | undefined;
}

/** Where a forge shows a file of a commit, or its lines from the first to the last; null where it was cloned from none that is known. */
export function forgeLink(
  { commit, ...place }: Place & { commit: string | null },
  path: string,
  lines: readonly [from: number, to: number] | null,
): string | null {
  const forge = forgeOf(place);
  if (forge === null || commit === null) return null;
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return `${forge.root}/${forge.blob}/${commit}/${encoded}${lines === null ? '' : forge.lines(...lines)}`;
}

/** Where it shows a commit; null likewise. */
export function commitLink(place: Place, commit: string): string | null {
  const forge = forgeOf(place);
  return forge === null ? null : `${forge.root}/${forge.commit}/${commit}`;
}

function forgeOf({ source, forge: page }: Place) {
  const root = page ?? forgePage(source);
  const forge = root === null ? undefined : forges.find(({ host }) => host.test(new URL(root).hostname));
  return root === null || forge === undefined ? null : { ...forge, root };
}

/**
 * The page of a repository on a known forge, by where it is cloned from: `https://`, `http://`, `ssh://` and `git://`, or `user@host:path`,
 * of a host that the list above has and with an owner and a name. Users, passwords, tokens and ports of SSH are no part of it. Null for
 * anything else: a path, an alias of a host, a host that nobody knows.
 */
export function forgePage(remote: string): string | null {
  // Bounded: one line of git's own settings, or an address that who loads has given.
  const scp = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)\/?(.+)$/.exec(remote);
  const address = scp ? `ssh://${scp[1]}/${scp[2]}` : remote;
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, host, pathname } = new URL(address);
  if (!['https:', 'http:', 'ssh:', 'git:'].includes(protocol)) return null;
  const isWeb = protocol === 'https:' || protocol === 'http:';
  // GitHub's name for SSH where its port is closed.
  const name = (isWeb ? host : hostname).replace(/^ssh\.(?=github\.)/, '');
  const path = pathname.replace(/\/$/, '').replace(/\.git$/, '');
  if (!/^(?:\/[^/]+){2,}$/.test(path) || !forges.some((forge) => forge.host.test(name.replace(/:\d+$/, ''))))
    return null;
  return `${isWeb ? protocol : 'https:'}//${name}${path}`;
}
