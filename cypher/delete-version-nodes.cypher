// The conditions that say nothing let the index on version, type and id serve.
MATCH (n:Node {version: $version})
USING INDEX SEEK n:Node(version, type, id)
WHERE n.type IS NOT NULL AND n.id IS NOT NULL
WITH n LIMIT 5000
DETACH DELETE n
RETURN count(*) AS deleted
