// An edge to itself goes out.
UNWIND $elements AS element
MATCH (n) WHERE elementId(n) = element
MATCH (n)-[e:$any($types) WHERE e.confidence >= $confidence]-(m:Node)
WHERE m.type IN $nodeTypes AND ($within IS NULL OR e.link IS NULL OR m.repository IN $within)
WITH e, m, CASE WHEN startNode(e) = n THEN 'out' ELSE 'in' END AS direction
WHERE $direction IS NULL OR direction = $direction
RETURN direction, properties(m) AS node, type(e) AS type, startNode(e).id AS from, endNode(e).id AS to, properties(e) AS edge
ORDER BY type, e.weight DESC, m.id, direction DESC
SKIP $offset
LIMIT $limit
