-- The hosts that a checkout may send back to; null: any.
ALTER TABLE organization ADD COLUMN checkout_hosts text[];

CREATE TABLE checkout_session (
  id                  text COLLATE "C" PRIMARY KEY,
  organization_id     text NOT NULL REFERENCES organization (id),
  -- One that is still open when its time is over counts as expired.
  status              text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'complete', 'expired')),
  payment_status      text NOT NULL DEFAULT 'no_payment_required'
                      CHECK (payment_status IN ('paid', 'unpaid', 'no_payment_required')),
  plan_id             text NOT NULL,
  quantity            integer NOT NULL CHECK (quantity > 0),
  interval            text NOT NULL CHECK (interval IN ('month')),
  currency            text NOT NULL CHECK (currency IN ('USD')),
  amount_total_cents  bigint NOT NULL CHECK (amount_total_cents >= 0),
  list_amount_cents   bigint NOT NULL CHECK (list_amount_cents >= 0),
  success_url         text NOT NULL,
  cancel_url          text NOT NULL,
  client_reference_id text,
  metadata            jsonb NOT NULL,
  provider            text,
  created_by          text NOT NULL,
  created_at          timestamptz NOT NULL DEFAULT now(),
  expires_at          timestamptz NOT NULL,
  completed_at        timestamptz,
  CHECK ((completed_at IS NOT NULL) = (status = 'complete'))
);
CREATE INDEX checkout_session_organization ON checkout_session (organization_id, created_at, id);
ALTER TABLE checkout_session ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON checkout_session TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT, UPDATE (status) ON checkout_session TO ris_app;
