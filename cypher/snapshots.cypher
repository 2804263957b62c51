MATCH (s:Snapshot)
RETURN s.repository AS repository, s.generation AS generation, s.version AS version, s.counts AS counts, s.links AS links
ORDER BY repository
