import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Resident memory of a process in MB, now and at its highest; null where /proc does not tell. */
export function memoryOf(pid: number | 'self'): { now: number; peak: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  } catch {
    return null;
  }
}

/** Seconds of processor time that a process has taken: tells what a load costs where others use the machine too. */
export function processorSecondsOf(pid: number | 'self'): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  // User and system time, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The process of this machine that listens where the URL leads; null where there is none that we may look at. */
export function listenerOf(url: string): number | null {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  try {
    const sockets = ['/proc/net/tcp', '/proc/net/tcp6']
      .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[1]?.endsWith(`:${port}`) && fields[3] === '0A')
      .map((fields) => `socket:[${fields[9]}]`);
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const pid = pids.find((each) => openFiles(Number(each)).some((file) => sockets.includes(file)));
    return pid === undefined ? null : Number(pid);
  } catch {
    return null;
  }
}

/** The size in MB of the folders that this process has files open in, and whose paths match. */
export function diskOf(pid: number, folders: RegExp): number | null {
  const found = new Set(openFiles(pid).flatMap((file) => folders.exec(file)?.[0] ?? []));
  return found.size === 0 ? null : [...found].reduce((sum, folder) => sum + folderSize(folder), 0);
}

/** Of all files below, in MB. */
export function folderSize(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  // Allocated, not apparent: a server may reserve more than it wrote.
  const sizes = files.map((file) => statSync(join(file.parentPath, file.name)).blocks * 512);
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}

function openFiles(pid: number): string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).flatMap((name) => {
      try {
        return [readlinkSync(join(folder, name))];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
