// An edge to itself goes out. A neighbor stands where its first edge does.
UNWIND $elements AS element
MATCH (n) WHERE elementId(n) = element
MATCH (n)-[e:$any($types) WHERE e.confidence >= $confidence]-(m:Node)
WHERE m.type IN $nodeTypes AND ($within IS NULL OR e.link IS NULL OR m.repository IN $within)
WITH e, m, CASE WHEN startNode(e) = n THEN 'out' ELSE 'in' END AS direction
WHERE $direction IS NULL OR direction = $direction
WITH e, m, direction
ORDER BY type(e), e.weight DESC, direction DESC
WITH m.id AS id, head(collect(m)) AS m, collect(e) AS edges, collect(direction) AS directions
ORDER BY type(edges[0]), edges[0].weight DESC, id
SKIP $offset
LIMIT $limit
RETURN properties(m) AS node, [i IN range(0, size(edges) - 1) | {
  direction: directions[i], type: type(edges[i]), from: startNode(edges[i]).id, to: endNode(edges[i]).id, edge: properties(edges[i])
}] AS edges
