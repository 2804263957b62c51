// Other versions or other links: other answers. One row, as in shown-versions.
MATCH (s:Snapshot)
WHERE $within IS NULL OR s.repository IN $within
WITH s ORDER BY s.repository
RETURN collect([s.repository, s.version, s.links]) AS state
