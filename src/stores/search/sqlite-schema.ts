import type { Schema } from '../sqlite.ts';
import { SCORE_VERSION } from './score.ts';

/**
 * A repository's documents have keys that follow one another, and `repositories` says which. `words` holds tokens only, already
 * split by tokens.ts (so its own tokenizer cuts at spaces alone); `terms` has the tokens of names, to look for what was mistyped.
 */
export const searchSchema: Schema = {
  version: SCORE_VERSION * 1000 + 3,
  sql: `
    CREATE TABLE repositories (
      key INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      generation TEXT NOT NULL,
      first_document INTEGER NOT NULL,
      end_document INTEGER NOT NULL,
      terms TEXT NOT NULL
    ) STRICT;

    -- language and frameworks (a list in JSON): in small letters. static: see score.ts.
    -- hidden: a contributor is shown once, as the first of the repositories (by name) that have him.
    CREATE TABLE documents (
      key INTEGER PRIMARY KEY,
      repository_key INTEGER NOT NULL,
      hidden INTEGER NOT NULL DEFAULT 0,
      id TEXT NOT NULL,
      type TEXT NOT NULL,
      name TEXT NOT NULL,
      qualified_name TEXT,
      repository TEXT,
      language TEXT,
      frameworks TEXT NOT NULL,
      static INTEGER NOT NULL,
      document TEXT NOT NULL
    ) STRICT;
    CREATE INDEX documents_static ON documents (static) WHERE hidden = 0;
    CREATE INDEX documents_name ON documents (name) WHERE hidden = 0;
    CREATE INDEX documents_shared ON documents (id) WHERE repository IS NULL;

    CREATE VIRTUAL TABLE words USING fts5 (
      name, qualified, path, text, marks,
      content = '', contentless_delete = 1, detail = full, prefix = '2 3', tokenize = 'ascii'
    );

    CREATE TABLE terms (term TEXT PRIMARY KEY, repositories INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
};
