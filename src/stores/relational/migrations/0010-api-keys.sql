-- Which pepper a digest is under, told by the first eight hexadecimal digits of a digest of the pepper itself: a number would have
-- to be configured, and could be wrong. Null: made before this was noted.
ALTER TABLE api_key DROP COLUMN pepper_version;
ALTER TABLE api_key ADD COLUMN pepper_id text;

-- How many keys a member has in use.
CREATE INDEX api_key_member ON api_key (member_id);
