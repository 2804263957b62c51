import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The process that holds a data folder, in its own words. */
export interface DataFolderOwner {
  pid: number;
  command: string;
  /** RFC 3339, UTC. */
  since: string;
  /** Where it serves; null while it does not. */
  address: string | null;
  /** How a command of the same user hands it work; null while it takes none. */
  control: { port: number; token: string } | null;
}

/** The living process that says it holds this folder; null where none does. It may be gone by now. */
export async function holderOf(folder: string): Promise<DataFolderOwner | null> {
  const owner = await ownerIn(join(folder, 'owner.json'));
  return owner && isAlive(owner.pid) ? owner : null;
}

const ownerIn = (file: string): Promise<DataFolderOwner | null> => readFile(file, 'utf8').then(ownerFrom, () => null);

/** Null where somebody else wrote it: without a schema, as a question is asked in less time than one takes to load. */
function ownerFrom(text: string): DataFolderOwner | null {
  const { pid, command, since, address, control } = JSON.parse(text) as Partial<Record<keyof DataFolderOwner, unknown>>;
  if (typeof pid !== 'number' || typeof command !== 'string' || typeof since !== 'string') return null;
  const { port, token } = { ...(control as Partial<Record<'port' | 'token', unknown>> | null) };
  return {
    pid,
    command,
    since,
    address: typeof address === 'string' ? address : null,
    control: typeof port === 'number' && typeof token === 'string' ? { port, token } : null,
  };
}

/** A holder that has just begun, or taken over from a killed one, has not written yet: wait a little for a living one's words. */
export async function readOwner(file: string): Promise<DataFolderOwner | null> {
  let owner: DataFolderOwner | null = null;
  for (let tries = 0; tries < 20 && !(owner && isAlive(owner.pid)); tries += 1) {
    if (tries > 0) await sleep(50);
    owner = await ownerIn(file);
  }
  return owner;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
