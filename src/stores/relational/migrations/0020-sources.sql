-- Repositories that are kept as they are where they come from. No secret is in a row: those of webhooks are derived from the pepper.
CREATE TABLE source (
  id              text COLLATE "C" PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization (id),
  -- As it was named.
  address         text NOT NULL,
  -- What all addresses of the same repository have in common.
  place           text COLLATE "C" NOT NULL,
  -- Branch, tag or commit; empty: the default branch.
  ref             text NOT NULL DEFAULT '',
  every_seconds   integer NOT NULL,
  -- Named by whoever runs the service; else it may lead nowhere but to the public internet.
  trusted         boolean NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  -- When it is looked at next.
  due_at          timestamptz NOT NULL DEFAULT now(),
  -- When it was looked at last, and when that last went well.
  tried_at        timestamptz,
  checked_at      timestamptz,
  -- The name that its organization's repository has, and the commit that was there when that went well.
  repository_name text COLLATE "C",
  commit          text,
  -- What went wrong the last time, one sentence.
  error           text,
  UNIQUE (organization_id, place, ref)
);
CREATE INDEX source_due ON source (due_at);
CREATE INDEX source_place ON source (place);
ALTER TABLE source ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON source TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT, DELETE ON source TO ris_app;

-- Deliveries of forges that have counted, so that none counts twice.
CREATE TABLE source_delivery (
  source_id       text COLLATE "C" NOT NULL REFERENCES source (id) ON DELETE CASCADE,
  organization_id text NOT NULL REFERENCES organization (id),
  delivery_id     text COLLATE "C" NOT NULL,
  received_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source_id, delivery_id)
);
CREATE INDEX source_delivery_received ON source_delivery (received_at);
ALTER TABLE source_delivery ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON source_delivery TO ris_app USING (organization_id = tenant());
