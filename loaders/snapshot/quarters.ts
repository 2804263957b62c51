import { gitStream, nulSeparated } from './git.ts';
import { dateTime } from './history.ts';

/** A commit of a branch, and when it was made: RFC 3339, UTC. */
export interface DatedCommit {
  id: string;
  committedAt: string;
  treeId: string;
}

/**
 * A commit and, before it, the first commit of each calendar quarter on its branch, by first parents:
 * the newest so many of them, the oldest first. A commit begins no quarter that says it is older than the one before it, or younger than
 * the last.
 */
export async function firstOfQuarters(gitDir: string, head: string, most: number): Promise<DatedCommit[]> {
  const args = ['log', '-z', '--first-parent', '--format=tformat:%H %ct %T', head, '--'];
  const commits: DatedCommit[] = [];
  for await (const tokens of nulSeparated(gitStream(args, { gitDir, idleMs: 600_000 })))
    for (const token of tokens) {
      const [id = '', seconds, treeId = ''] = token.toString('utf8').split(' ');
      commits.push({ id, committedAt: dateTime(seconds), treeId });
    }
  const [last] = commits;
  if (!last) return [];
  const firsts: DatedCommit[] = [];
  let quarter = '';
  for (const commit of commits.toReversed()) {
    const own = quarterOf(commit.committedAt);
    if (own <= quarter || own > quarterOf(last.committedAt)) continue;
    quarter = own;
    firsts.push(commit);
  }
  if (firsts.at(-1) !== last) firsts.push(last);
  return firsts.slice(-most);
}

/** `2026-4`: comparable as text. */
const quarterOf = (instant: string) => `${instant.slice(0, 4)}-${Math.ceil(Number(instant.slice(5, 7)) / 3)}`;
