// Their generation, and which repositories they were to lead to.
MATCH (s:Snapshot {repository: $repository})
SET s.links = $generation, s.linked = $targets
