UNWIND $elements AS element
MATCH (n) WHERE elementId(n) = element
MATCH (n)-[e:$any($types) WHERE e.confidence >= $confidence]->(m:Node)
WHERE $within IS NULL OR e.link IS NULL OR m.repository IN $within
RETURN collect(DISTINCT elementId(m)) AS elements
