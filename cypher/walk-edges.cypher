MATCH (n) WHERE elementId(n) = $element
MATCH (m:Node)-[e:$any($types) WHERE e.confidence >= $confidence]->(n)
WHERE $within IS NULL OR e.link IS NULL OR m.repository IN $within
RETURN elementId(m) AS element, type(e) AS type, m.id AS from, n.id AS to, properties(e) AS edge
