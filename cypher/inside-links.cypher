// One between two nodes of this repository is seen from its end alone.
UNWIND $ids AS id
MATCH (n:Node {id: id, version: $version})
USING INDEX SEEK n:Node(id, version)
MATCH (n)-[e:$any($types) WHERE e.confidence >= $confidence AND e.link IS NOT NULL]-(m:Node)
WHERE m.type IN $nodeTypes AND ($within IS NULL OR m.repository IN $within) AND NOT (n:Repository AND m:Repository)
  AND (endNode(e) = n OR m.version <> $version)
RETURN type(e) AS type, startNode(e).id AS from, endNode(e).id AS to, properties(e) AS edge, properties(m) AS node
