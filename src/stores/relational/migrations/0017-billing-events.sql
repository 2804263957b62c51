-- Whose checkout an event of a provider is about, where it says so: owners see what became of it, and have it tried again.
ALTER TABLE webhook_inbox ADD COLUMN organization_id text REFERENCES organization (id);
CREATE INDEX webhook_inbox_organization ON webhook_inbox (organization_id, received_at) WHERE organization_id IS NOT NULL;
ALTER TABLE webhook_inbox ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON webhook_inbox TO ris_app USING (organization_id = tenant());
GRANT SELECT, UPDATE (due_at, attempts, processed_at, outcome) ON webhook_inbox TO ris_app;
