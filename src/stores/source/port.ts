import { zstdDecompressSync } from 'node:zlib';
import type { Commit } from '../../model/commit.ts';
import type { LeftOut, LineHistory } from '../../model/snapshot.ts';
import type { CommitPlace, CommitQuery } from '../../search/commits/commit-query.ts';
import type { Expression } from '../../search/text/expression.ts';
import type { Found } from '../../search/text/found.ts';
import type { Circuit } from '../guard.ts';
import type { Healing } from '../healing.ts';

/** A file as the store gives it back. */
export interface StoredFile {
  /** From the root, with `/`. */
  path: string;
  /** Linguist's name; null where it is none that linguist calls a programming language. */
  language: string | null;
  test: boolean;
  /** Why it is no part of the graph; absent where it is. */
  left_out?: LeftOut | undefined;
  /** Who wrote its lines; absent where it is not known. A search does not tell it. */
  history?: LineHistory | undefined;
}

/** Where a file is. */
export interface FilePlace {
  repository: string;
  path: string;
}

/** A text, with all files of the repository that hold it. */
export interface SourceBlob {
  /** The text in UTF-8, compressed by zstd. */
  content: Uint8Array;
  files: readonly StoredFile[];
}

/** The text of a blob; throws where it is none, or larger than any file that is read. */
export function textOf(content: Uint8Array): string {
  // What fits into one piece takes a fifth less time: sources are a third to a sixth of their size.
  const chunkSize = Math.min(Math.max(1024, 6 * content.length), maxPieceBytes);
  return decoder.decode(zstdDecompressSync(content, { maxOutputLength: maxTextBytes, chunkSize }));
}

const maxPieceBytes = 2 ** 20;

const maxTextBytes = 16 * 2 ** 20;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export interface TextQuery {
  expression: Expression;
  /** From 0. */
  offset: number;
  limit: number;
  /** Whether all that fits is looked for, however much: so many are enough if not. */
  isAll?: boolean;
  /** So many files are enough. */
  enough?: number;
  /** Whether it is ended sooner, and at once where others are being answered: who asks can do without. */
  isOptional?: boolean;
}

/** A commit as the store gives it back: what it changed is only found. */
export type StoredCommit = Omit<Commit, 'changed'>;

/** What a search of commits comes to. */
export interface FoundCommits {
  /** A page, in the order asked for. */
  commits: (StoredCommit & {
    repository: string;
    /** Of the words, how well they fit: the sum of what each gives, or the most that one can give where there are none. */
    points: number;
  })[];
  /** Commits on all pages. */
  total: number;
  /** Behind the last of the page; null where there is none. */
  end: CommitPlace | null;
  /** Of each word, whether any commit of these repositories has it; empty where all must be found. */
  known: readonly boolean[];
  /** Of these repositories' commits: how many are kept without all that they changed. */
  incomplete: number;
  /** How many there are of each repository, the most first; empty where that is not asked for. */
  byRepository: readonly { value: string; count: number }[];
}

/** The source of some repositories, or of all. Whatever is not of these is not there. */
export interface SourceReader {
  /** Of each repository that is held, whether its source is. */
  kept(): Promise<Map<string, boolean>>;
  /** Null where there is no such file. */
  read(repository: string, path: string): Promise<(StoredFile & { text: string }) | null>;
  /** Who wrote the lines of these files, in their order; undefined where that is not known, or there is no such file. One request of a server. */
  histories(files: readonly FilePlace[]): Promise<(LineHistory | undefined)[]>;
  /** Throws `BadPattern`, and `SearchTooLong` where it takes longer than a search may. */
  search(query: TextQuery): Promise<Found>;
  /** Throws `SearchTooLong` likewise. */
  commits(query: CommitQuery): Promise<FoundCommits>;
}

/** No search takes longer than this, once it has begun. */
export const maxSearchMs = 4_000;
/** And none that can be done without. */
export const maxOptionalMs = 2_000;

/** A search was ended: what it asks for takes longer than others can wait for. */
export class SearchTooLong extends Error {
  override readonly name = 'SearchTooLong';
  constructor(options?: ErrorOptions) {
    super('The search took too long and was ended.', options);
  }
}

/**
 * Holds the text of the repositories, and the commits of their histories. Promises of every engine:
 * - a replaced repository is seen as the old one or the new one, never as half; after a crash too
 * - the same generation twice changes nothing; a removed repository leaves nothing behind
 * - a search finds the same files on every engine, in the same order, as long as it is complete; an engine that can't be reached
 *   throws `StoreUnavailable`
 * - commits are found alike, with the same points, order and totals
 * - no search holds a thread longer than it may, whatever its expression
 */
export interface SourceStore {
  readonly engine: string;
  /** Of its server; an embedded engine has none. */
  readonly circuit?: Circuit;
  /** Of its file; a server looks after its own. */
  readonly healing?: Healing;
  replaceRepository(snapshot: {
    repository: string;
    generation: string;
    /** False where the source was left out, so that there are no blobs and no commits. */
    isKept: boolean;
    blobs: Iterable<SourceBlob> | AsyncIterable<SourceBlob>;
    commits: Iterable<Commit> | AsyncIterable<Commit>;
  }): Promise<void>;
  /** False when there was none. */
  removeRepository(repository: string): Promise<boolean>;
  generations(): Promise<Map<string, string>>;
  /** Every file of one repository, in no order, without holding them all in memory. None when it is not held. */
  files(repository: string): AsyncIterable<StoredFile & { text: string }>;
  /** Every commit of one repository, likewise. */
  history(repository: string): AsyncIterable<StoredCommit>;
  /** Only these: a name that is not held is ignored. */
  within(repositories: readonly string[]): SourceReader;
  ping(): Promise<void>;
  close(): Promise<void>;
}
