import { gitRepository } from '../support/git-repository.ts';
import type { FileContent, GitRepository } from '../support/git-repository.ts';

/** Who changes what in one commit. */
type Step = readonly [person: string, files: Record<string, FileContent>];

const modules = (from: number, to: number, text: string): Record<string, FileContent> =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, index) => [`m${from + index}.py`, `NAME = ${from + index}\n${text}\n`]),
  );
const times = (count: number, step: (round: number) => Step) =>
  Array.from({ length: count }, (_, round) => step(round));

/**
 * Histories made by hand, with what the algorithm's own implementation says of them: aserg-ufmg/Truck-Factor at 614600e:
 * `java aserg.gtf.GitTruckFactor REPOSITORY` after its scripts/commit_log_script.sh.
 */
export const histories: Record<string, { truckFactor: number; steps: readonly Step[] }> = {
  'three people, each with files of their own': {
    truckFactor: 2,
    steps: [
      ['Ann', modules(0, 4, 'x = 1')],
      ['Ben', modules(4, 8, 'x = 1')],
      ['Cid', modules(8, 12, 'x = 1')],
    ],
  },
  'one who made everything, and another who rewrote half of it': {
    truckFactor: 1,
    steps: [
      ['Ann', modules(0, 12, 'x = 1')],
      ...times(11, (round): Step => ['Ben', modules(0, 7, `x = ${round + 2}`)]),
    ],
  },
  'one change each by another, after its author has gone on': {
    truckFactor: 1,
    steps: [
      ['Ann', modules(0, 10, 'x = 1')],
      ['Ann', modules(0, 10, 'x = 2')],
      ['Ben', modules(0, 10, 'x = 3')],
    ],
  },
  'files known to two people at once': {
    truckFactor: 2,
    steps: [
      ['Ann', modules(0, 10, 'x = 1')],
      ...times(5, (round): Step => ['Ben', modules(0, 10, `x = ${round + 2}`)]),
    ],
  },
  'files taken away and added again by another': {
    truckFactor: 2,
    steps: [
      ['Ann', modules(0, 10, 'x = 1')],
      ['Ann', Object.fromEntries(Object.keys(modules(0, 10, '')).map((path) => [path, null]))],
      ['Ben', modules(0, 10, 'x = 2')],
      ['Cid', modules(10, 12, 'x = 1')],
    ],
  },
  'many people with one file each beside one with most': {
    truckFactor: 1,
    steps: [
      ['Ann', modules(0, 12, 'x = 1')],
      ...times(10, (round): Step => [`P${round}`, modules(12 + round, 13 + round, 'x = 1')]),
    ],
  },
  'people who know hardly any of the files, of whom many would have to leave': {
    truckFactor: 1,
    steps: [
      ['Ann', modules(0, 22, 'x = 1')],
      ...times(24, (round): Step => [`P${round}`, modules(22 + round, 23 + round, 'x = 1')]),
    ],
  },
};

/** A repository with one of these histories. */
export function repositoryOf(steps: readonly Step[]): GitRepository {
  const repository = gitRepository();
  for (const [index, [person, files]] of steps.entries())
    repository.commit(`${person} ${index}`, { files, author: { name: person, email: `${person}@example.org` } });
  return repository;
}
