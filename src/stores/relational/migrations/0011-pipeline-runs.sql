-- Each time that a repository was measured. What is measured belongs to the repository, as its graph does, not to an organization.
CREATE TABLE pipeline_run (
  id               text PRIMARY KEY,
  repository       text COLLATE "C" NOT NULL,
  -- Null for a folder without git.
  commit           text,
  committed_at     timestamptz,
  analyzer_version text NOT NULL,
  status           text NOT NULL CHECK (status IN ('running', 'succeeded', 'failed')),
  error            text,
  measurements     jsonb,
  started_at       timestamptz NOT NULL DEFAULT now(),
  completed_at     timestamptz,
  CHECK ((status = 'succeeded') = (measurements IS NOT NULL)),
  CHECK ((status = 'running') = (completed_at IS NULL))
);
CREATE INDEX pipeline_run_repository ON pipeline_run (repository, completed_at);
