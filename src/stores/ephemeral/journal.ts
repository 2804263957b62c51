import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { uuidv7 } from 'uuidv7';
import type { UsageEvent } from '../../model/account.ts';
import { isDiskFull, InsufficientStorage, StoreUnavailable } from '../errors.ts';
import { openJournalReserve, segmentBytes } from './journal-reserve.ts';

/** Some events, in the files in which they were written. */
export interface JournalFile {
  paths: string[];
  /** All of them are in memory as well. */
  isHeld: boolean;
  /** No other process can still be writing there. */
  isOurs: boolean;
}

/** Events on their way to the ledger, in files: there they outlive the process, however it ends. */
export interface Journal {
  /** What processes that are gone have left. */
  readonly left: readonly JournalFile[];
  /** Bytes that can be written whatever becomes of the disk. */
  readonly reservedBytes: number;
  /**
   * Writes an event down before it returns. Throws `InsufficientStorage` when neither the disk nor what is reserved on it has room,
   * `StoreUnavailable` when the folder can't be written to.
   */
  append(event: UsageEvent, isHeld: boolean): void;
  /** Tells from now on when the folder begins to take nothing. */
  onFailure(hear: (error: unknown) => void): void;
  /** Ends the file that is being written, if all of it is held in memory, or not; the next event begins another. */
  end(isHeld: boolean): JournalFile | null;
  /** Survives the loss of power as well from now on. */
  sync(): Promise<void>;
  read(file: JournalFile): AsyncIterable<UsageEvent>;
  /** What it took is reserved again where the reserve is not whole. */
  remove(file: JournalFile): Promise<void>;
  /** Makes the reserve whole again, as far as the disk has room. */
  reserve(): Promise<void>;
}

const ending = '.jsonl';

/** The files of a journal, whoever writes them. */
export function journalFiles(folder: string): string[] {
  return namesIn(folder).filter((name) => name.endsWith(ending));
}

/** Opens the journal in a folder, which is made with the reserve or the first event. `isShared`: other processes may have it open. */
export function openJournal(folder: string, { isShared }: { isShared: boolean }): Journal {
  const reserve = openJournalReserve(folder);
  let current: (JournalFile & { descriptor: number; position: number }) | null = null;
  let isFailing = false;
  const listeners: ((error: unknown) => void)[] = [];

  /** A file of the reserve under a name of ours; where there is none, a new one. */
  const begin = () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, uuidv7() + ending);
    return { path, descriptor: openSync(path, reserve.take(path) ? 'r+' : 'wx', 0o600) };
  };

  const end = () => {
    const ended = current;
    current = null;
    if (ended) closeSync(ended.descriptor);
    return ended && { paths: ended.paths, isHeld: ended.isHeld, isOurs: true };
  };

  const write = (line: Buffer) => {
    if (!current) {
      const { path, descriptor } = begin();
      current = { paths: [path], isHeld: true, isOurs: true, descriptor, position: 0 };
    }
    try {
      writeWhole(current.descriptor, line, current.position);
    } catch (error) {
      if (!isDiskFull(error) || reserve.bytes() === 0) throw error;
      const { path, descriptor } = begin();
      fdatasyncSync(current.descriptor);
      closeSync(current.descriptor);
      Object.assign(current, { paths: [...current.paths, path], descriptor, position: 0 });
      writeWhole(current.descriptor, line, 0);
    }
    // Half a line stays behind this place when the disk took no more, and the next line is written over it.
    current.position += line.length;
  };

  return {
    left: takeOver(folder).map((path) => ({ paths: [path], isHeld: false, isOurs: !isShared })),

    get reservedBytes() {
      return reserve.bytes() + Math.max(0, current ? segmentBytes - current.position : 0);
    },

    append(event, isHeld) {
      try {
        // What is written from now on into a file that another process has taken over, nobody might read.
        if (current && !existsSync(current.paths.at(-1) ?? '')) end();
        // One call of the system: a kill leaves all of the line or nothing that can be read.
        write(Buffer.from(`${JSON.stringify(event)}\n`));
        if (current) current.isHeld &&= isHeld;
        isFailing = false;
      } catch (error) {
        // Once, not for each call.
        if (!isFailing) for (const hear of listeners) hear(error);
        isFailing = true;
        throw isDiskFull(error)
          ? new InsufficientStorage({ cause: error })
          : new StoreUnavailable('ephemeral', { cause: error });
      }
    },

    onFailure: (hear) => void listeners.push(hear),

    end: (isHeld) => (current?.isHeld === isHeld ? end() : null),

    async sync() {
      if (current) await promisify(fdatasync)(current.descriptor).catch(() => {});
    },

    async *read({ paths }) {
      for (const path of paths) {
        // Gone: another process has taken it over.
        const file = await open(path).catch(() => null);
        for await (const line of file?.readLines() ?? []) {
          const event = parse(line);
          if (event) yield event;
        }
      }
    },

    async remove({ paths, isOurs }) {
      for (const path of paths) if (!isOurs || !(await reserve.giveBack(path))) await rm(path, { force: true });
    },

    reserve: reserve.fill,
  };
}

/** The system may take less than it is given, without an error: a full disk takes the first half of a line. */
function writeWhole(descriptor: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
}

/**
 * Gives each file a new name, so that of several processes that start at once one has it. One that is still written by a living
 * process may be among them: both will bring it into the ledger, which counts an event once.
 */
function takeOver(folder: string): string[] {
  return journalFiles(folder).flatMap((name) => {
    const path = join(folder, uuidv7() + ending);
    try {
      renameSync(join(folder, name), path);
      return [path];
    } catch {
      return [];
    }
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Null for part of a line, which a full disk leaves, and for the zeros of what is reserved and not yet written. */
function parse(line: string): UsageEvent | null {
  try {
    const value: unknown = JSON.parse(line.replace(/^\0+/, ''));
    return typeof value === 'object' && value !== null && 'event_id' in value ? (value as UsageEvent) : null;
  } catch {
    return null;
  }
}
