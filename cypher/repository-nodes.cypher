MATCH (s:Snapshot)
WHERE $within IS NULL OR s.repository IN $within
MATCH (n:Node {version: s.version})
USING INDEX SEEK n:Node(version, type, id)
WHERE n.type IN ['Contributor', 'Repository'] AND n.id IS NOT NULL
RETURN properties(n) AS node
ORDER BY n.id, s.repository
