import type { Schema } from '../sqlite.ts';
import { SCORE_VERSION } from '../../search/ranking/score.ts';

/**
 * A repository's documents have keys that follow one another, and `repositories` says which. What they are found by is held by
 * segments (segments/), each written once: its terms with their documents are the `blocks` from one key to before another, and from
 * there on those of its terms that stand in names, alone: what is mistyped is looked for among these. Its blobs are sealed
 * (../sqlite.ts): no others can be read, as they are read again and again without being looked at.
 */
export const searchSchema: Schema = {
  version: SCORE_VERSION * 1000 + 9,
  sql: `
    CREATE TABLE repositories (
      key INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      generation TEXT NOT NULL,
      first_document INTEGER NOT NULL,
      end_document INTEGER NOT NULL
    ) STRICT;

    -- shared: a contributor, of whom several repositories may have a document; searches show one.
    CREATE TABLE documents (
      key INTEGER PRIMARY KEY,
      repository_key INTEGER NOT NULL,
      shared INTEGER NOT NULL,
      id TEXT NOT NULL,
      name TEXT NOT NULL,
      -- All but its id and name, in JSON.
      document TEXT NOT NULL
    ) STRICT;
    CREATE INDEX documents_shared ON documents (id) WHERE shared = 1;

    -- dead: a bit for each document that is gone, and how many these are. No key comes twice.
    CREATE TABLE segments (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      first_block INTEGER NOT NULL,
      first_names INTEGER NOT NULL,
      end_block INTEGER NOT NULL,
      size INTEGER NOT NULL,
      dead_count INTEGER NOT NULL,
      dead BLOB NOT NULL
    ) STRICT;

    -- What of a segment never changes. keys, statics: of each document, 4 and 2 bytes. first_terms (in JSON), implied (a byte): of each
    -- block of terms; first_names (in JSON): of each block of those in names.
    CREATE TABLE segment_data (
      segment INTEGER PRIMARY KEY,
      keys BLOB NOT NULL,
      statics BLOB NOT NULL,
      first_terms BLOB NOT NULL,
      first_names BLOB NOT NULL,
      implied BLOB NOT NULL
    ) STRICT;

    CREATE TABLE blocks (key INTEGER PRIMARY KEY, terms BLOB NOT NULL) STRICT;
  `,
};
