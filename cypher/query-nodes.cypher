MATCH (n:Node {version: $version, type: $type})
USING INDEX SEEK n:Node(version, type, id)
WHERE n.id > $after AND all(name IN keys($equal) WHERE n[name] = $equal[name])
RETURN elementId(n) AS element, n.id AS id, n.type AS type
ORDER BY n.id
LIMIT $limit
