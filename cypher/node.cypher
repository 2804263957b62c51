MATCH (n:Node {id: $id})
WHERE n.version IS NOT NULL
MATCH (v:Version {version: n.version})
MATCH (s:Snapshot {repository: v.repository})
WHERE s.version = n.version
RETURN properties(n) AS node
ORDER BY s.repository
LIMIT 1
