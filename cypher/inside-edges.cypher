// What leads from repository to repository is not inside one.
UNWIND $ids AS id
MATCH (b:Node {id: id, version: $version})
USING INDEX SEEK b:Node(id, version)
MATCH (a:Node)-[e:$any($types) WHERE e.confidence >= $confidence AND e.link IS NULL]->(b)
WHERE a.type IN $nodeTypes
RETURN type(e) AS type, a.id AS from, b.id AS to, properties(e) AS edge
