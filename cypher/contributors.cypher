MATCH (s:Snapshot)
MATCH (n:Node {version: s.version, type: 'Contributor'})
WHERE n.id IS NOT NULL
RETURN properties(n) AS node
ORDER BY n.id, s.repository
