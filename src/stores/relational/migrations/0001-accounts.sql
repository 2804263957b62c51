CREATE TABLE organization (
  id         text PRIMARY KEY,
  slug       text COLLATE "C" NOT NULL UNIQUE,
  name       text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE member (
  id              text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id),
  name            text NOT NULL,
  role            text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  created_at      timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, name)
);

CREATE TABLE api_key (
  id              text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id),
  member_id       text NOT NULL REFERENCES member (id),
  prefix          text NOT NULL,
  -- HMAC of the key under the pepper: the key itself is nowhere in the database.
  digest          bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz,
  revoked_at      timestamptz,
  last_used_at    timestamptz
);

CREATE INDEX api_key_organization ON api_key (organization_id, created_at);
