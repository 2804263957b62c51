import { useState } from 'preact/hooks';
import type { SourceAnswer } from '../../../source/routes.ts';
import { hrefOf, navigate, useLocation } from '../router.ts';
import { rangeText } from './address.ts';
import type { LineRange } from './address.ts';

/** Where the code lies, folder by folder, with what can be done with it; it stays in sight above the code. */
export function CodeBar({
  repository,
  path,
  lines,
  source,
  withBlame,
}: {
  repository: string;
  path: string;
  /** Those that are spoken of. */
  lines: LineRange | null;
  /** Null until it is known. */
  source: SourceAnswer | null;
  withBlame: boolean;
}) {
  const { query } = useLocation();
  const url = source?.url ?? null;
  const folders = path.split('/').slice(0, -1);
  const at = lines === null ? '' : `:${rangeText(lines)}`;
  return (
    <div class="row where">
      <nav aria-label="Where this is">
        <a href={hrefOf('inside', { repo: repository })}>{repository}</a>
        {folders.map((folder, index) => (
          <span key={index}>
            {' / '}
            <a href={hrefOf('inside', { repo: repository, at: `${folders.slice(0, index + 1).join('/')}/` })}>
              {folder}
            </a>
          </span>
        ))}
        {' / '}
        <a href={hrefOf('code', { repo: repository, path, line: lines === null ? null : rangeText(lines) })}>
          {path.split('/').at(-1)}
          {at}
        </a>
      </nav>
      <span class="row on-screen">
        <button
          type="button"
          aria-pressed={withBlame}
          title="Who wrote each line"
          onClick={() =>
            navigate({ query: { ...Object.fromEntries(query), blame: withBlame ? null : 1 }, replace: true })
          }
        >
          Blame
        </button>
        <CopyLink />
        {url !== null && (
          <a href={url} rel="noreferrer" target="_blank">
            On {new URL(url).hostname}
          </a>
        )}
      </span>
    </div>
  );
}

/** The address as it stands there, with its lines; not where the browser keeps the clipboard from pages. */
function CopyLink() {
  const [isCopied, setCopied] = useState<string | null>(null);
  // Absent without TLS.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return null;
  const copy = async () => {
    const link = location.href;
    await clipboard.writeText(link);
    setCopied(link);
  };
  return (
    <button type="button" onClick={() => void copy().catch(() => setCopied(null))}>
      {isCopied === location.href ? 'Link copied' : 'Copy link'}
    </button>
  );
}
