MATCH (n:Node {id: $id})
USING INDEX SEEK n:Node(id, version)
WHERE n.version IS NOT NULL
MATCH (v:Version {version: n.version})
USING INDEX SEEK v:Version(version)
MATCH (s:Snapshot {repository: v.repository})
USING INDEX SEEK s:Snapshot(repository)
WHERE s.version = n.version AND ($within IS NULL OR s.repository IN $within)
RETURN properties(n) AS node
ORDER BY s.repository
LIMIT 1
