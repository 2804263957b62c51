-- Signed events of payment providers. A row is its own job until it is processed, and stays so that no event counts twice.
CREATE TABLE webhook_inbox (
  provider     text NOT NULL,
  event_id     text COLLATE "C" NOT NULL,
  type         text NOT NULL,
  -- As it was signed.
  body         bytea NOT NULL,
  received_at  timestamptz NOT NULL DEFAULT now(),
  -- Nobody takes it before: its next try waits.
  due_at       timestamptz NOT NULL DEFAULT now(),
  attempts     smallint NOT NULL DEFAULT 0,
  processed_at timestamptz,
  outcome      text CHECK (outcome IN ('applied', 'ignored', 'failed')),
  PRIMARY KEY (provider, event_id),
  CHECK ((outcome IS NOT NULL) = (processed_at IS NOT NULL))
);
CREATE INDEX webhook_inbox_due ON webhook_inbox (due_at) WHERE processed_at IS NULL;
CREATE INDEX webhook_inbox_processed ON webhook_inbox (received_at) WHERE processed_at IS NOT NULL;

-- Subscriptions and invoices at payment providers, as the latest event of each says.
CREATE TABLE billing_record (
  provider            text NOT NULL,
  kind                text NOT NULL CHECK (kind IN ('subscription', 'invoice')),
  id                  text COLLATE "C" NOT NULL,
  -- Null until an event says from which checkout session it came.
  organization_id     text REFERENCES organization (id),
  checkout_session_id text,
  status              text NOT NULL,
  amount_cents        bigint,
  currency            text,
  -- Which event that was: later ones replace it, earlier ones that come late do not.
  event_at            timestamptz NOT NULL,
  event_rank          smallint NOT NULL,
  event_id            text COLLATE "C" NOT NULL,
  PRIMARY KEY (provider, kind, id)
);
CREATE INDEX billing_record_organization ON billing_record (organization_id, event_at);
ALTER TABLE billing_record ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON billing_record TO ris_app USING (organization_id = tenant());
GRANT SELECT ON billing_record TO ris_app;
