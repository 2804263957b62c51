-- Whether a task instance's statement is fit for who shall solve it. Those made before this was asked have no flag against it.
ALTER TABLE task_instance ADD COLUMN usable boolean NOT NULL DEFAULT true;
