import type { FileFacts } from './fact.ts';

/** A file with its facts, as resolution takes it. */
export interface Document {
  path: string;
  /** The same object until facts are let go. */
  readonly facts: FileFacts;
  /** A step of the work is done, and nobody needs its facts: lets all go where there are too many. Says how often that has happened. */
  release?(): number;
}
