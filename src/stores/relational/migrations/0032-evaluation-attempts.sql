-- What an attempt answered, and what was seen of it, beside its outcome and gone with it. Compressed by zstd: logs and trajectories are long
-- and say the same over and over.
CREATE TABLE evaluation_attempt (
  organization_id text NOT NULL,
  run_id          text COLLATE "C" NOT NULL,
  model           text COLLATE "C" NOT NULL,
  instance_id     text COLLATE "C" NOT NULL,
  -- The patch, and which tests passed.
  answer          bytea NOT NULL,
  log             bytea,
  trajectory      bytea,
  PRIMARY KEY (organization_id, run_id, model, instance_id),
  FOREIGN KEY (organization_id, run_id, model, instance_id) REFERENCES evaluation_outcome ON DELETE CASCADE
);

ALTER TABLE evaluation_attempt ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON evaluation_attempt TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT, DELETE ON evaluation_attempt TO ris_app;
