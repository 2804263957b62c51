import { GitFailure, gitStream, nulSeparated } from './git.ts';
import type { KeptHistory } from './kept-history.ts';
import type { CommitsTold, FileChange, HistoryCommit, MergeChange, Person } from './snapshot.ts';
import { SnapshotError } from './snapshot-error.ts';

/** How much of the history can be read. */
export interface HistoryOptions {
  gitDir: string;
  commit: string;
  /** The clone lacks old contents: lines are not counted and renames not followed, so that nothing has to be fetched. */
  withoutContents: boolean;
  /** Commits at which a shallow clone ends: git shows them as adding every file, which nobody did. */
  shallowCommits: ReadonlySet<string>;
}

// No field but the last can hold a line break: git folds the subject's, and names have none. A NUL ends it, as `-z` says.
const header = ['commit %H', '%P', '%at', '%ct', '%aN', '%aE', '%s', '%b'].join('%n');
/** Of the rest of a message, in UTF-16 units: a longer one is a report. */
const maxBody = 4_000;

/**
 * The commits that led to one, newest first, from one streamed `git log`. Where old contents turn out to be damaged, it goes
 * on without them; throws SnapshotError where the commits themselves are.
 */
export async function* history(options: HistoryOptions): AsyncGenerator<HistoryCommit, void> {
  let given = 0;
  try {
    for await (const commit of log(options)) {
      given += 1;
      yield commit;
    }
    return;
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    if (options.withoutContents) throw unreadable(error);
  }
  try {
    let seen = 0;
    for await (const commit of log({ ...options, withoutContents: true })) if (++seen > given) yield commit;
  } catch (error) {
    throw error instanceof GitFailure ? unreadable(error) : error;
  }
}

function unreadable(cause: GitFailure): SnapshotError {
  return new SnapshotError(
    'unreadable',
    `The history is damaged (${cause.message}): run \`git fsck\` in the repository, or clone it again.`,
    { cause },
  );
}

async function* log(options: HistoryOptions): AsyncGenerator<HistoryCommit, void> {
  const { withoutContents, shallowCommits } = options;
  const authors = authorsByName();
  const compared = withoutContents ? ['--raw', '--no-renames'] : ['--raw', '--numstat', '-M'];
  let current: OpenCommit | null = null;
  for await (const tokens of logged(options, [...compared, `--format=tformat:${header}`]))
    for (const bytes of tokens) {
      const token = bytes.toString('utf8');
      if (current?.wants(token)) continue;
      if (!token.startsWith('commit ')) continue;
      if (current) yield current.close();
      current = openCommit(token, shallowCommits, authors);
    }
  if (current) yield current.close();
}

/**
 * The same of a history that was read before, and the changes of its merges: git is asked for the order of the commits and what their
 * authors are called, unless what was read tells both: `isTold`. Nobody is told bodies.
 */
export function historyKept(options: Pick<HistoryOptions, 'gitDir' | 'commit'>, kept: KeptHistory, isTold: boolean) {
  const { commit } = options;
  /** In their order, once the history was told to its end. */
  let merges: string[] | null = null;
  function* atHand(): Generator<HistoryCommit, void> {
    const told: string[] = [];
    for (const each of kept.from(commit)) {
      if (each.parents.length > 1) told.push(each.id);
      yield each;
    }
    merges = told;
  }
  return {
    history: (): CommitsTold => (isTold ? atHand() : renamed(options, kept)),
    async *mergeChanges(): AsyncGenerator<MergeChange, void> {
      if (kept.isDated) for (const id of merges ?? kept.idsFrom(commit)) yield* kept.ofMerge(id);
      else for await (const { id } of renamed(options, kept)) yield* kept.ofMerge(id);
    },
  };
}

/** Commits that were read, with their authors as another mailmap calls them. */
async function* renamed(
  options: Pick<HistoryOptions, 'gitDir' | 'commit'>,
  kept: KeptHistory,
): AsyncGenerator<HistoryCommit, void> {
  const authors = authorsByName();
  try {
    for await (const tokens of logged(options, ['--format=tformat:%H%n%aN%n%aE']))
      for (const token of tokens) {
        const [id = '', name = '', email = ''] = token.toString('utf8').split('\n');
        yield { ...kept.of(id), author: authors(name, email) };
      }
  } catch (error) {
    throw error instanceof GitFailure ? unreadable(error) : error;
  }
}

/** What `git log` prints, by NUL, with names as the commit's own mailmap has them, not one that lies in the work tree or at home. */
function logged(
  { gitDir, commit }: Pick<HistoryOptions, 'gitDir' | 'commit'>,
  form: readonly string[],
): AsyncGenerator<Buffer[], void> {
  const args = [
    'log',
    '-z',
    '--root',
    '--use-mailmap',
    '--no-abbrev',
    '--no-color',
    '--no-notes',
    '--no-show-signature',
    '--no-textconv',
    '--no-ext-diff',
    '--encoding=UTF-8',
    '--ignore-submodules=none',
    ...form,
    commit,
    '--',
  ];
  const config = [`mailmap.blob=${commit}:.mailmap`, 'mailmap.file='];
  return nulSeparated(gitStream(args, { gitDir, config, idleMs: 600_000 }));
}

