import type { TemporaryFile } from '../temporary-file.ts';
import type { Document } from '../facts/document.ts';
import type { FileFacts } from '../facts/fact.ts';

/** The facts of all files of one repository: a bounded part of them in memory, the rest in a temporary file. */
export interface FactsSpool {
  add(path: string, facts: FileFacts, size: number): Document;
  /** All are there. What is in memory does not depend on the order in which they came. */
  complete(): void;
}

/** A class, as there are very many: what they share costs each nothing. */
class SpooledDocument implements Document {
  readonly path: string;
  readonly release: () => number;
  readonly #index: number;
  readonly #factsAt: (index: number) => FileFacts;

  constructor(path: string, index: number, factsAt: (index: number) => FileFacts, release: () => number) {
    this.path = path;
    this.release = release;
    this.#index = index;
    this.#factsAt = factsAt;
  }

  get facts(): FileFacts {
    return this.#factsAt(this.#index);
  }
}

/** Of facts as JSON; as objects they take twice as much. */
export const maxBytes = {
  /** All of what some thousand files say. */
  usual: 128 * 2 ** 20,
  /** There the rest needs room too, and is read from the disk for the most part either way. */
  large: 16 * 2 ** 20,
};

/**
 * Opens an empty spool that holds as many bytes of facts in memory; more, where fewer steps than `minSteps` need more, for reading
 * them again and again takes too long.
 */
export function openFactsSpool(file: TemporaryFile, most = maxBytes.usual, minSteps = 500): FactsSpool {
  let held: (FileFacts | undefined)[] = [];
  let heldBytes = 0;
  let times = 0;
  let steps = 0;
  const starts: number[] = [];
  const sizes: number[] = [];

  const write = (index: number, facts: FileFacts) => {
    const bytes = Buffer.from(JSON.stringify(facts));
    starts[index] = file.append(bytes);
    sizes[index] = bytes.length;
  };
  const read = (index: number): FileFacts => {
    const bytes = file.read(starts[index] ?? 0, sizes[index] ?? 0);
    const facts = JSON.parse(bytes.toString()) as FileFacts;
    held[index] = facts;
    heldBytes += bytes.length;
    return facts;
  };
  const release = () => {
    steps++;
    if (heldBytes <= most) return times;
    if (steps < minSteps) most *= 2;
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

  const factsAt = (index: number) => held[index] ?? read(index);
  let count = 0;
  return {
    add(path, facts, size) {
      const index = count++;
      held[index] = facts;
      heldBytes += size;
      if (heldBytes > most) letGo();
      return new SpooledDocument(path, index, factsAt, release);
    },
    complete() {
      if (times > 0) letGo();
    },
  };
}
