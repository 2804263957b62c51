-- A member who is removed frees their name and seat; what they did goes on naming them.
ALTER TABLE member ADD COLUMN removed_at timestamptz;
ALTER TABLE member DROP CONSTRAINT member_organization_id_name_key;
CREATE UNIQUE INDEX member_name ON member (organization_id, name) WHERE removed_at IS NULL;
DROP INDEX member_subject;
CREATE UNIQUE INDEX member_subject ON member (organization_id, subject) WHERE removed_at IS NULL;

-- An invitation is a pairing that makes a member of this name.
ALTER TABLE cli_pairing ADD COLUMN invited_name text;
CREATE INDEX cli_pairing_organization ON cli_pairing (organization_id, status);

-- What the organization has decided for itself.
ALTER TABLE organization
  ADD COLUMN default_role text NOT NULL DEFAULT 'member' CHECK (default_role IN ('admin', 'member', 'viewer')),
  ADD COLUMN default_key_days integer CHECK (default_key_days > 0);
GRANT UPDATE (name, checkout_hosts, default_role, default_key_days) ON organization TO ris_app;

-- From where a change came. Nobody changes what is written, not even whoever owns the table.
ALTER TABLE audit_log
  ADD COLUMN via text NOT NULL DEFAULT 'api' CHECK (via IN ('api', 'cli', 'provider')),
  ADD COLUMN address text,
  ADD COLUMN user_agent text;
UPDATE audit_log SET via = 'provider' WHERE action = 'checkout_session.completed' AND member_id IS NULL;
UPDATE audit_log SET via = 'cli' WHERE member_id IS NULL AND via = 'api' AND coalesce(details ->> 'reason', '') <> 'wrong_codes';
CREATE INDEX audit_log_page ON audit_log (organization_id, id COLLATE "C");
CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN RAISE EXCEPTION 'the audit log is added to, never changed'; END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
