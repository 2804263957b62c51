-- Of a CloudEvent: its dataschema and its extensions. Not jsonb, which can't hold every JSON text.
ALTER TABLE usage_event ADD COLUMN attributes json NOT NULL DEFAULT '{}';
