// In the order of snapshots: did they change meanwhile? One row, since hundreds take longer to send than all the rest.
MATCH (s:Snapshot)
WHERE $within IS NULL OR s.repository IN $within
WITH s ORDER BY s.repository
RETURN collect(s.version) AS versions
