-- Task instances are minted from repositories and belong to them, as the graph does, not to an organization; so do the runs.
CREATE TABLE task_instance (
  instance_id text COLLATE "C" PRIMARY KEY,
  repo        text COLLATE "C" NOT NULL,
  language    text COLLATE "C" NOT NULL,
  difficulty  text COLLATE "C" NOT NULL,
  created_at  timestamptz NOT NULL,
  -- Not jsonb, which refuses U+0000: a patch may have it.
  body        json NOT NULL
);
CREATE INDEX task_instance_newest ON task_instance (created_at, instance_id);
CREATE INDEX task_instance_repo ON task_instance (repo, created_at, instance_id);
CREATE INDEX task_instance_language ON task_instance (language, created_at, instance_id);
CREATE INDEX task_instance_difficulty ON task_instance (difficulty, created_at, instance_id);

CREATE TABLE mint_run (
  run_id       text COLLATE "C" PRIMARY KEY,
  repo         text COLLATE "C" NOT NULL,
  completed_at timestamptz NOT NULL,
  body         json NOT NULL
);
CREATE INDEX mint_run_repo ON mint_run (repo, completed_at, run_id);

-- One run may evaluate several models.
CREATE TABLE evaluation_run (
  run_id   text COLLATE "C" NOT NULL,
  model    text COLLATE "C" NOT NULL,
  ended_at timestamptz NOT NULL,
  body     json NOT NULL,
  PRIMARY KEY (run_id, model)
);
CREATE INDEX evaluation_run_newest ON evaluation_run (ended_at, run_id, model);
