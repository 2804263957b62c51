import { createHash } from 'node:crypto';
import { declaredIn, personsOf } from './persons.ts';
import type { Pairing, SameBecause } from './persons.ts';
import type { CommitsTold, HistoryCommit, Person } from './snapshot.ts';

/** One person, or bot, of a repository's history. Names no e-mail address: those never leave this module. */
export interface Contributor {
  /** `contributor:` and 20 hex digits; the same address has the same one in every repository. */
  id: string;
  /** Those that their other addresses would have; `id` is of the one with the most commits. */
  also: readonly string[];
  /** Why these addresses are one person's. */
  because: readonly SameBecause[];
  /** The one used most. */
  name: string;
  bot: boolean;
  commits: number;
  /** RFC 3339, UTC, by the author's date. */
  firstCommitAt: string;
  lastCommitAt: string;
  added: number;
  deleted: number;
}

interface Tally extends Omit<Contributor, 'id' | 'name' | 'also' | 'because'> {
  address: string;
  names: Map<string, number>;
}

/** The contributors of a whole history: see `collectContributors`. `onPair` hears who are taken for one. */
export async function foldContributors(
  commits: CommitsTold,
  mailmap = '',
  onPair?: (pairing: Pairing) => void,
): Promise<Contributor[]> {
  const collector = collectContributors();
  for await (const commit of commits) collector.add(commit);
  return collector.contributors(mailmap, onPair);
}

/**
 * Takes commits one by one and folds them to contributors, those with the most commits first: by e-mail after mailmap, case-insensitive;
 * GitHub's noreply addresses by user name; then by what says that addresses are one human's (`persons.ts`), where `mailmap` tells nobody
 * apart.
 */
export function collectContributors() {
  const tallies = new Map<string, Tally>();
  return {
    add(commit: HistoryCommit): void {
      const id = contributorId(commit.author);
      let tally = tallies.get(id);
      if (!tally) tallies.set(id, (tally = newTally(foldedAddress(commit.author), commit.authoredAt)));
      add(commit, tally);
    },
    contributors: (mailmap: string, onPair?: (pairing: Pairing) => void) => contributorsOf(tallies, mailmap, onPair),
  };
}

function contributorsOf(
  tallies: ReadonlyMap<string, Tally>,
  mailmap: string,
  onPair?: (pairing: Pairing) => void,
): Contributor[] {
  const identities = Array.from(tallies, ([id, { address, names, bot, commits: made }]) => ({
    id,
    address,
    names: [...names.keys()],
    bot,
    commits: made,
  }));
  return personsOf(identities, declaredIn(mailmap), onPair)
    .map(({ identities: [first, ...others], because }): Contributor => {
      const ids = [first, ...others].flatMap((each) => (each ? [each.id] : []));
      const { names, address: _, ...tally } = sumOf(ids.flatMap((id) => tallies.get(id) ?? []));
      return { id: ids[0] ?? '', also: ids.slice(1).toSorted(), because, name: mostUsed(names), ...tally };
    })
    .sort((a, b) => b.commits - a.commits || (a.id < b.id ? -1 : 1));
}

function sumOf(tallies: readonly Tally[]): Tally {
  const [first, ...others] = tallies;
  const sum = { ...(first ?? newTally('', '')), names: new Map(first?.names) };
  for (const each of others) {
    for (const [name, count] of each.names) sum.names.set(name, (sum.names.get(name) ?? 0) + count);
    sum.commits += each.commits;
    sum.added += each.added;
    sum.deleted += each.deleted;
    if (each.firstCommitAt < sum.firstCommitAt) sum.firstCommitAt = each.firstCommitAt;
    if (each.lastCommitAt > sum.lastCommitAt) sum.lastCommitAt = each.lastCommitAt;
  }
  return sum;
}

function add({ author, authoredAt, changes }: HistoryCommit, tally: Tally): void {
  const name = displayName(author);
  tally.names.set(name, (tally.names.get(name) ?? 0) + 1);
  tally.bot ||= isBot(author);
  tally.commits += 1;
  if (authoredAt < tally.firstCommitAt) tally.firstCommitAt = authoredAt;
  if (authoredAt > tally.lastCommitAt) tally.lastCommitAt = authoredAt;
  for (const { added, deleted } of changes) {
    tally.added += added ?? 0;
    tally.deleted += deleted ?? 0;
  }
}

/** The same person's is the same in every repository; the address can't be read from it. */
export const contributorId = oncePerPerson((person) => {
  return `contributor:${createHash('sha256').update(foldedAddress(person)).digest('hex').slice(0, 20)}`;
});

const noreply = /^(?:\d+\+)?([^@+]+)@users\.noreply\.github\.com$/;
/** What tools write where a person gave no address; such people are told apart by name. */
const noAddress = /^$|^none@none$|^(root|user|nobody|unknown)?@?(localhost|\(none\)|example\.(com|org))?$/;

function foldedAddress({ name, email }: Person): string {
  const address = email.trim().toLowerCase();
  const user = noreply.exec(address)?.[1];
  if (user) return `${user}@users.noreply.github.com`;
  return noAddress.test(address) ? `name:${name.trim().toLowerCase()}` : address;
}

const botNames =
  /\[bot\]$|(^|[-_ ])bot$|^bot[-_ ]|^(dependabot|renovate|greenkeeper|github-actions|github actions|snyk|pyup|codecov|mergify|imgbot|allcontributors|semantic-release|pre-commit-ci|whitesource|mend|travis ci|circleci|jenkins|weblate|crowdin|transifex|readthedocs|sourcery ai|deepsource|restyled|kodiak|bors|homu|gitbook|netlify|vercel|copilot|rust-timer|release-please|scala[ -]steward|changesets?)([-_ ]?(bot|preview|ci|action|app|agent)s?)?$/;

/** By `[bot]`, a name that ends in bot, or a tool that is known to commit. */
export const isBot = oncePerPerson(({ name, email }) => {
  const user =
    email
      .toLowerCase()
      .split('@')[0]
      ?.replace(/^\d+\+/, '') ?? '';
  return botNames.test(name.trim().toLowerCase()) || /\[bot\]$|[-_.]bot$/.test(user);
});

/** Some put their e-mail address where the name belongs: what stands before the `@` is enough. */
const displayName = oncePerPerson(({ name, email }) => {
  const shown = name.replace(/(?<![\w.+-])[\w.+-]+@[\w.-]+/g, (address) => address.split('@')[0] ?? '').trim();
  return shown || (noreply.exec(email.toLowerCase())?.[1] ?? 'unknown');
});

/** A history names few people, each as one object, in many commits. */
function oncePerPerson<T>(find: (person: Person) => T): (person: Person) => T {
  const known = new WeakMap<Person, T>();
  return (person) => {
    const before = known.get(person);
    if (before !== undefined) return before;
    const found = find(person);
    known.set(person, found);
    return found;
  };
}

function mostUsed(names: ReadonlyMap<string, number>): string {
  let most = ['', 0] as [string, number];
  for (const each of names) if (each[1] > most[1]) most = each;
  return most[0];
}

function newTally(address: string, at: string): Tally {
  return {
    address,
    names: new Map(),
    bot: false,
    commits: 0,
    firstCommitAt: at,
    lastCommitAt: at,
    added: 0,
    deleted: 0,
  };
}
