import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bwrap } from './bwrap.ts';
import { container } from './container.ts';
import { levelSandbox, type LevelOptions } from './level-sandbox.ts';
import { none } from './none.ts';
import { SandboxError, type Sandbox } from './sandbox.ts';
import { unshare } from './unshare.ts';

/** How commands are kept apart from the machine. */
export interface SandboxOptions extends LevelOptions {
  /** Only this level; by default the first that works of bubblewrap and unshare. */
  isolation?: 'bwrap' | 'unshare' | 'none';
  /** Containers of this image instead, by `docker` or `podman`. */
  container?: { program: string; image: string };
  /** Whether `none` is accepted, where nothing else works or where it is asked for. */
  unsafe?: boolean;
}

const levels = [bwrap('--disable-userns'), bwrap(), unshare, none];

/** Opens the best level that works on this machine; throws `SandboxError` where there is none that is accepted. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  if (options.container) {
    const { program, image } = options.container;
    const user = process.getuid ? `${process.getuid()}:${process.getgid?.()}` : '1000:1000';
    return levelSandbox(container(program, image, user), options);
  }
  const problems: string[] = [];
  for (const level of levels) {
    if (options.isolation !== undefined && options.isolation !== level.isolation) continue;
    if (level === none && !options.unsafe) continue;
    const sandbox = await levelSandbox(level, options);
    const problem = await probe(sandbox);
    if (problem === null) return sandbox;
    problems.push(problem);
  }
  throw new SandboxError(
    'unavailable',
    `Tests can't be kept apart from this machine: install bubblewrap, allow user namespaces, name a container image, or accept the risk with --unsafe-no-sandbox. ${problems.join(' ')}`.trim(),
  );
}

/** Runs `true` with all that a run needs; says why that failed. */
async function probe(sandbox: Sandbox): Promise<string | null> {
  const tree = await mkdtemp(join(tmpdir(), 'repo-intel-probe-'));
  try {
    const { exitCode, log } = await sandbox.run({ command: 'true', tree, timeoutMs: 20_000 });
    return exitCode === 0 ? null : `${sandbox.isolation}: ${log.trim()}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await rm(tree, { recursive: true });
  }
}