/** One object for each person. */
function authorsByName(): (name: string, email: string) => Person {
  const known = new Map<string, Person>();
  return (name, email) => {
    const who = `${name}\n${email}`;
    const author = known.get(who) ?? { name, email };
    known.set(who, author);
    return author;
  };
}

/** Files that a merge made other than each of its sides had them; nothing of what can't be read. */
export async function* mergeChanges({
  gitDir,
  commit,
}: Pick<HistoryOptions, 'gitDir' | 'commit'>): AsyncGenerator<MergeChange, void> {
  const form = ['--raw', '-c', '-z', '--no-abbrev', '--no-color', '--no-notes', '--no-show-signature'];
  const args = ['log', '--merges', ...form, '--ignore-submodules=all', '--format=tformat:commit %H', commit, '--'];
  let merge = '';
  let open: Pick<MergeChange, 'blobs' | 'sides'> | null = null;
  try {
    for await (const tokens of nulSeparated(gitStream(args, { gitDir, idleMs: 600_000 })))
      for (const bytes of tokens) {
        const token = bytes.toString('utf8');
        if (open !== null) {
          yield { commit: merge, path: token, ...open };
          open = null;
        } else if (/^\n*::/.test(token)) {
          // Modes and then ids of all sides, the result's last, and a letter for each side.
          const words = token.split(' ');
          const sides = words.slice((words.length - 1) / 2, -2);
          open = { blobs: { before: sides[0] ?? '', after: words.at(-2) ?? '' }, sides };
        } else merge = /commit (\w+)/.exec(token)?.[1] ?? merge;
      }
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
  }
}

interface OpenCommit {
  /** Takes one token of the commit's changes; false when it starts the next commit. */
  wants(token: string): boolean;
  close(): HistoryCommit;
}

function openCommit(
  token: string,
  shallowCommits: ReadonlySet<string>,
  authors: ReturnType<typeof authorsByName>,
): OpenCommit {
  const [id = '', parents = '', authored, committed, name = '', email = '', subject = '', ...body] = token.split('\n');
  const commitId = id.slice('commit '.length);
  const author = authors(name, email);
  const changes: FileChange[] = [];
  let counted = 0;
  /** Paths are taken by their number, whatever they look like. */
  let pending: { paths: number; take: (paths: string[]) => void; got: string[] } | null = null;
  const count = (path: string, added: string, deleted: string) => {
    // Git counts in the order in which it lists.
    const index = changes[counted]?.path === path ? counted : changes.findIndex((change) => change.path === path);
    counted = index + 1;
    const change = changes[index];
    if (change && added !== '-') changes[index] = { ...change, added: Number(added), deleted: Number(deleted) };
  };
  return {
    wants(token) {
      if (pending) {
        pending.got.push(token);
        if (pending.got.length === pending.paths) {
          pending.take(pending.got);
          pending = null;
        }
        return true;
      }
      const raw = /^\n*:\S+ \S+ (\S+) (\S+) ([A-Z])\d*$/.exec(token);
      if (raw) {
        const [, before = '', after = '', letter] = raw;
        const status = statusOf(letter);
        pending = {
          paths: status === 'R' || status === 'C' ? 2 : 1,
          got: [],
          take: ([first = '', second]) =>
            changes.push({
              path: second ?? first,
              oldPath: second === undefined ? null : first,
              status,
              added: null,
              deleted: null,
              blobs: { before, after },
            }),
        };
        return true;
      }
      const [, added, deleted, path] = /^\n*(\d+|-)\t(\d+|-)\t(.*)$/s.exec(token) ?? [];
      if (added === undefined || deleted === undefined) return false;
      if (path) count(path, added, deleted);
      else pending = { paths: 2, got: [], take: ([, to = '']) => count(to, added, deleted) };
      return true;
    },
    close: () => ({
      id: commitId,
      parents: parents === '' ? [] : parents.split(' '),
      author,
      authoredAt: dateTime(authored),
      committedAt: dateTime(committed),
      subject,
      body: body.join('\n').slice(0, maxBody).trim(),
      changes: shallowCommits.has(commitId) ? [] : changes,
    }),
  };
}

function statusOf(letter: string | undefined): FileChange['status'] {
  return letter === 'A' || letter === 'D' || letter === 'R' || letter === 'C' || letter === 'T' ? letter : 'M';
}

/** Seconds since 1970 as RFC 3339; what no calendar holds counts as the beginning of time, as git itself does. */
export function dateTime(seconds: string | undefined): string {
  const date = new Date(Number(seconds) * 1000);
  const unreal = Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || date.getUTCFullYear() < 0;
  return (unreal ? new Date(0) : date).toISOString();
}
