-- What happened in an organization, each event written in the transaction that made it true.
CREATE TABLE event (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization (id),
  -- From 1, without gaps.
  sequence        bigint NOT NULL,
  id              text COLLATE "C" NOT NULL UNIQUE,
  type            text COLLATE "C" NOT NULL,
  -- Id or name of what it is about.
  subject         text COLLATE "C" NOT NULL,
  -- The repository that it tells of, as its owner calls it: a key that is restricted to others does not see it. Null: of none.
  tells_of        text COLLATE "C",
  data            jsonb NOT NULL,
  occurred_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, sequence)
);
CREATE INDEX event_occurred ON event (occurred_at);
ALTER TABLE event ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON event TO ris_app USING (organization_id = tenant());
GRANT SELECT ON event TO ris_app;

-- The last number of each. Whoever takes the next one holds the row until its commit: so events are seen in the order of their
-- numbers, and none appears behind one that somebody has read.
CREATE TABLE event_head (
  organization_id text COLLATE "C" PRIMARY KEY REFERENCES organization (id),
  last            bigint NOT NULL
);
ALTER TABLE event_head ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON event_head TO ris_app USING (organization_id = tenant());

-- As due diligence graded it when it was loaded, so that a change is told; null where it was not.
ALTER TABLE pipeline_run ADD COLUMN grade text;
