-- Who a member is at the identity provider: the `sub` of its tokens.
ALTER TABLE member ADD COLUMN subject text COLLATE "C";
CREATE UNIQUE INDEX member_subject ON member (organization_id, subject);

-- What the key may do at most, where that is less than its member may.
ALTER TABLE api_key ADD COLUMN role text CHECK (role IN ('owner', 'admin', 'member', 'viewer'));

-- What somebody may do with a key: the lesser of both roles.
CREATE FUNCTION key_role(key text, member text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT ranks[greatest(array_position(ranks, key), array_position(ranks, member))]
  FROM (SELECT ARRAY['owner', 'admin', 'member', 'viewer'] AS ranks) AS roles
$$;

-- Tokens of owners that were used: each is good once.
CREATE TABLE used_owner_jwt (
  digest          bytea PRIMARY KEY CHECK (length(digest) = 32),
  organization_id text NOT NULL REFERENCES organization (id),
  expires_at      timestamptz NOT NULL
);
CREATE INDEX used_owner_jwt_expires ON used_owner_jwt (expires_at);
ALTER TABLE used_owner_jwt ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON used_owner_jwt TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT ON used_owner_jwt TO ris_app;

CREATE TABLE cli_pairing (
  id              text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id),
  -- The owner who asked for it.
  member_id       text NOT NULL REFERENCES member (id),
  -- The first letters of the code; null when it can no longer be claimed.
  selector        text COLLATE "C" UNIQUE CHECK ((selector IS NULL) = (status <> 'pending')),
  -- HMAC of the code under the pepper: the code itself is nowhere in the database.
  secret_digest   bytea NOT NULL CHECK (length(secret_digest) = 32),
  status          text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'claimed', 'expired', 'revoked')),
  wrong_secrets   smallint NOT NULL DEFAULT 0,
  device_name     text,
  role            text NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz NOT NULL
);
CREATE INDEX cli_pairing_expires ON cli_pairing (status, expires_at);
ALTER TABLE cli_pairing ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON cli_pairing TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT, UPDATE ON cli_pairing TO ris_app;

-- A session ends with its key, and has no state of its own.
CREATE TABLE cli_session (
  id              text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id),
  member_id       text NOT NULL REFERENCES member (id),
  api_key_id      text NOT NULL UNIQUE REFERENCES api_key (id),
  pairing_id      text NOT NULL UNIQUE REFERENCES cli_pairing (id),
  device_name     text,
  -- Name, version and platform, as the client says them.
  client          jsonb,
  created_at      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX cli_session_organization ON cli_session (organization_id, created_at);
ALTER TABLE cli_session ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON cli_session TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT ON cli_session TO ris_app;
