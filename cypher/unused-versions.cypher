MATCH (v:Version {repository: $repository})
WHERE NOT EXISTS { MATCH (s:Snapshot {repository: $repository}) WHERE s.version = v.version }
SET v.deleted = true
RETURN v.version AS version
