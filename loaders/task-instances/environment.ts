import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { TaskEnvironment } from '../../src/model/task-instance.ts';
import { makeRoom } from './make-room.ts';
import { memoryProblem, type Containment } from './containment.ts';
import type { Sandbox, SandboxResult } from './sandbox/sandbox.ts';
import { suiteEnvironment } from './suite-environment.ts';
import type { SetupResult, SuiteRequest } from './suite.ts';

/** Environments that were set up, kept on disk. */
export interface Environments {
  /** Sets one up, if that has not been done; then `layerOf` knows it. */
  prepare(request: SuiteRequest): Promise<SetupResult>;
  /** What the setup added, for a sandbox; null where it was not set up or that failed. */
  layerOf(environment: TaskEnvironment): Promise<string | null>;
}

export interface EnvironmentOptions {
  /** Holds a folder for each environment. */
  folder: string;
  /** Together they have no more; the one not used for longest goes first. */
  maxBytes: number;
  /** Milliseconds. */
  timeoutMs: number;
  /** What setups reach. */
  containment: Containment;
}

const keptSchema = z.object({
  problem: z.string().nullable(),
  duration_ms: z.number(),
  log: z.string(),
  network: z.enum(['none', 'proxy', 'host']),
  /** What it reached and might take, as JSON: where that changed, what failed is tried again. */
  containment: z.string(),
});

/** A registry that was away may be there again. */
const failureKeptMs = 60 * 60 * 1_000;

/** What was downloaded is installed then, and need not be kept twice. */
const downloads = 'export PIP_NO_CACHE_DIR=1 npm_config_cache=$TMPDIR/npm YARN_CACHE_FOLDER=$TMPDIR/yarn';

/** Opens the environments in a folder. */
export function openEnvironments(sandbox: Sandbox, options: EnvironmentOptions): Environments {
  const { containment } = options;
  const contained = JSON.stringify(containment);
  const underWay = new Map<string, Promise<SetupResult>>();

  // Its key alone is what an instance from elsewhere says of itself: what is run decides too.
  const folderOf = ({ env_key, setup_cmds, env }: TaskEnvironment) => {
    const { SOURCE_DATE_EPOCH: _, ...others } = env;
    const identity = JSON.stringify([env_key, setup_cmds, others, sandbox.isolation]);
    return join(options.folder, createHash('sha256').update(identity).digest('hex'));
  };

  const setUp = async ({ tree, environment, signal }: SuiteRequest): Promise<SetupResult> => {
    const folder = folderOf(environment);
    const kept = await keptResult(folder, contained);
    if (kept) return kept;
    const partial = `${folder}.${randomUUID()}.part`;
    await mkdir(join(partial, 'layer'), { recursive: true });
    try {
      const run = await sandbox.run({
        command: ['set -e', downloads, ...environment.setup_cmds].join('\n'),
        tree,
        keep: join(partial, 'layer'),
        env: await suiteEnvironment(environment, containment.setup_network !== 'none'),
        network: containment.setup_network,
        timeoutMs: options.timeoutMs,
        ...(signal ? { signal } : {}),
      });
      const problem = run.exitCode === 0 ? null : problemOf(run, options);
      const log = problem === null ? run.log : run.log + explanationOf(run);
      const result = { problem, duration_ms: run.durationMs, log, network: run.network };
      const written: z.infer<typeof keptSchema> = { ...result, containment: contained };
      await writeFile(join(partial, 'result.json'), JSON.stringify(written));
      await rm(folder, { recursive: true, force: true });
      // Another process may have been quicker with the same.
      await rename(partial, folder).catch(() => {});
      await makeRoom(options.folder, options.maxBytes);
      return result;
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  };

  return {
    prepare(request) {
      if (request.environment.setup_cmds.length === 0)
        return Promise.resolve({ problem: null, duration_ms: 0, log: '', network: containment.setup_network });
      const folder = folderOf(request.environment);
      const running = underWay.get(folder) ?? setUp(request).finally(() => underWay.delete(folder));
      underWay.set(folder, running);
      return running;
    },
    async layerOf(environment) {
      const folder = folderOf(environment);
      const kept = await keptResult(folder, contained);
      if (kept?.problem !== null) return null;
      const now = new Date();
      await utimes(folder, now, now);
      return join(folder, 'layer');
    },
  };
}

function problemOf({ timedOut, outOfMemory, exitCode, refused }: SandboxResult, options: EnvironmentOptions): string {
  if (timedOut) return `it took longer than ${options.timeoutMs / 1_000} s`;
  if (outOfMemory) return memoryProblem(options.containment.limits);
  const asked = refused.length === 0 ? '' : `; it asked for ${refused.join(', ')}`;
  return `it ended with ${exitCode}${asked}`;
}

/** What whoever wrote the setup, for a machine with all of the network, needs to know. */
function explanationOf({ network, refused }: SandboxResult): string {
  if (network !== 'proxy') return '';
  const lines = [
    'A setup has no network but a proxy to registries, which HTTP_PROXY and HTTPS_PROXY name: what does not heed them reaches nothing.',
    ...refused.map((one) => `Refused: ${one}`),
    '--allow-host HOST admits one more host. --unsafe-host-network gives setups all that this machine reaches, itself too.',
  ];
  return `\n${lines.map((line) => `[repo-intel] ${line}\n`).join('')}`;
}

async function keptResult(folder: string, contained: string): Promise<SetupResult | null> {
  const file = join(folder, 'result.json');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  const kept = keptSchema.safeParse(JSON.parse(text));
  // Of an earlier version.
  if (!kept.success) return null;
  const { containment, ...result } = kept.data;
  const isOld = async () => Date.now() - (await stat(file)).mtimeMs > failureKeptMs;
  return result.problem !== null && (containment !== contained || (await isOld())) ? null : result;
}
