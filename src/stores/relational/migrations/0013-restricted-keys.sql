-- What a key may be used for: null, whatever its role allows; an empty list, nothing.
ALTER TABLE api_key ADD COLUMN products text[];
ALTER TABLE api_key ADD COLUMN repositories text[];
ALTER TABLE api_key ADD COLUMN scopes text[];
ALTER TABLE api_key ADD COLUMN rate_limit_per_minute integer CHECK (rate_limit_per_minute > 0);
