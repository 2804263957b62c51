import type { Activity } from '../../../src/model/due-diligence.ts';
import type { MetricInput } from '../metric.ts';
import { isHuman } from '../people.ts';

const keptMonths = 60;
const keptPeople = 20;

/** The people's commits by the month; null without a history. */
export function activityOf({ history, contributors }: Pick<MetricInput, 'history' | 'contributors'>): Activity | null {
  if (!history) return null;
  const last = monthOf(history.headAt);
  const counted = history.commits
    .filter(isHuman)
    .map(({ author, committedAt }) => ({ author, month: monthOf(committedAt) }))
    // A clock that was wrong puts commits after the last one.
    .filter(({ month }) => month <= last && month > last - keptMonths);
  const first = counted.reduce((least, { month }) => Math.min(least, month), last);
  const empty = () => Array.from({ length: last - first + 1 }, () => 0);
  const byPerson = new Map<string, number[]>();
  for (const { author, month } of counted) {
    let commits = byPerson.get(author);
    if (!commits) byPerson.set(author, (commits = empty()));
    commits[month - first] = (commits[month - first] ?? 0) + 1;
  }
  const all = [...byPerson.values()];
  const names = new Map(contributors.map(({ id, name }) => [id, name]));
  return {
    months: empty().map((_, index) => ({
      month: nameOf(first + index),
      commits: all.reduce((sum, commits) => sum + (commits[index] ?? 0), 0),
      people: all.filter((commits) => commits[index]).length,
    })),
    people: [...byPerson]
      .map(([id, commits]) => ({ id, name: names.get(id) ?? '', commits, total: commits.reduce((a, b) => a + b, 0) }))
      .toSorted((a, b) => b.total - a.total || (a.id < b.id ? -1 : 1))
      .slice(0, keptPeople)
      .map(({ id, name, commits }) => ({ id, name, commits })),
  };
}

/** Months since the year 0, UTC. */
function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

const nameOf = (month: number) =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
