// In the order of snapshots: did they change meanwhile?
MATCH (s:Snapshot)
RETURN s.version AS version
ORDER BY s.repository
