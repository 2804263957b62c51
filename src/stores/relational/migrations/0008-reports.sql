-- A report is its own job: a service takes it under a lease, which it renews while it works; the result stays until it expires.
CREATE TABLE report (
  id              text COLLATE "C" PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id),
  type            text NOT NULL,
  name            text,
  format          text NOT NULL CHECK (format IN ('json', 'csv', 'markdown')),
  parameters      jsonb NOT NULL,
  status          text NOT NULL DEFAULT 'pending'
                  CHECK (status IN ('pending', 'running', 'succeeded', 'failed', 'expired')),
  progress        double precision NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
  created_by      text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  started_at      timestamptz,
  completed_at    timestamptz,
  expires_at      timestamptz,
  -- Nobody else takes it before: it is being made, or its next try waits.
  leased_until    timestamptz NOT NULL DEFAULT now(),
  -- How often it was taken; tells who has it from who had it.
  attempt         integer NOT NULL DEFAULT 0,
  content         bytea,
  content_type    text,
  size_bytes      integer,
  sha256          text,
  error_code      text,
  error_message   text,
  CHECK ((content IS NOT NULL) = (status = 'succeeded')),
  CHECK ((error_code IS NOT NULL) = (status = 'failed'))
);
CREATE INDEX report_organization ON report (organization_id, created_at, id);
CREATE INDEX report_due ON report (created_at, id) WHERE status IN ('pending', 'running');
CREATE INDEX report_running ON report (organization_id) WHERE status = 'running';
CREATE INDEX report_expires ON report (expires_at) WHERE status = 'succeeded';
ALTER TABLE report ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON report TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT, DELETE ON report TO ris_app;
