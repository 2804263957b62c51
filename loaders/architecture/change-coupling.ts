import { firstOf, maxListed } from '../../src/model/architecture.ts';
import type { Architecture } from '../../src/model/architecture.ts';
import type { HistoryFacts } from '../metrics/history-facts.ts';

/** A commit of more files says nothing of any two of them; this and the next two are code-maat’s own (Tornhill). */
const maxFiles = 30;
const minCommits = 5;
/** Of the changes of the file that is changed less. */
const minConfidence = 0.3;
/** Of what is changed together with a file, that it has to be more than chance. */
const minTogether = 2;

/** Commits of people within twelve months, each with the files of these that it changed. */
export interface CoChanges {
  commits: readonly (readonly string[])[];
  leftOut: { bots: number; merges: number; mass: number };
  /** By path. */
  changes: ReadonlyMap<string, number>;
}

/** Which files were changed by which commits. */
export function coChangesOf({ commits }: HistoryFacts, isCounted: (path: string) => boolean): CoChanges {
  const counted: string[][] = [];
  const leftOut = { bots: 0, merges: 0, mass: 0 };
  const changes = new Map<string, number>();
  for (const { paths, bot, parents } of commits) {
    if (paths === null) continue;
    if (bot) leftOut.bots += 1;
    else if (parents.length > 1) leftOut.merges += 1;
    else if (new Set(paths).size > maxFiles) leftOut.mass += 1;
    else {
      const files = [...new Set(paths)].filter(isCounted).sort();
      counted.push(files);
      for (const path of files) changes.set(path, (changes.get(path) ?? 0) + 1);
    }
  }
  return { commits: counted, leftOut, changes };
}

/** Files of different folders that change together though neither depends on the other. */
export function changeCoupling(
  { commits, leftOut, changes }: CoChanges,
  componentOf: (path: string) => string | null,
  linked: ReadonlyMap<string, ReadonlySet<string>>,
): NonNullable<Architecture['change_coupling']> {
  const together = new Map<string, number>();
  for (const files of commits) {
    const often = files.filter((path) => (changes.get(path) ?? 0) >= minCommits);
    for (const [index, a] of often.entries())
      for (const b of often.slice(index + 1)) {
        if (folderOf(a) === folderOf(b) || linked.get(a)?.has(b) || linked.get(b)?.has(a)) continue;
        const key = `${a}\n${b}`;
        together.set(key, (together.get(key) ?? 0) + 1);
      }
  }
  const pairs = [...together].flatMap(([key, count]) => {
    const [a = '', b = ''] = key.split('\n');
    const confidence = count / Math.min(changes.get(a) ?? count, changes.get(b) ?? count);
    if (count < minCommits || confidence < minConfidence) return [];
    return [
      {
        path: a,
        component: componentOf(a),
        other_path: b,
        other_component: componentOf(b),
        commits: count,
        confidence: rounded(confidence),
      },
    ];
  });
  pairs.sort((a, b) => b.commits - a.commits || b.confidence - a.confidence || (keyOf(a) < keyOf(b) ? -1 : 1));
  return { commits: commits.length, left_out: leftOut, pairs: firstOf(pairs, maxListed.changeCoupling) };
}

const keyOf = ({ path, other_path: other }: { path: string; other_path: string }) => `${path}\n${other}`;
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
/** To three decimals: the same on every machine. */
export const rounded = (value: number) => Math.round(value * 1_000) / 1_000;

const minDependents = 5;
const minChangedWith = 3;

/** What many import, and what has to be changed with it (Mo, Cai, Kazman, Xiao 2015: unstable interface; the bounds are our own). */
export function unstableInterfaces(
  { commits, changes }: CoChanges,
  componentOf: (path: string) => string | null,
  imported: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Architecture['unstable_interfaces'] {
  const dependents = new Map<string, Set<string>>();
  for (const [path, targets] of imported)
    for (const target of targets.keys()) dependents.set(target, (dependents.get(target) ?? new Set()).add(path));
  const asked = new Map([...dependents].filter(([, users]) => users.size >= minDependents));
  const together = new Map<string, Map<string, number>>();
  for (const files of commits)
    for (const path of files) {
      const users = asked.get(path);
      if (!users) continue;
      const counts = together.get(path) ?? new Map<string, number>();
      together.set(path, counts);
      for (const other of files) if (users.has(other)) counts.set(other, (counts.get(other) ?? 0) + 1);
    }
  const found = [...asked].flatMap(([path, users]) => {
    const changedWith = [...(together.get(path)?.values() ?? [])].filter((count) => count >= minTogether).length;
    const component = componentOf(path);
    if (changedWith < minChangedWith || component === null) return [];
    return [
      { path, component, dependents: users.size, changes_12m: changes.get(path) ?? 0, changed_with: changedWith },
    ];
  });
  found.sort((a, b) => b.changed_with - a.changed_with || b.dependents - a.dependents || (a.path < b.path ? -1 : 1));
  return firstOf(found, maxListed.unstableInterfaces);
}
