MATCH (n:Node {version: $version})
WHERE n.type IN $types AND n.id IS NOT NULL
RETURN properties(n) AS node
ORDER BY n.type, n.id
