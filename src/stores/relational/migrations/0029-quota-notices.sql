-- What an organization was told of the credits of its plan, each share of them once a month.
CREATE TABLE quota_notice (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization (id),
  -- First day of the month, UTC.
  period          date NOT NULL,
  plan_id         text COLLATE "C" NOT NULL,
  -- Of the included credits.
  percent         smallint NOT NULL CHECK (percent > 0),
  PRIMARY KEY (organization_id, period, plan_id, percent)
);
CREATE INDEX quota_notice_period ON quota_notice (period);
ALTER TABLE quota_notice ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON quota_notice TO ris_app USING (organization_id = tenant());
