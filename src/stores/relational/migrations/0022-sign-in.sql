-- Whoever signs in says who they are at the identity provider, and not where they belong.
CREATE INDEX member_of_subject ON member (subject) WHERE removed_at IS NULL;
