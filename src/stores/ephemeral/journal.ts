import { closeSync, existsSync, fdatasync, mkdirSync, openSync, readdirSync, renameSync, writeSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { uuidv7 } from 'uuidv7';
import type { UsageEvent } from '../../model/account.ts';

/** Some events in a file. */
export interface JournalFile {
  path: string;
  /** All of them are in memory as well. */
  isHeld: boolean;
}

/** Events on their way to the ledger, in files: there they outlive the process, however it ends. */
export interface Journal {
  /** What processes that are gone have left. */
  readonly left: readonly JournalFile[];
  /** Writes an event down before it returns; false when the disk does not take it. */
  append(event: UsageEvent, isHeld: boolean): boolean;
  /** Tells from now on when the disk begins to take nothing. */
  onFailure(hear: (error: unknown) => void): void;
  /** Ends the file that is being written, if all of it is held in memory, or not; the next event begins another. */
  end(isHeld: boolean): JournalFile | null;
  /** Survives the loss of power as well from now on. */
  sync(): Promise<void>;
  read(file: JournalFile): AsyncIterable<UsageEvent>;
  remove(file: JournalFile): Promise<void>;
}

const ending = '.jsonl';

/** Opens the journal in a folder, which is made with the first event. */
export function openJournal(folder: string): Journal {
  let current: (JournalFile & { descriptor: number }) | null = null;
  let isFailing = false;
  const listeners: ((error: unknown) => void)[] = [];
  const begin = () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, uuidv7() + ending);
    return { path, isHeld: true, descriptor: openSync(path, 'ax', 0o600) };
  };

  const end = () => {
    const ended = current;
    current = null;
    if (ended) closeSync(ended.descriptor);
    return ended;
  };

  return {
    left: takeOver(folder),

    append(event, isHeld) {
      try {
        // What is written from now on into a file that another process has taken over, nobody might read.
        if (!isHeld && current && !existsSync(current.path)) end();
        current ??= begin();
        // One call of the system: a kill leaves all of the line or nothing.
        writeSync(current.descriptor, `${JSON.stringify(event)}\n`);
        current.isHeld &&= isHeld;
        isFailing = false;
        return true;
      } catch (error) {
        // Once, not for each call.
        if (!isFailing) for (const hear of listeners) hear(error);
        isFailing = true;
        return false;
      }
    },

    onFailure: (hear) => void listeners.push(hear),

    end: (isHeld) => (current?.isHeld === isHeld ? end() : null),

    async sync() {
      if (current) await promisify(fdatasync)(current.descriptor).catch(() => {});
    },

    async *read({ path }) {
      // Gone: another process has taken it over.
      const file = await open(path).catch(() => null);
      for await (const line of file?.readLines() ?? []) {
        const event = parse(line);
        if (event) yield event;
      }
    },

    remove: ({ path }) => rm(path, { force: true }),
  };
}

/**
 * Gives each file a new name, so that of several processes that start at once one has it. One that is still written by a living
 * process may be among them: both will bring it into the ledger, which counts an event once.
 */
function takeOver(folder: string): JournalFile[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(ending))
    .flatMap((name) => {
      const path = join(folder, uuidv7() + ending);
      try {
        renameSync(join(folder, name), path);
        return [{ path, isHeld: false }];
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

/** Null for half a line, which a full disk leaves. */
function parse(line: string): UsageEvent | null {
  try {
    return JSON.parse(line) as UsageEvent;
  } catch {
    return null;
  }
}
