// The conditions that say nothing let the index on version, type and id serve.
MATCH (a:Node {version: $version})
USING INDEX SEEK a:Node(version, type, id)
WHERE a.type IS NOT NULL AND a.id IS NOT NULL
MATCH (a)-[e:$any($types)]->(b:Node)
RETURN type(e) AS type, a.id AS from, b.id AS to, properties(e) AS edge
ORDER BY type, from, to
