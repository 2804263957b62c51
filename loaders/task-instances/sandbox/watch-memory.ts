import { readdirSync, readFileSync, statSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Why a watcher ended a run: it took more than it may, or the machine has next to nothing left. */
export type MemoryProblem = 'over_limit' | 'machine_short';

/** Between two looks, in milliseconds; more where a look itself takes long. */
const intervalMs = 100;
/** What of the machine's memory stays free: where nothing else tells who took it, what nobody vouches for goes first. */
const minAvailable = { share: 1 / 32, bytes: 256 * 1024 ** 2 };

/**
 * Looks at the memory of a process and of all that it started until `signal` aborts, or until they have to be ended: then calls `end`
 * and gives the reason. Linux only: elsewhere it finds nothing.
 */
export async function watchMemory(
  root: number,
  maxBytes: number,
  signal: AbortSignal,
  end: () => void,
): Promise<MemoryProblem | null> {
  const sharedAtFirst = machine().shared;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const processes = descendants(root);
    const { total, available, shared } = machine();
    const isShort = available < Math.min(total * minAvailable.share, minAvailable.bytes);
    // What is shared counts for each that has it, so this is too much at worst; what is in no process, such as memfds, is missing.
    const isSuspect = sumOf(processes, residentOf) > maxBytes || shared - sharedAtFirst > maxBytes / 2;
    if (isShort || (isSuspect && heldBy(processes) > maxBytes)) {
      end();
      return isShort ? 'machine_short' : 'over_limit';
    }
    const tookMs = performance.now() - startedAt;
    await sleep(Math.max(intervalMs, 20 * tookMs), null, { signal }).catch(() => null);
  }
  return null;
}

/** A process and all below it. In a process namespace nothing gets away from its first process, which is among them. */
export function descendants(root: number): number[] {
  const found = [root];
  for (const id of found)
    for (const thread of entriesOf(`/proc/${id}/task`))
      found.push(...read(`/proc/${id}/task/${thread}/children`).split(' ').filter(Boolean).map(Number));
  return found;
}

const residentOf = (id: number) => kilobytes(read(`/proc/${id}/status`), /^(?:RssAnon|RssShmem|VmSwap):\s+(\d+)/gm);

/** What is shared by several counts once; what is in files that are in memory alone counts whether it is mapped or not. */
function heldBy(processes: readonly number[]): number {
  let [own, mapped] = [0, 0];
  for (const id of processes) {
    const rollup = read(`/proc/${id}/smaps_rollup`);
    mapped += kilobytes(rollup, /^Pss_Shmem:\s+(\d+)/gm);
    // Where that may not be asked, what is resident.
    own += /^Pss_Anon:/m.test(rollup) ? kilobytes(rollup, /^(?:Pss_Anon|SwapPss):\s+(\d+)/gm) : residentOf(id);
  }
  return own + Math.max(mapped, memoryFiles(processes));
}

/** Files that are in memory and in no folder, each once. */
function memoryFiles(processes: readonly number[]): number {
  const sizes = new Map<number, number>();
  for (const id of processes)
    for (const descriptor of entriesOf(`/proc/${id}/fd`)) {
      const path = `/proc/${id}/fd/${descriptor}`;
      try {
        if (!readlinkSync(path).startsWith('/memfd:')) continue;
        const { ino, blocks } = statSync(path);
        sizes.set(ino, blocks * 512);
      } catch {
        // Closed meanwhile.
      }
    }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

function machine(): { total: number; available: number; shared: number } {
  const text = read('/proc/meminfo');
  // Bounded: the kernel's own text.
  const bytes = (name: string) => kilobytes(text, new RegExp(`^${name}:\\s+(\\d+)`, 'gm'));
  return text === ''
    ? { total: 0, available: Infinity, shared: 0 }
    : { total: bytes('MemTotal'), available: bytes('MemAvailable'), shared: bytes('Shmem') };
}

const sumOf = (processes: readonly number[], bytesOf: (id: number) => number) =>
  processes.reduce((sum, id) => sum + bytesOf(id), 0);

const kilobytes = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0);

/** Processes end while they are looked at. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
