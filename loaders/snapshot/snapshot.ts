import type { KeptHistory } from './kept-history.ts';
import type { DatedCommit } from './quarters.ts';
import type { LeftOut, Skipped } from '../../src/model/snapshot.ts';

/** One file of a snapshot that is worth reading: by its path not binary, vendored or generated; `inspect` judges content. */
export interface SourceFile {
  /** From the root, with `/`. */
  path: string;
  /** Git blob id of the content, also for folders without git: what facts are cached by. */
  blobId: string;
  size: number;
  /** Linguist's name of the language; null when it is none that linguist calls a programming language. */
  language: string | null;
  /** Its path says it is a test, by the conventions of the languages' test runners. */
  test: boolean;
  /** By linguist's rules: documentation, an example or a sample. */
  documentation: boolean;
  /**
   * What figures about code count it as, which no repository decides by itself: `language` but for what `.gitattributes` say against
   * the file's own name, and `documentation` only where its path says so. `byContent`: its name says no language, and it reads like code.
   */
  countedAs: { language: string | null; aside: boolean; byContent?: true };
}

/** A file that was left out and is text all the same: it can be searched and read, and is told nothing of otherwise. */
export interface AsideFile extends SourceFile {
  reason: LeftOut;
  /** What says so. */
  by: 'gitattributes' | 'path';
}

/** A file that nobody may read: it is too large, or has a name that no text can stand for. */
export interface UnreadFile extends SourceFile {
  reason: 'too_large' | 'not_utf8';
}

/** A repository at one commit; reads only, never changes what it reads. */
export interface OpenSnapshot {
  name: string;
  /** Absolute path or URL without credentials. */
  source: string;
  /** `owner/name`, by where it was cloned from; `local/FOLDER` where that is not known. */
  fullName: string;
  /** Its page on the forge that it was cloned from, without credentials; null where that is none that is known. */
  forge: string | null;
  commit: string | null;
  branch: string | null;
  committedAt: string | null;
  /** Hash of all that is read: the commit's tree id, or made from the files' blob ids where there is no git. */
  treeId: string;
  files: readonly SourceFile[];
  skipped: readonly Skipped[];
  /** Of those left out, what may be text: vendored, generated or minified by its path. */
  aside: readonly AsideFile[];
  unread: readonly UnreadFile[];
  /** One sentence each: shallow clone, submodules left out, no history. */
  warnings: readonly string[];
  /**
   * Content of these paths (skipped ones too), in this order, one at a time, of a text in UTF-8; null for one that can't be read or is
   * too large.
   */
  read(paths: readonly string[]): AsyncIterable<{ path: string; content: Uint8Array | null }>;
  /** Symbolic links of the tree with what is written in them, so many at most; none of a folder, whose links may change while it is read. */
  links(most: number): AsyncIterable<{ path: string; target: string }>;
  /** The clone lacks the older part of its history. */
  shallow: boolean;
  /** Tags of commits that led to `commit`, or to another, by name. */
  tags(of?: string): Promise<readonly Tag[]>;
  /**
   * `commit` and, before it, the first commit of each quarter, the oldest first: so many at most; nothing where there is no history.
   */
  quarters(most: number): Promise<readonly DatedCommit[]>;
  /** The same repository at commits before it, whose history was read. */
  past(history: KeptHistory): Past;
  /** The commits that led to `commit`, newest first, streamed; nothing where there is no history. */
  history(): CommitsTold;
  /** What merges made of their sides that none of these had. */
  mergeChanges(): AsyncIterable<MergeChange>;
  /** Contents of blobs that the history names, in this order; null for one that is not at hand. */
  blobs(ids: readonly string[]): AsyncIterable<Uint8Array | null>;
  close(): Promise<void>;
}

/** A repository at several commits, which share processes of git until it is closed. */
export interface Past {
  at(commit: DatedCommit): Promise<OpenSnapshot>;
  close(): Promise<void>;
}

export interface Tag {
  name: string;
  /** When it was made, milliseconds since 1970. */
  at: number;
  /** Id of the commit that it names; of one that names another tag, that tag's. */
  commit: string;
}

/** As git prints them, or at once where they are at hand. */
export type CommitsTold = AsyncIterable<HistoryCommit> | Iterable<HistoryCommit>;

/** One commit of `git log --raw --numstat -M --use-mailmap`. */
export interface HistoryCommit {
  id: string;
  parents: readonly string[];
  author: Person;
  /** RFC 3339 with the author's own offset kept as UTC. */
  authoredAt: string;
  committedAt: string;
  subject: string;
  /** The rest of its message, or how that begins. */
  body: string;
  changes: readonly FileChange[];
}

export interface Person {
  /** After mailmap. */
  name: string;
  email: string;
}

export interface FileChange {
  path: string;
  /** Before a rename or copy; null otherwise. */
  oldPath: string | null;
  status: 'A' | 'M' | 'D' | 'R' | 'C' | 'T';
  /** Null for binary files. */
  added: number | null;
  deleted: number | null;
  /** Blob ids; zeros where there is no file. */
  blobs: { before: string; after: string };
}

/** A file that a merge made other than each of its sides had it. */
export interface MergeChange extends Pick<FileChange, 'path'> {
  commit: string;
  /** `before`: of the first side; zeros where there is no file. */
  blobs: FileChange['blobs'];
  /** Of all sides, the first one's at the beginning. */
  sides: readonly string[];
}
