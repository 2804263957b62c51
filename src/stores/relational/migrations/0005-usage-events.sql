-- The sums of the ledger by member too, and found by day: a question may be of any days.
ALTER TABLE usage_rollup ADD COLUMN member_id text NOT NULL DEFAULT '';
TRUNCATE usage_rollup;
ALTER TABLE usage_rollup
  DROP CONSTRAINT usage_rollup_pkey,
  ALTER COLUMN member_id DROP DEFAULT,
  ADD PRIMARY KEY (organization_id, day, member_id, product, operation, class);
INSERT INTO usage_rollup (organization_id, period, day, member_id, product, operation, class, calls, credits)
SELECT organization_id, period, (occurred_at AT TIME ZONE 'UTC')::date, member_id, product, operation, class, count(*), sum(credits)
FROM usage_ledger GROUP BY 1, 2, 3, 4, 5, 6, 7;

-- What organizations tell of their own work (CloudEvents); source and id are theirs, and one event.
CREATE TABLE usage_event (
  organization_id text NOT NULL REFERENCES organization (id),
  source          text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  event_id        text COLLATE "C" NOT NULL,
  type            text COLLATE "C" NOT NULL,
  subject         text,
  time            timestamptz NOT NULL,
  datacontenttype text,
  -- Not jsonb, which can't hold every JSON text.
  data            json,
  member_id       text NOT NULL,
  key_id          text NOT NULL,
  received_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, source, id)
);
CREATE INDEX usage_event_time ON usage_event (organization_id, time, event_id);
CREATE INDEX usage_event_type ON usage_event (organization_id, type, time, event_id);
ALTER TABLE usage_event ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON usage_event TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT ON usage_event TO ris_app;

-- Their sums, by the day they were received: what is over does not change any more.
CREATE TABLE usage_event_rollup (
  organization_id text NOT NULL,
  day             date NOT NULL,
  member_id       text NOT NULL,
  events          bigint NOT NULL,
  PRIMARY KEY (organization_id, day, member_id)
);
ALTER TABLE usage_event_rollup ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON usage_event_rollup TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT, UPDATE ON usage_event_rollup TO ris_app;
