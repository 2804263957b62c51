import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileFacts } from './fact.ts';

/** A file with its facts, as resolution takes it. */
export interface Document {
  path: string;
  /** The same object until facts are let go. */
  readonly facts: FileFacts;
  /** A step of the work is done, and nobody needs its facts: lets all go where there are too many. Says how often that has happened. */
  release?(): number;
}

/** The facts of all files of one repository: a bounded part of them in memory, the rest in a temporary file. */
export interface FactsSpool {
  add(path: string, facts: FileFacts, size: number): Document;
  /** All are there. What is in memory does not depend on the order in which they came. */
  complete(): void;
  close(): void;
}

/** Of facts as JSON; as objects they take twice as much. Above that is what thirty thousand files say. */
const mostBytes = 192 * 2 ** 20;

/**
 * Opens an empty spool that holds as many bytes of facts in memory; more, where fewer steps than `leastSteps` need more, for reading
 * them again and again takes too long.
 */
export function openFactsSpool(most = mostBytes, leastSteps = 500): FactsSpool {
  let held: (FileFacts | undefined)[] = [];
  let heldBytes = 0;
  let times = 0;
  let steps = 0;
  let file: number | null = null;
  let end = 0;
  const starts: number[] = [];
  const sizes: number[] = [];

  const write = (index: number, facts: FileFacts) => {
    file ??= openTemporary();
    const bytes = Buffer.from(JSON.stringify(facts));
    starts[index] = end;
    sizes[index] = bytes.length;
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, end + done);
    end += bytes.length;
  };
  const read = (index: number): FileFacts => {
    if (file === null) throw new Error('The facts of this repository are closed.');
    const bytes = Buffer.allocUnsafe(sizes[index] ?? 0);
    for (let done = 0; done < bytes.length;) {
      const count = readSync(file, bytes, done, bytes.length - done, (starts[index] ?? 0) + done);
      if (count === 0) throw new Error('The temporary file of facts was cut short.');
      done += count;
    }
    const facts = JSON.parse(bytes.toString()) as FileFacts;
    held[index] = facts;
    heldBytes += bytes.length;
    return facts;
  };
  const release = () => {
    steps++;
    if (heldBytes <= most) return times;
    if (steps < leastSteps) most *= 2;
    else letGo();
    return times;
  };
  const letGo = () => {
    for (const [index, facts] of held.entries()) if (facts && starts[index] === undefined) write(index, facts);
    held = [];
    heldBytes = 0;
    steps = 0;
    times++;
  };

  let count = 0;
  return {
    add(path, facts, size) {
      const index = count++;
      held[index] = facts;
      heldBytes += size;
      if (heldBytes > most) letGo();
      return {
        path,
        get facts() {
          return held[index] ?? read(index);
        },
        release,
      };
    },
    complete() {
      if (times > 0) letGo();
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
      held = [];
    },
  };
}

/** A file without a name: it is gone with who has it open. */
function openTemporary(): number {
  const folder = mkdtempSync(join(tmpdir(), 'repo-intel-facts-'));
  try {
    return openSync(join(folder, 'facts'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
