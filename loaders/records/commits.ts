import { maxCommitFiles, maxKeptCommits, type Commit } from '../../src/model/commit.ts';
import type { Rows } from '../../src/model/snapshot.ts';
import type { ChangeListener } from '../metrics/security/past-secrets.ts';
import type { Changed, ChangedBefore } from './changed-before.ts';
import { createRowSpool } from '../row-spool.ts';
import { languageOf } from '../snapshot/language-of.ts';
import type { HistoryCommit, Person } from '../snapshot/snapshot.ts';
import type { TemporaryFile } from '../temporary-file.ts';

/** Identifiers of one commit: more are an import, or somebody else's. */
const maxWords = 400;
/** Of a message's rest, in UTF-16 units. */
const maxBody = 2_000;
const maxSubject = 500;

/** What is known of a commit before it is known whose it is. */
type Heard = Omit<Commit, 'author' | 'changed' | 'changed_kept'> & {
  by: Person;
  /** From 1, the newest first. */
  age: number;
  /** As an earlier load found it. */
  known?: Changed;
};
/** Of the lines that it changed, all or some. */
interface HeardChanges {
  age: number;
  words: string[];
  /** How many versions were compared, whether all were, and whether these are all of their words. */
  compared: number;
  isCompared: boolean;
  isWhole: boolean;
}

/** Keeps the commits of a history as it passes, to be searched; what `before` knows of them is not looked for again. */
export function collectCommits(file: TemporaryFile, before: ChangedBefore | null) {
  const commits = createRowSpool<Heard>(file, 2_000);
  const changes = createRowSpool<HeardChanges>(file, 2_000);
  /** Names that files had, with those that they have now. */
  const renamed = new Map<string, string>();
  /** By their ages. */
  const known = new Set<number>();
  let count = 0;

  const filesOf = (commit: HistoryCommit): Commit['files'] => {
    const files: Commit['files'] = [];
    for (const { path, oldPath, status, added, deleted } of commit.changes) {
      const now = renamed.get(path) ?? path;
      if (files.length < maxCommitFiles) files.push({ path, ...(now === path ? {} : { now }), status, added, deleted });
      if (status !== 'R' || oldPath === null) continue;
      renamed.delete(path);
      renamed.set(oldPath, now);
    }
    return files;
  };
  const listener: ChangeListener = {
    wants: (path, age) => age <= maxKeptCommits && !known.has(age) && languageOf(path) !== null,
    hear(age, each) {
      const words = new Set(each.flatMap((change) => change?.words ?? []));
      const isWhole = words.size <= maxWords && each.every((change) => change?.isWhole === true);
      const compared = each.filter((change) => change !== null).length;
      const isCompared = compared === each.length;
      changes.add({ age, words: [...words].slice(0, maxWords), compared, isCompared, isWhole });
    },
  };

  function* withChanges(): Generator<Heard & { own: HeardChanges[] }> {
    // Both are in the order of the history.
    const heard = changes[Symbol.iterator]();
    let next = heard.next();
    for (const commit of commits) {
      const own: HeardChanges[] = [];
      for (; next.done !== true && next.value.age <= commit.age; next = heard.next())
        if (next.value.age === commit.age) own.push(next.value);
      yield { ...commit, own };
    }
  }

  return {
    listener,

    /** The next commit, the newest first. */
    hear(commit: HistoryCommit): void {
      count += 1;
      if (count > maxKeptCommits) return;
      const changed = before?.get(commit.id);
      if (changed) known.add(count);
      commits.add({
        id: commit.id,
        authored_at: commit.authoredAt,
        committed_at: commit.committedAt,
        by: commit.author,
        subject: commit.subject.slice(0, maxSubject).toWellFormed(),
        body: withoutPeople(withoutFolded(commit.body)).slice(0, maxBody).toWellFormed().trim(),
        files: filesOf(commit),
        total_files: commit.changes.length,
        age: count,
        ...(changed && { known: changed }),
      });
    },

    /** How many have passed. */
    count: () => count,

    /** Keeps what the commits changed, once all has passed, for the next load; but for what may be there only then. */
    keep(): void {
      before?.keep(
        (function* () {
          for (const { own, ...commit } of withChanges())
            if (commit.known || (own.length > 0 && own.every(({ isCompared }) => isCompared)))
              yield { id: commit.id, ...changedOf(commit.known, own) };
        })(),
      );
    },

    /** The newest first, once all has passed; `personOf` says who an author is. */
    rows(personOf: (author: Person) => Commit['author']): Rows<Commit> {
      return {
        length: commits.length,
        *[Symbol.iterator]() {
          for (const { age: _, by, known: before, own, ...commit } of withChanges())
            yield { ...commit, author: personOf(by), ...changedOf(before, own) };
        },
      };
    },
  };
}

function changedOf(known: Changed | undefined, own: readonly HeardChanges[]): Changed {
  if (known) return known;
  const words = new Set(own.flatMap((each) => each.words));
  const isWhole = words.size <= maxWords && own.every((each) => each.isWhole);
  const isNone = own.length > 0 && own.every(({ compared }) => compared === 0);
  return {
    changed: [...words].slice(0, maxWords).join(' ').toWellFormed(),
    changed_kept: isNone ? 'none' : isWhole ? 'whole' : 'part',
  };
}

/** What forges fold is quoted, most of it by bots: release notes of others, which this commit is not about. */
const withoutFolded = (body: string) => body.replaceAll(/<details\b.*?(?:<\/details>|$)/gis, '');

/** Trailers (`Signed-off-by: …`) name people by addresses, which are kept nowhere. */
function withoutPeople(body: string): string {
  return body
    .split('\n')
    .filter((line) => !/^[A-Za-z][\w-]*-by: /i.test(line))
    .map((line) => line.replaceAll(/[^\s<>]+/g, (word) => (isAddress(word) ? '' : word)).replaceAll('<>', ''))
    .join('\n');
}

/** Has something before an `@`, and a dot in what is behind it. */
function isAddress(word: string): boolean {
  const at = word.indexOf('@');
  return at > 0 && word.indexOf('.', at + 2) > 0;
}
