import { execFile, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { CappedLog } from './capped-log.ts';
import { readReports } from './read-reports.ts';
import { SandboxError, type SandboxRequest, type SandboxResult } from './sandbox.ts';
import { watchMemory, type MemoryProblem } from './watch-memory.ts';

/** What became of a sandbox's process. */
interface ProcessResult extends Omit<SandboxResult, 'network' | 'refused' | 'outOfMemory'> {
  memoryProblem: MemoryProblem | null;
  /** Whether the command itself was reached. */
  started: boolean;
  /** Whether its files had no room left. */
  full: boolean;
  /** What the outer half said, which only it can. */
  messages: string;
}

/** Of either end of what is printed. */
const keptBytes = 1024 ** 2;
/** How long what is left in the pipes may take to be read. */
const heldOpenMs = 5_000;
/** Who prints more than this is ended. */
const maxPrinted = 1024 ** 3;

/**
 * Runs a level's command line in a process group of its own, and ends it as a whole. With the reports on descriptor 1 all that is
 * printed comes by descriptor 2.
 */
export async function runProcess(
  argv: readonly string[],
  request: Pick<SandboxRequest, 'reports' | 'into' | 'timeoutMs' | 'signal'>,
  maxMemoryBytes: number,
  reportsOn: 1 | 3,
  endWith?: readonly string[],
): Promise<ProcessResult> {
  request.signal?.throwIfAborted();
  const [program = '', ...args] = argv;
  const child = spawn(program, args, {
    detached: true,
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const startedAt = performance.now();
  let timedOut = false;
  let ended = false;
  const end = () => {
    ended = true;
    // Its namespaces, where it has some, end with it.
    if (child.pid !== undefined) endGroup(child.pid);
    if (endWith) execFile(endWith[0] ?? '', endWith.slice(1), () => {});
  };
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, request.timeoutMs);
  request.signal?.addEventListener('abort', end, { once: true });
  const watch = new AbortController();
  const watching =
    child.pid === undefined ? Promise.resolve(null) : watchMemory(child.pid, maxMemoryBytes, watch.signal, end);

  const log = new CappedLog(keptBytes);
  const messages = new CappedLog(16_384);
  const listen = (stream: Readable, heard: CappedLog) =>
    stream.on('data', (chunk: Buffer) => {
      heard.add(chunk);
      if (log.total > maxPrinted) end();
    });
  const streams = child.stdio.slice(1) as [Readable, Readable, Readable, Readable];
  const [stdout, stderr, three, four] = streams;
  if (reportsOn === 3) listen(stdout, log);
  listen(stderr, reportsOn === 3 ? messages : log);
  let status = '';
  four.setEncoding('latin1').on('data', (text: string) => {
    status = (status + text).slice(0, 1_024);
  });
  const reading = readReports(reportsOn === 3 ? three : stdout, request);
  if (reportsOn === 1) three.resume();
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
      // Without namespaces something may have escaped, and hold what it printed to open.
      child.on('exit', () => setTimeout(() => streams.forEach((stream) => stream.destroy()), heldOpenMs).unref());
    });
    const reports = await reading;
    watch.abort();
    const memoryProblem = await watching;
    request.signal?.throwIfAborted();
    return {
      exitCode: ended ? null : code,
      timedOut,
      memoryProblem,
      durationMs: performance.now() - startedAt,
      log: log.text(),
      logSha256: log.sha256(),
      reports: reports.files,
      tooLarge: reports.tooLarge,
      reportsProblem: log.total > maxPrinted ? 'it printed more than any log has and was ended' : reports.problem,
      // docker and podman exit with 125 where they themselves fail.
      started: reportsOn === 3 ? status.includes('started') : code !== 125,
      full: status.includes('full'),
      messages: messages.text(),
    };
  } catch (error) {
    request.signal?.throwIfAborted();
    throw new SandboxError('not_started', `${program} could not be started: ${(error as Error).message}.`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    watch.abort();
    request.signal?.removeEventListener('abort', end);
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
