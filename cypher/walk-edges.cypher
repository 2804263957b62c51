MATCH (n) WHERE elementId(n) = $element
MATCH (m:Node)-[e:$any($types) WHERE e.confidence >= $confidence]->(n)
RETURN elementId(m) AS element, type(e) AS type, m.id AS from, n.id AS to, properties(e) AS edge
