MATCH (s:Snapshot {repository: $repository})
RETURN s.repository AS repository, s.generation AS generation, s.version AS version
