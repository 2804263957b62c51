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

/** Where a forge shows a file of a commit, or its lines from the first to the last; null where it was cloned from none that is known. */
export function forgeLink(
  { source, commit }: { source: string; commit: string | null },
  path: string,
  lines: readonly [from: number, to: number] | null,
): string | null {
  const forge = forgeOf(source);
  if (forge === null || commit === null) return null;
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return `${forge.root}/${forge.blob}/${commit}/${encoded}${lines === null ? '' : forge.lines(...lines)}`;
}

/** Where it shows a commit; null likewise. */
export function commitLink(source: string, commit: string): string | null {
  const forge = forgeOf(source);
  return forge === null ? null : `${forge.root}/${forge.commit}/${commit}`;
}

function forgeOf(source: string) {
  const url = /^https?:/.test(source) && URL.canParse(source) ? new URL(source) : null;
  const forge = forges.find(({ host }) => url && host.test(url.hostname));
  if (!url || !forge) return null;
  return { ...forge, root: `${url.origin}${url.pathname.replace(/\/$/, '').replace(/\.git$/, '')}` };
}
