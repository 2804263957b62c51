UNWIND $elements AS element
MATCH (n) WHERE elementId(n) = element
MATCH (n)-[e:$any($types) WHERE e.confidence >= $confidence]-(m:Node)
WHERE m.type IN $nodeTypes AND ($within IS NULL OR e.link IS NULL OR m.repository IN $within) AND ($direction IS NULL OR $direction = CASE WHEN startNode(e) = n THEN 'out' ELSE 'in' END)
RETURN count(DISTINCT m.id) AS total
