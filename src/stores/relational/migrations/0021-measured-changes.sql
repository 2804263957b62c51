-- What led from one commit of an organization's repository to another: asked for, and measured by a job.
CREATE TABLE measured_change (
  organization_id text NOT NULL REFERENCES organization (id),
  -- What its organization calls it.
  repository_name text COLLATE "C" NOT NULL,
  -- Branches, tags or commits, as they were asked for.
  base            text COLLATE "C" NOT NULL,
  head            text COLLATE "C" NOT NULL,
  -- Another one may measure something else.
  analyzer        text COLLATE "C" NOT NULL,
  -- When it was asked for last.
  asked_at        timestamptz NOT NULL DEFAULT now(),
  -- When the last measurement ended, and how: with a change, or with what was wrong, one sentence.
  ended_at        timestamptz,
  change          jsonb,
  error           text,
  PRIMARY KEY (organization_id, repository_name, base, head, analyzer),
  CHECK ((ended_at IS NOT NULL) = (change IS NOT NULL OR error IS NOT NULL))
);
CREATE INDEX measured_change_waiting ON measured_change (organization_id, asked_at) WHERE ended_at IS NULL;
CREATE INDEX measured_change_ended ON measured_change (organization_id, ended_at);
CREATE INDEX measured_change_asked ON measured_change (asked_at);
ALTER TABLE measured_change ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON measured_change TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT, UPDATE ON measured_change TO ris_app;
