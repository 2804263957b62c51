import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export const launcher = join(import.meta.dirname, '../../src/cli/repo-intel.js');

export interface Outcome {
  /** Null when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A process as a user starts it. */
interface RunningProcess {
  process: ChildProcess;
  /** Everything printed so far. */
  stdout(): string;
  stderr(): string;
  /** SIGTERM, and wait for the end. */
  stop(): Promise<Outcome>;
  /** SIGKILL, and wait for the end. */
  kill(): Promise<Outcome>;
}

/** The service, in a process of its own. */
export interface Running extends RunningProcess {
  /** `http://127.0.0.1:PORT`. */
  address: string;
}

/** Which program is run, and from where; default: the checkout's, from the checkout. */
export interface Program {
  launcher: string;
  cwd: string;
}

function start(
  args: readonly string[],
  environment: Record<string, string>,
  { program, killSignal, input }: { program?: Program; killSignal?: AbortSignal; input?: string } = {},
) {
  const child = spawn(process.execPath, [program?.launcher ?? launcher, ...args], {
    cwd: program?.cwd,
    env: { ...process.env, LOG_LEVEL: 'error', HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', ...environment },
    stdio: 'pipe',
  });
  child.stdin.end(input);
  killSignal?.addEventListener('abort', () => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const ended = new Promise<Outcome>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

/** Runs the command line to its end, as a user does, with this on stdin; SIGKILL when the signal aborts. */
export async function repoIntel(
  args: readonly string[],
  environment: Record<string, string> = {},
  killSignal?: AbortSignal,
  input?: string,
): Promise<Outcome> {
  return start(args, environment, {
    ...(killSignal ? { killSignal } : {}),
    ...(input === undefined ? {} : { input }),
  }).ended;
}

/** The same for a program that lies elsewhere. */
export async function runProgram(
  program: Program,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<Outcome> {
  return start(args, environment, { program }).ended;
}

/** Starts the command line and does not wait for it. */
export function launchCommand(args: readonly string[], environment: Record<string, string>): RunningProcess {
  return running(start(args, environment));
}

/** Starts `repo-intel up` or `serve` on any free port and waits until it says where it serves. */
export async function startRepoIntel(
  args: readonly string[],
  environment: Record<string, string>,
  program?: Program,
): Promise<Running> {
  const { child, ended, stdout, stderr } = start(args, environment, program ? { program } : {});
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [, found] = /^Serving .* at (http:\/\/\S+)/m.exec(stdout()) ?? [];
      if (found && stdout().includes('Stop with Ctrl-C')) resolve(found);
    });
    void ended.then(({ code }) => reject(new Error(`repo-intel ended (${code}) before it served:\n${stderr()}`)));
  });
  return { address, ...running({ child, ended, stdout, stderr }) };
}

/** Starts `repo-intel serve` on a port that was free just now, and does not wait for it. */
export async function launchRepoIntel(environment: Record<string, string>): Promise<Running> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return { address: `http://127.0.0.1:${port}`, ...running(start(['serve'], { ...environment, PORT: String(port) })) };
}

/** Starts `repo-intel worker` and waits until it takes jobs. */
export async function startWorker(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<RunningProcess> {
  const worker = start(['worker', ...args], environment);
  await new Promise<void>((resolve, reject) => {
    worker.child.stderr.on('data', () => worker.stderr().includes('"msg":"waiting for jobs"') && resolve());
    void worker.ended.then(({ code }) => reject(new Error(`The worker ended (${code}):\n${worker.stderr()}`)));
  });
  return running(worker);
}

function running({ child, ended, stdout, stderr }: ReturnType<typeof start>): RunningProcess {
  const end = (signal: 'SIGTERM' | 'SIGKILL') => () => {
    child.kill(signal);
    return ended;
  };
  return { process: child, stdout, stderr, stop: end('SIGTERM'), kill: end('SIGKILL') };
}

/** The key in what the first start printed. */
export function keyIn(text: string): string {
  const key = /ris_live_[0-9A-Za-z]{38}/.exec(text)?.[0];
  if (key === undefined) throw new Error(`There is no API key in:\n${text}`);
  return key;
}

/** GET with a key; the body as JSON. */
export async function get<T>(address: string, path: string, key: string): Promise<{ status: number; body: T }> {
  const response = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: (await response.json()) as T };
}
