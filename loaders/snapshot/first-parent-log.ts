import { diffConfig, diffOptions } from './diff-options.ts';
import { GitFailure, gitStream } from './git.ts';
import { dateTime } from './history.ts';
import { SnapshotError } from './snapshot-error.ts';

/** One step of a branch: a commit with all that it changed against its first parent. */
export interface Step {
  id: string;
  /** The first is what the branch was before. */
  parents: readonly string[];
  author: { name: string; email: string };
  authoredAt: string;
  committedAt: string;
  message: string;
  files: readonly FileDiff[];
  /** Its diff is larger than anybody reads; `files` has the beginning. */
  truncated: boolean;
}

/** What a step did to one file. */
export interface FileDiff {
  /** Holds U+FFFD where the name is not UTF-8. */
  path: string;
  status: 'added' | 'modified' | 'deleted';
  /** `120000` is a symlink, `160000` a submodule; null where the mode did not change and no content did. */
  mode: string | null;
  /** Before the step; null where it did not exist. */
  oldBlobId: string | null;
  binary: boolean;
  hunks: number;
  added: number;
  removed: number;
  /** As git prints it, from `diff --git` on. */
  text: string;
}

/** What of one commit's diff is looked at. */
const maxBytes = 8_388_608;
const mark = Buffer.from('\n\0\0');
const fileMark = '\ndiff --git ';
const header = ['%x00%x00%H', '%P', '%at', '%ct', '%an', '%ae', '%B%x00'].join('%n');

/** The steps of a branch, newest first, by one streamed `git log --first-parent -p`; throws SnapshotError where it is damaged. */
export async function* firstParentLog(options: {
  gitDir: string;
  commit: string;
  since?: string;
  until?: string;
  signal?: AbortSignal;
}): AsyncGenerator<Step, void> {
  const { gitDir, commit, since, until, signal } = options;
  const args = [
    'log',
    '--first-parent',
    '-m',
    '--patch',
    '--no-notes',
    '--no-show-signature',
    '--encoding=UTF-8',
    ...diffOptions,
    ...(since === undefined ? [] : [`--since=${since}`]),
    ...(until === undefined ? [] : [`--until=${until}`]),
    `--format=tformat:${header}`,
    commit,
    '--',
  ];
  const git = gitStream(args, { gitDir, config: diffConfig, idleMs: 600_000, ...(signal ? { signal } : {}) });
  try {
    for await (const record of records(git)) yield step(record);
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    throw new SnapshotError(
      'unreadable',
      `The history can't be read whole (${error.message}): run \`git fsck\` in the repository, or clone it again, without a filter.`,
      { cause: error },
    );
  }
}

/**
 * The bytes of one commit each, at most `maxBytes` of them. They begin with two NULs at the start of a line, where nothing else
 * can have them: a line of a diff begins with a sign, and no message holds a NUL.
 */
async function* records(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let parts: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer) => {
    if (length < maxBytes) parts.push(part);
    length += part.length;
  };
  const close = () => {
    const record = Buffer.concat(parts);
    parts = [];
    length = 0;
    return record;
  };
  // The mark may lie across two chunks.
  let rest: Buffer = Buffer.from('\n');
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, start)) {
      keep(bytes.subarray(start, at + 1));
      if (length > 1) yield close();
      else close();
      start = at + mark.length;
    }
    const end = Math.max(start, bytes.length - mark.length + 1);
    keep(bytes.subarray(start, end));
    rest = bytes.subarray(end);
  }
  keep(rest);
  if (length > 1) yield close();
}

function step(record: Buffer): Step {
  const end = record.indexOf(0);
  const header = record.toString('utf8', 0, end);
  const [id = '', parents = '', authored, committed, name = '', email = '', ...message] = header.split('\n');
  return {
    id,
    parents: parents === '' ? [] : parents.split(' '),
    author: { name, email },
    authoredAt: dateTime(authored),
    committedAt: dateTime(committed),
    message: message.join('\n'),
    files: fileDiffs(record.toString('utf8', end + 1, maxBytes)),
    truncated: record.length >= maxBytes,
  };
}

/** A line of contents has a sign before it, so none looks like the beginning of a file. */
function fileDiffs(text: string): FileDiff[] {
  const files: FileDiff[] = [];
  for (let start = text.indexOf(fileMark); start !== -1;) {
    const next = text.indexOf(fileMark, start + 1);
    files.push(fileDiff(text.slice(start + 1, next === -1 ? text.length : next + 1)));
    start = next;
  }
  return files;
}

function fileDiff(text: string): FileDiff {
  const firstHunk = text.indexOf('\n@@ ');
  const head = firstHunk === -1 ? text : text.slice(0, firstHunk);
  const names = head.slice(fileMark.length - 1, head.indexOf('\n'));
  const [, oldBlobId = null, mode = null] = /^index ([0-9a-f]+)\.\.[0-9a-f]+(?: (\d+))?$/m.exec(head) ?? [];
  const [, change, changedMode = null] =
    (head.includes(' mode ') && /^(new file|deleted file|new) mode (\d+)$/m.exec(head)) || [];
  return {
    path: pathIn(names),
    status: change === 'new file' ? 'added' : change === 'deleted file' ? 'deleted' : 'modified',
    mode: changedMode ?? mode,
    oldBlobId: change === 'new file' ? null : oldBlobId,
    binary: firstHunk === -1 && /^Binary files .* differ$/m.test(head),
    ...(firstHunk === -1 ? { hunks: 0, added: 0, removed: 0 } : countLines(text, firstHunk)),
    text,
  };
}

/** `a/PATH b/PATH`: without renames both halves are the same path. */
function pathIn(names: string): string {
  const half = names.slice(0, (names.length - 1) / 2);
  // A copy: a path is kept for longer than the diff that it would be a part of.
  if (!half.startsWith('"')) return Buffer.from(half).toString('utf8', 'a/'.length);
  return half.slice('"a/'.length, -1).replace(/\\(?:([0-7]{3})|(.))/g, (_, octal?: string, letter?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return escapes[letter ?? ''] ?? letter ?? '';
  });
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

function countLines(text: string, from: number): Pick<FileDiff, 'hunks' | 'added' | 'removed'> {
  const counts = { hunks: 0, added: 0, removed: 0 };
  for (let at = from; at !== -1; at = text.indexOf('\n', at + 1)) {
    const sign = text.charCodeAt(at + 1);
    if (sign === 43) counts.added += 1;
    else if (sign === 45) counts.removed += 1;
    else if (sign === 64) counts.hunks += 1;
  }
  return counts;
}
