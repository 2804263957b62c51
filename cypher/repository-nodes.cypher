MATCH (s:Snapshot)
MATCH (n:Node {version: s.version})
WHERE n.type IN ['Contributor', 'Repository'] AND n.id IS NOT NULL
RETURN properties(n) AS node
ORDER BY n.id, s.repository
