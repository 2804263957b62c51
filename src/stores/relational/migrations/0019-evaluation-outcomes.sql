-- What became of each task in a run of a model. What leaderboards filter by is beside the body, as it was when it was evaluated: the task
-- may be from a file and in no table.
CREATE TABLE evaluation_outcome (
  organization_id text NOT NULL,
  run_id          text COLLATE "C" NOT NULL,
  model           text COLLATE "C" NOT NULL,
  instance_id     text COLLATE "C" NOT NULL,
  language        text COLLATE "C" NOT NULL,
  difficulty      text COLLATE "C" NOT NULL,
  -- Of the fix.
  committed_at    timestamptz NOT NULL,
  evaluated_at    timestamptz NOT NULL,
  status          text COLLATE "C" NOT NULL,
  -- Whether it is solved by the word of its tests alone.
  uncontrolled    boolean NOT NULL,
  input_tokens    double precision,
  output_tokens   double precision,
  cost_usd        double precision,
  body            json NOT NULL,
  PRIMARY KEY (organization_id, run_id, model, instance_id),
  FOREIGN KEY (organization_id, run_id, model) REFERENCES evaluation_run ON DELETE CASCADE
);
CREATE INDEX evaluation_outcome_model ON evaluation_outcome (organization_id, model, instance_id);

ALTER TABLE evaluation_outcome ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON evaluation_outcome TO ris_app USING (organization_id = tenant());
GRANT SELECT, INSERT, DELETE ON evaluation_outcome TO ris_app;
