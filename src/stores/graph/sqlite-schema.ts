import type { Schema } from '../sqlite.ts';

/**
 * A repository's nodes and edges have keys that follow one another, and `repositories` says which: so a repository is read and
 * removed by range, and loading it keeps no index but the one on node ids. What lies between repositories and contributors is
 * in tables of its own: the repository level is answered without looking at the code inside.
 */
export const graphSchema: Schema = {
  version: 2,
  sql: `
    CREATE TABLE repositories (
      key INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      generation TEXT NOT NULL,
      first_node INTEGER NOT NULL,
      end_node INTEGER NOT NULL,
      first_edge INTEGER NOT NULL,
      end_edge INTEGER NOT NULL,
      -- Counts how often links from or to its symbols changed.
      links INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    -- A contributor is here once for each repository that has it.
    CREATE TABLE nodes (key INTEGER PRIMARY KEY, type TEXT NOT NULL, id TEXT NOT NULL, node TEXT NOT NULL) STRICT;
    CREATE INDEX nodes_id ON nodes (id);

    CREATE TABLE edges (
      key INTEGER PRIMARY KEY,
      type TEXT NOT NULL,
      from_key INTEGER NOT NULL,
      to_key INTEGER NOT NULL,
      weight REAL NOT NULL,
      confidence REAL NOT NULL,
      strategy TEXT NOT NULL,
      path TEXT,
      line INTEGER
    ) STRICT;

    CREATE TABLE repository_nodes (
      repository_key INTEGER NOT NULL,
      type TEXT NOT NULL,
      id TEXT NOT NULL,
      node TEXT NOT NULL,
      PRIMARY KEY (repository_key, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX repository_nodes_id ON repository_nodes (id);

    -- link: 1 for an edge between repositories (replaceLinks), 0 for one of a repository's own snapshot.
    CREATE TABLE repository_edges (
      type TEXT NOT NULL,
      from_id TEXT NOT NULL,
      to_id TEXT NOT NULL,
      repository_key INTEGER NOT NULL,
      link INTEGER NOT NULL,
      weight REAL NOT NULL,
      confidence REAL NOT NULL,
      strategy TEXT NOT NULL,
      path TEXT,
      line INTEGER,
      PRIMARY KEY (type, from_id, to_id, link)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX repository_edges_from ON repository_edges (from_id);
    CREATE INDEX repository_edges_to ON repository_edges (to_id);
    CREATE INDEX repository_edges_repository ON repository_edges (repository_key);

    -- Edges that begin or end at a symbol of another repository, by the names of both.
    CREATE TABLE symbol_links (
      type TEXT NOT NULL,
      from_id TEXT NOT NULL,
      to_id TEXT NOT NULL,
      from_repository TEXT NOT NULL,
      to_repository TEXT NOT NULL,
      weight REAL NOT NULL,
      confidence REAL NOT NULL,
      strategy TEXT NOT NULL,
      path TEXT,
      line INTEGER,
      PRIMARY KEY (type, from_id, to_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX symbol_links_from ON symbol_links (from_id);
    CREATE INDEX symbol_links_to ON symbol_links (to_id);
    CREATE INDEX symbol_links_from_repository ON symbol_links (from_repository);
    CREATE INDEX symbol_links_to_repository ON symbol_links (to_repository);

    -- Whose links are whole, and which repositories they were to lead to.
    CREATE TABLE link_generations (repository TEXT PRIMARY KEY, generation TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE link_targets (
      target TEXT NOT NULL,
      repository TEXT NOT NULL,
      PRIMARY KEY (target, repository)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX link_targets_repository ON link_targets (repository);

    CREATE TABLE counts (
      repository_key INTEGER NOT NULL,
      what TEXT NOT NULL CHECK (what IN ('node', 'edge')),
      type TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (repository_key, what, type)
    ) STRICT, WITHOUT ROWID;
  `,
};
