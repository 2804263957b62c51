import { createHash } from 'node:crypto';

/** What a command prints: its beginning and its end are kept, all of it is digested. */
export class CappedLog {
  readonly #most: number;
  readonly #digest = createHash('sha256');
  #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  /** Bytes that were printed. */
  total = 0;

  /** `most` bytes are kept of either. */
  constructor(most: number) {
    this.#most = most;
  }

  add(chunk: Buffer): void {
    this.total += chunk.length;
    this.#digest.update(chunk);
    const head = chunk.subarray(0, this.#most - this.#headBytes);
    if (head.length > 0) this.#head.push(head);
    this.#headBytes += head.length;
    const rest = chunk.subarray(head.length);
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Dropped in whole chunks, and cut once at the end.
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= this.#most) this.#tailBytes -= this.#tail.shift()!.length;
  }

  text(): string {
    const tail = Buffer.concat(this.#tail).subarray(-this.#most);
    const left = this.total - this.#headBytes - tail.length;
    const head = Buffer.concat(this.#head).toString('utf8');
    return `${head}${left > 0 ? `\n… ${left} bytes left out …\n` : ''}${tail.toString('utf8')}`;
  }

  /** May be asked for once. */
  sha256(): string {
    return this.#digest.digest('hex');
  }
}
