MATCH (s:Snapshot)
WHERE $within IS NULL OR s.repository IN $within
RETURN s.repository AS repository, s.generation AS generation, s.version AS version, s.counts AS counts, s.links AS links
ORDER BY repository
