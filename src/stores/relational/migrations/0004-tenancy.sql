-- What belongs to an organization is read and written as this role, which row-level security holds to that organization: a
-- query that forgets whose rows it wants finds none. Roles are the whole server's, so another database may have made it.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ris_app') THEN
    CREATE ROLE ris_app NOLOGIN;
  END IF;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
  WHEN insufficient_privilege THEN
    RAISE EXCEPTION 'the role ris_app is missing; as an administrator: CREATE ROLE ris_app NOLOGIN; GRANT ris_app TO %;', current_user;
END
$$;
DO $$
BEGIN
  IF NOT pg_has_role(current_user, 'ris_app', 'MEMBER') THEN
    EXECUTE format('GRANT ris_app TO %I', current_user);
  END IF;
END
$$;

-- Whose rows this transaction may see; null, which equals nothing, where it has not said so.
CREATE FUNCTION tenant() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('app.organization_id', true), '') $$;

ALTER TABLE api_key ADD COLUMN pepper_version smallint NOT NULL DEFAULT 1;
ALTER TABLE api_key ADD COLUMN name text;

ALTER TABLE organization ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON organization TO ris_app USING (id = tenant());
GRANT SELECT ON organization TO ris_app;

ALTER TABLE member ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON member TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT, UPDATE ON member TO ris_app;

ALTER TABLE api_key ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON api_key TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT, UPDATE ON api_key TO ris_app;

ALTER TABLE usage_ledger ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON usage_ledger TO ris_app USING (organization_id = tenant());
GRANT SELECT ON usage_ledger TO ris_app;

ALTER TABLE usage_rollup ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON usage_rollup TO ris_app USING (organization_id = tenant());
GRANT SELECT ON usage_rollup TO ris_app;

-- Who changed what; added to, never changed.
CREATE TABLE audit_log (
  id              text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id),
  -- Null: an operator, at the machine itself.
  member_id       text,
  key_id          text,
  action          text NOT NULL,
  subject         text NOT NULL,
  details         jsonb NOT NULL DEFAULT '{}',
  occurred_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX audit_log_organization ON audit_log (organization_id, occurred_at);
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON audit_log TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT ON audit_log TO ris_app;

-- What was answered to a request with an Idempotency-Key, kept in the transaction that did its work.
CREATE TABLE idempotency_key (
  organization_id text NOT NULL,
  key             text COLLATE "C" NOT NULL,
  fingerprint     bytea NOT NULL CHECK (length(fingerprint) = 32),
  method          text NOT NULL,
  route           text NOT NULL,
  status          smallint NOT NULL,
  headers         jsonb NOT NULL,
  body            text NOT NULL,
  request_id      text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key)
);
CREATE INDEX idempotency_key_expires ON idempotency_key (expires_at);
ALTER TABLE idempotency_key ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON idempotency_key TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_key TO ris_app;
