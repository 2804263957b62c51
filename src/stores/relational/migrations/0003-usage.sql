CREATE TABLE usage_ledger (
  -- First day of the UTC month of occurred_at.
  period          date NOT NULL,
  event_id        uuid NOT NULL,
  organization_id text NOT NULL,
  member_id       text NOT NULL,
  key_id          text NOT NULL,
  product         text NOT NULL,
  operation       text NOT NULL,
  status          smallint NOT NULL,
  class           text NOT NULL CHECK (class IN ('successful', 'not_modified', 'client_error', 'server_error')),
  credits         integer NOT NULL CHECK (credits >= 0),
  occurred_at     timestamptz NOT NULL,
  PRIMARY KEY (period, event_id)
);

-- Sums of the ledger, kept by the statement that writes it.
CREATE TABLE usage_rollup (
  period          date NOT NULL,
  organization_id text NOT NULL,
  product         text COLLATE "C" NOT NULL,
  operation       text NOT NULL,
  class           text COLLATE "C" NOT NULL,
  day             date NOT NULL,
  calls           bigint NOT NULL,
  credits         bigint NOT NULL,
  PRIMARY KEY (organization_id, period, product, operation, class, day)
);
