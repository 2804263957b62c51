// In the order of snapshots: did they change meanwhile?
MATCH (s:Snapshot)
WHERE $within IS NULL OR s.repository IN $within
RETURN s.version AS version
ORDER BY s.repository
