CREATE TABLE snapshot (
  repository text COLLATE "C" PRIMARY KEY,
  generation text NOT NULL,
  info       jsonb NOT NULL,
  content_id uuid NOT NULL,
  size_bytes bigint NOT NULL,
  loaded_at  timestamptz NOT NULL DEFAULT now()
);

-- The bytes of a snapshot file. Rows that no snapshot points to belong to a load that runs, or that was killed.
CREATE TABLE snapshot_chunk (
  content_id uuid NOT NULL,
  seq        integer NOT NULL,
  repository text COLLATE "C" NOT NULL,
  bytes      bytea NOT NULL,
  PRIMARY KEY (content_id, seq)
);

CREATE INDEX snapshot_chunk_repository ON snapshot_chunk (repository);

-- The loader has compressed them already.
ALTER TABLE snapshot_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;
