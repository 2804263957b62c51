import type { Schema } from '../sqlite.ts';

/**
 * Each text is here once, whoever has it: it is known by its own digest, which nobody can claim for another one, and seen only through
 * the files of the repositories that are asked for. `trigrams` says which texts have three characters that follow one another:
 * so a text of any length is found in few others. What it finds is looked at in the text itself. Contents are sealed (../sqlite.ts).
 */
export const sourceSchema: Schema = {
  version: 8,
  sql: `
    CREATE TABLE repositories (
      key INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      generation TEXT NOT NULL,
      -- 1 where its source was not left out.
      kept INTEGER NOT NULL
    ) STRICT;

    -- digest: the SHA-256 of the text; content: the text, compressed.
    CREATE TABLE blobs (key INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, content BLOB NOT NULL) STRICT;

    CREATE TABLE files (
      repository_key INTEGER NOT NULL,
      path TEXT NOT NULL,
      blob_key INTEGER NOT NULL,
      language TEXT,
      test INTEGER NOT NULL,
      left_out TEXT,
      -- Who wrote its lines, in JSON, compressed.
      history BLOB,
      PRIMARY KEY (repository_key, path)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX files_blob ON files (blob_key);

    -- By the key of the blob. With where they stand a sixth fewer texts would be looked at, in eight times the room.
    CREATE VIRTUAL TABLE trigrams USING fts5 (
      text, tokenize = 'trigram case_sensitive 0', detail = 'none', content = '', contentless_delete = 1
    );

    CREATE TABLE commits (
      key INTEGER PRIMARY KEY,
      repository_key INTEGER NOT NULL,
      id TEXT NOT NULL,
      committed_at TEXT NOT NULL,
      -- 0 where it is found by some of what it changed, or by nothing of it.
      whole INTEGER NOT NULL,
      -- Where the commit itself is: its line in a block, from 0.
      block_key INTEGER NOT NULL,
      line INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX commits_repository ON commits (repository_key);
    CREATE INDEX commits_incomplete ON commits (repository_key) WHERE whole = 0;

    -- content: some commits in JSON, a line each, compressed together, as what one says the next one says again.
    CREATE TABLE commit_blocks (
      key INTEGER PRIMARY KEY, repository_key INTEGER NOT NULL, content BLOB NOT NULL
    ) STRICT;
    CREATE INDEX commit_blocks_repository ON commit_blocks (repository_key);

    -- By the key of the commit; terms as sqlite-commits.ts writes them.
    CREATE VIRTUAL TABLE commit_messages USING fts5 (
      subject, body, tokenize = 'ascii', detail = 'full', content = '', contentless_delete = 1
    );
    CREATE VIRTUAL TABLE commit_marks USING fts5 (
      marked, tokenize = 'ascii', detail = 'none', content = '', contentless_delete = 1
    );
  `,
};
