-- Who owns a repository. Everything else that is kept of one names it by its key.
CREATE TABLE repository (
  key             text COLLATE "C" PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id),
  name            text COLLATE "C" NOT NULL,
  -- `owner/name`, by where it was cloned from; what it is called where the benchmark has it. Null until it is known.
  full_name       text COLLATE "C",
  -- Every organization may read it.
  shared          boolean NOT NULL DEFAULT false,
  created_at      timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, name)
);
CREATE INDEX repository_shared ON repository (key) WHERE shared;

ALTER TABLE evaluation_run
  ADD COLUMN organization_id text REFERENCES organization (id),
  ADD COLUMN shared boolean NOT NULL DEFAULT false;

-- What there is already is the default organization's, or the only one's. Where there are several, each could read it and still can.
DO $$
DECLARE
  organizations integer := (SELECT count(*) FROM organization);
  owner         text := (SELECT id FROM organization WHERE slug = 'default');
  now_ms        bigint := extract(epoch FROM now()) * 1000;
BEGIN
  IF owner IS NULL AND organizations = 1 THEN
    owner := (SELECT id FROM organization);
  END IF;
  IF owner IS NULL AND (EXISTS (SELECT FROM snapshot) OR EXISTS (SELECT FROM pipeline_run) OR EXISTS (SELECT FROM task_instance)
      OR EXISTS (SELECT FROM mint_run) OR EXISTS (SELECT FROM evaluation_run)) THEN
    -- The id is a ULID, as all are: ten characters of time and sixteen of chance.
    INSERT INTO organization (id, slug, name)
      SELECT 'org_' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + CASE
          WHEN place < 10 THEN (now_ms >> (5 * (9 - place))) & 31 ELSE floor(random() * 32)::bigint END::integer, 1), '' ORDER BY place),
        'default', 'Default'
      FROM generate_series(0, 25) AS place
      RETURNING id INTO owner;
  END IF;
  INSERT INTO repository (key, organization_id, name, full_name, shared)
    SELECT key, owner, key, CASE WHEN key LIKE '%/%' THEN key END, organizations > 1 FROM (
      SELECT repository FROM snapshot UNION SELECT repository FROM pipeline_run UNION
      SELECT repo FROM task_instance UNION SELECT repo FROM mint_run) AS kept (key);
  UPDATE evaluation_run SET organization_id = owner, shared = organizations > 1;
END
$$;

ALTER TABLE evaluation_run
  ALTER COLUMN organization_id SET NOT NULL,
  DROP CONSTRAINT evaluation_run_pkey,
  ADD PRIMARY KEY (organization_id, run_id, model);
-- Two organizations may have minted from the same place.
ALTER TABLE task_instance
  DROP CONSTRAINT task_instance_pkey,
  ADD PRIMARY KEY (instance_id, repo);

-- An organization reads its own and the shared ones; repositories are made and shared by whoever runs the service.
ALTER TABLE repository ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON repository FOR SELECT TO ris_app
  USING (organization_id = tenant() OR (shared AND tenant() IS NOT NULL));
GRANT SELECT ON repository TO ris_app;

-- The subqueries find only what the policy above lets through.
ALTER TABLE snapshot ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON snapshot FOR SELECT TO ris_app USING (repository IN (SELECT key FROM repository));
GRANT SELECT ON snapshot TO ris_app;

ALTER TABLE snapshot_chunk ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON snapshot_chunk FOR SELECT TO ris_app USING (repository IN (SELECT key FROM repository));
GRANT SELECT ON snapshot_chunk TO ris_app;

ALTER TABLE pipeline_run ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON pipeline_run FOR SELECT TO ris_app USING (repository IN (SELECT key FROM repository));
GRANT SELECT ON pipeline_run TO ris_app;

ALTER TABLE task_instance ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON task_instance FOR SELECT TO ris_app USING (repo IN (SELECT key FROM repository));
GRANT SELECT ON task_instance TO ris_app;

ALTER TABLE mint_run ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON mint_run FOR SELECT TO ris_app USING (repo IN (SELECT key FROM repository));
GRANT SELECT ON mint_run TO ris_app;

ALTER TABLE evaluation_run ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON evaluation_run TO ris_app USING (organization_id = tenant());
CREATE POLICY readable ON evaluation_run FOR SELECT TO ris_app USING (shared AND tenant() IS NOT NULL);
GRANT SELECT, INSERT, UPDATE ON evaluation_run TO ris_app;
