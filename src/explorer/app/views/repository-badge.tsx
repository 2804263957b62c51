import { useState } from 'preact/hooks';
import type { Api } from '../api.ts';
import { Answered } from '../components/answered.tsx';
import { Empty } from '../components/empty.tsx';
import { Table } from '../components/table.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import { asApiError, useAsked } from '../use-answer.ts';

interface Badge {
  id: string;
  repository: string;
  created_at: string;
}

/** Pictures of the grade for a README: made, copied as Markdown once, and taken back. Admins alone may. */
export function RepositoryBadge({ api, repo }: { api: Api; repo: string }) {
  const asked = useAsked(api, (signal) => badgesOf(api, repo, signal), `badges of ${repo}`);
  const [made, setMade] = useState<(Badge & { url: string }) | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const change = async (work: () => Promise<unknown>) => {
    setWrong(null);
    try {
      await work();
    } catch (error) {
      setWrong(asApiError(error).message);
    }
    asked.again();
  };
  const create = () =>
    change(async () => setMade(await api.send<Badge & { url: string }>('POST', '/v1/badges', { repository: repo })));
  const revoke = ({ id }: Badge) =>
    change(async () => {
      await api.send('DELETE', `/v1/badges/${id}`);
      if (made?.id === id) setMade(null);
    });
  if (asked.error?.status === 403)
    return (
      <Empty title="Badges are for admins">
        <p>An admin or owner of the organization can publish the grade as a badge.</p>
      </Empty>
    );
  return (
    <>
      <p class="quiet">
        A badge shows the letter of the grade, and nothing else, to everybody who has its address. It follows the grade
        until it is revoked.
      </p>
      <button type="button" onClick={() => void create()}>
        Create a badge
      </button>
      <p class="wrong" role="alert">
        {wrong}
      </p>
      {made !== null && <NewBadge key={made.id} repo={repo} url={made.url} />}
      <Answered asked={asked} lines={3}>
        {(badges) =>
          badges.length === 0 ? (
            <p class="quiet">No badge of {repo} is public.</p>
          ) : (
            <Table
              caption={`Badges of ${repo}`}
              columns={[
                { id: 'id', title: 'Badge', isHead: true, cell: ({ id }) => <code>{id}</code> },
                {
                  id: 'made',
                  title: 'Created',
                  value: ({ created_at: at }) => at,
                  cell: ({ created_at: at }) => <span class="nowrap">{format.moment(at)}</span>,
                },
                {
                  id: 'revoke',
                  title: 'Revoke',
                  value: null,
                  cell: (badge) => (
                    <button type="button" aria-label={`Revoke ${badge.id}`} onClick={() => void revoke(badge)}>
                      Revoke
                    </button>
                  ),
                },
              ]}
              rows={badges}
              keyOf={({ id }) => id}
            />
          )
        }
      </Answered>
    </>
  );
}

/** All of the organization's are asked for, as they are not told apart by repository. */
async function badgesOf(api: Api, repo: string, signal: AbortSignal): Promise<Badge[]> {
  const all: Badge[] = [];
  for (let page = 1; ; page++) {
    const { items, total } = await api.get<{ items: Badge[]; total: number }>(
      '/v1/badges',
      { page, page_size: 100 },
      signal,
    );
    all.push(...items);
    if (items.length === 0 || all.length >= total) return all.filter(({ repository }) => repository === repo);
  }
}

/** Its address is told this once. */
function NewBadge({ repo, url }: { repo: string; url: string }) {
  const [isCopied, setCopied] = useState(false);
  const page = new URL(hrefOf('repository', { repo }), document.baseURI).href;
  const markdown = `[![Grade of ${repo}](${url})](${page})`;
  return (
    <div class="new-badge">
      <label>
        Markdown, shown this once
        <input readOnly value={markdown} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      <div class="row">
        <button
          type="button"
          class="primary"
          onClick={() => void navigator.clipboard.writeText(markdown).then(() => setCopied(true))}
        >
          Copy as Markdown
        </button>
        <span class="quiet" role="status">
          {isCopied ? 'Copied.' : ''}
        </span>
        {/* From where this page is, which may be reached by another name than the service has. */}
        <img src={`badges/${url.split('/badges/')[1] ?? ''}`} alt={`The badge: grade of ${repo}`} />
      </div>
    </div>
  );
}
