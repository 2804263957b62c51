-- Calls with a key for test are counted apart, and cost nothing.
ALTER TABLE usage_ledger ADD COLUMN environment text NOT NULL DEFAULT 'live' CHECK (environment IN ('live', 'test'));
ALTER TABLE usage_rollup ADD COLUMN environment text COLLATE "C" NOT NULL DEFAULT 'live';
ALTER TABLE usage_rollup
  DROP CONSTRAINT usage_rollup_pkey,
  ADD PRIMARY KEY (organization_id, day, member_id, product, operation, class, environment);

-- The API key that asked for a pairing: what a command line is given may do no more.
ALTER TABLE cli_pairing ADD COLUMN key_id text REFERENCES api_key (id);
