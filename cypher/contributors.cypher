MATCH (s:Snapshot)
MATCH (n:Node {version: s.version, type: 'Contributor'})
USING INDEX SEEK n:Node(version, type, id)
WHERE n.id IS NOT NULL
RETURN properties(n) AS node
ORDER BY n.id, s.repository
