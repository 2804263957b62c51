MATCH (n:Node {version: $version})
USING INDEX SEEK n:Node(version, type, id)
WHERE n.type IN $nodeTypes AND n.id IS NOT NULL
RETURN properties(n) AS node
ORDER BY n.type, n.id
SKIP $offset
LIMIT $limit
