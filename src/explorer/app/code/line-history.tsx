import { useState } from 'preact/hooks';
import type { LineHistoryAnswer } from '../../../source/line-history.ts';
import type { Api } from '../api.ts';
import { Failure } from '../components/failure.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import type { Asked } from '../use-answer.ts';

const shownAtFirst = 6;

/** Who wrote the lines of a symbol or a file; of null nothing is asked. */
export function useLineHistory(api: Api, repository: string | null, query: { symbol?: string; path?: string }) {
  const path = repository === null ? null : (`/api/source/${encodeURIComponent(repository)}/history` as const);
  return useAnswer<LineHistoryAnswer>(api, path, query);
}

/** Whom one asks about this code, and the commits that made it what it is. */
export function LineHistory({ asked: { answer, error, again } }: { asked: Asked<LineHistoryAnswer> }) {
  const [isWhole, setWhole] = useState(false);
  // Where there is no code to show, that is told beside it.
  if (error !== null) return error.status === 404 ? null : <Failure error={error} again={again} />;
  if (answer === null) return <Skeleton lines={4} />;
  const { authors, commits, total_commits: total, lines_unknown: unknown } = answer;
  const all = answer.from === 0 ? 0 : answer.to - answer.from + 1;
  const many = <T,>(items: readonly T[]) => (isWhole ? items : items.slice(0, shownAtFirst));
  if (total === 0) return <p class="quiet">No history is known of these lines.</p>;
  return (
    <>
      <h3>Authors</h3>
      <ul class="line-owners">
        {many(authors).map(({ id, name, lines, last_at: at }) => (
          <li key={id}>
            <a href={hrefOf('graph', { node: id })}>
              <bdi>{name}</bdi>
            </a>
            <meter min={0} max={all} value={lines} aria-label={`Lines by ${name}`} />
            <span class="quiet">
              {format.share(lines / all)}, last {format.day(at)}
            </span>
          </li>
        ))}
      </ul>
      <h3>Commits</h3>
      <ol class="line-commits">
        {many(commits).map(({ id, at, author, subject, lines, url }) => (
          <li key={id}>
            <span class="subject">
              {url === null ? (
                <bdi>{subject}</bdi>
              ) : (
                <a href={url} rel="noreferrer" target="_blank">
                  <bdi>{subject}</bdi>
                </a>
              )}
            </span>
            <span class="quiet">
              <code>{id.slice(0, 8)}</code> <bdi>{author.name}</bdi>, {format.day(at)}, {format.count(lines, 'line')}
            </span>
          </li>
        ))}
      </ol>
      {!isWhole && Math.max(commits.length, authors.length) > shownAtFirst && (
        <button type="button" onClick={() => setWhole(true)}>
          All {format.count(commits.length, 'commit')}
        </button>
      )}
      {(total > commits.length || unknown > 0) && (
        <p class="quiet">
          {[
            total > commits.length && `${format.count(total - commits.length, 'older commit')} not listed`,
            unknown > 0 && `${format.count(unknown, 'line')} older than what was gone back to`,
          ]
            .filter(Boolean)
            .join('; ')}
          .
        </p>
      )}
    </>
  );
}
