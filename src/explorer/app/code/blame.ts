import type { LineHistoryAnswer } from '../../../source/line-history.ts';
import { format } from '../format.ts';
import { monthWords } from '../words.ts';

/** Who wrote a line, for the margin beside it. */
export interface Blame {
  /** Author and month; empty on all lines of a commit but the first of those next to each other. */
  says: string;
  /** Author, day and subject of the commit. */
  title: string;
  /** Of the commit on its forge. */
  url: string | null;
  /** From 0, the oldest commit of these lines, to 1, the newest. */
  recency: number;
}

/** Of each line whose commit is known. */
export function blameOf({ stretches, commits }: LineHistoryAnswer): ReadonlyMap<number, Blame> {
  const byId = new Map(commits.map((commit) => [commit.id, commit]));
  const times = commits.map(({ at }) => Date.parse(at));
  const [oldest, newest] = [Math.min(...times), Math.max(...times)];
  const lines = new Map<number, Blame>();
  for (const { from, to, commit: id } of stretches) {
    const commit = byId.get(id ?? '');
    if (commit === undefined) continue;
    const recency = newest === oldest ? 1 : (Date.parse(commit.at) - oldest) / (newest - oldest);
    for (let line = from; line <= to; line++)
      lines.set(line, {
        says: line === from ? `${commit.author.name}, ${monthWords(commit.at.slice(0, 7))}` : '',
        title: `${commit.author.name}, ${format.day(commit.at)}: ${commit.subject}`,
        url: commit.url,
        recency,
      });
  }
  return lines;
}
