// As many as inside-edges and inside-links give over all pages.
MATCH (b:Node {version: $version})
USING INDEX SEEK b:Node(version, type, id)
WHERE b.type IN $nodeTypes AND b.id IS NOT NULL
OPTIONAL MATCH (a:Node)-[e:$any($types) WHERE e.confidence >= $confidence AND e.link IS NULL]->(b)
WHERE a.type IN $nodeTypes
WITH count(e) AS edges
OPTIONAL MATCH (n:Node {version: $version})-[l:$any($types) WHERE l.confidence >= $confidence AND l.link IS NOT NULL]-(m:Node)
USING INDEX SEEK n:Node(version, type, id)
WHERE n.type IN $nodeTypes AND n.id IS NOT NULL AND m.type IN $nodeTypes
  AND ($within IS NULL OR m.repository IN $within) AND NOT (n:Repository AND m:Repository)
WITH edges, count(DISTINCT l) AS links
RETURN edges + links AS total
