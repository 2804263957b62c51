import { spawn } from 'node:child_process';
// What git itself needs of the caller's environment (PATH, HOME, proxies); none of our settings come this way.
import { env } from 'node:process';
import { Readable } from 'node:stream';
import { SnapshotError } from './snapshot-error.ts';

/** How one git command runs. */
export interface GitOptions {
  /** Where it starts; with `gitDir` this changes nothing of what it reads. */
  cwd?: string;
  /** The repository, taken as bare: neither its work tree nor its index is looked at. */
  gitDir?: string;
  /** Settings for this one command, `name=value`. */
  config?: readonly string[];
  /** Protocols that git may use, `https:ssh`; none by default, so that reading a repository never reaches the network. */
  protocols?: string;
  /** Added to git's environment. */
  environment?: Record<string, string>;
  /** Written to its standard input. */
  input?: string | Uint8Array | Readable;
  /** Without a byte for this long it counts as hanging and is ended; 120 s by default. */
  idleMs?: number;
  /** Called with each line of progress and messages. */
  onMessage?: (line: string) => void;
  signal?: AbortSignal;
}

/** A git command that ended with an error; `stderr` is what it said. */
export class GitFailure extends Error {
  readonly stderr: string;
  readonly exitCode: number | null;

  constructor(command: string, exitCode: number | null, stderr: string) {
    super(
      `git ${command} failed${exitCode === null ? '' : ` (${exitCode})`}: ${lastLine(stderr) || 'it said nothing'}`,
    );
    this.name = 'GitFailure';
    this.stderr = stderr;
    this.exitCode = exitCode;
  }
}

/**
 * A repository is untrusted input and its config can name programs to run. These switch off each one that the commands
 * used here could start, and what would make the output differ from machine to machine.
 */
const hardening = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.askPass=',
  'core.quotePath=false',
  'core.untrackedCache=false',
  'core.attributesFile=/dev/null',
  'log.showSignature=false',
  'diff.external=',
  'diff.algorithm=myers',
  'diff.renameLimit=1000',
  'diff.noprefix=false',
  'diff.orderFile=/dev/null',
  'i18n.logOutputEncoding=UTF-8',
  'color.ui=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'fetch.recurseSubmodules=false',
  'submodule.recurse=false',
  'protocol.allow=never',
];

const settings = (list: readonly string[]) => list.flatMap((setting) => ['-c', setting]);

/** Bytes that git writes, with back-pressure; throws GitFailure when it fails, SnapshotError when it is missing or hangs. */
export async function* gitStream(args: readonly string[], options: GitOptions = {}): AsyncGenerator<Buffer, void> {
  options.signal?.throwIfAborted();
  const child = spawn(
    'git',
    [...(options.gitDir ? ['--bare'] : []), ...settings([...hardening, ...(options.config ?? [])]), ...args],
    {
      cwd: options.cwd ?? options.gitDir,
      env: environment(options),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    },
  );
  const idleMs = options.idleMs ?? 120_000;
  let failure: Error | null = null;
  let stderr = '';
  let timer: NodeJS.Timeout | undefined;
  // Asked first, so that git ends its own helpers and takes an unfinished clone away; they may hold the pipe open.
  let ended = false;
  const end = () => {
    ended = true;
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 2_000).unref();
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      failure = new SnapshotError(
        'timeout',
        `git ${args[0]} gave nothing for ${idleMs / 1000} s and was ended: look whether the disk or the network hangs, then try again.`,
      );
      end();
    }, idleMs);
  };
  child.on('error', (error: NodeJS.ErrnoException) => {
    failure =
      error.code === 'ENOENT'
        ? new SnapshotError('git_missing', 'The program git was not found: install git 2.30 or newer and try again.', {
            cause: error,
          })
        : new SnapshotError('git_failed', `git could not be started: ${error.message}.`, { cause: error });
  });
  const closed = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (timer) watch();
    stderr = (stderr + text).slice(-16_384);
    if (options.onMessage) for (const line of text.split(/[\r\n]+/)) if (line.trim()) options.onMessage(line.trim());
  });
  // It may end before it has read everything; its exit code says why.
  child.stdin.on('error', () => {});
  if (options.input instanceof Readable) options.input.pipe(child.stdin);
  else child.stdin.end(options.input ?? '');
  options.signal?.addEventListener('abort', end, { once: true });
  try {
    watch();
    for await (const chunk of readable(child.stdout, () => ended)) {
      // While the caller is busy, git is not hanging.
      clearTimeout(timer);
      timer = undefined;
      yield chunk;
      watch();
    }
    const exitCode = await closed;
    clearTimeout(timer);
    options.signal?.throwIfAborted();
    if (failure) throw failure as Error;
    if (exitCode !== 0) throw new GitFailure(args[0] ?? '', exitCode, stderr);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', end);
    if (child.exitCode === null && child.signalCode === null) end();
  }
}

/** A stream that was closed on purpose simply ends. */
async function* readable(stream: AsyncIterable<Buffer>, closedOnPurpose: () => boolean): AsyncGenerator<Buffer, void> {
  try {
    yield* stream;
  } catch (error) {
    if (!closedOnPurpose()) throw error;
  }
}

/** What git prints, as text. */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of gitStream(args, options)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** What git writes with `-z`: all that ends with a NUL, as many at a time as have come. */
export async function* nulSeparated(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer[], void> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    const records: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const record = chunk.subarray(start, end);
      records.push(rest.length === 0 ? record : Buffer.concat([...rest, record]));
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
    if (records.length > 0) yield records;
  }
}

/** The caller's environment without what would lead git elsewhere or make it ask a person. */
function environment(options: GitOptions): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) =>
      !/^(GIT_|SSH_ASKPASS)/i.test(name) || /^GIT_(SSH|SSH_COMMAND|SSL_CAINFO|SSL_CAPATH|EXEC_PATH)$/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    LANGUAGE: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: options.protocols ?? '',
    ...(options.gitDir ? { GIT_DIR: options.gitDir } : {}),
    ...options.environment,
  };
}

function lastLine(text: string): string {
  return (
    text
      .trim()
      .split(/[\r\n]+/)
      .at(-1) ?? ''
  );
}
