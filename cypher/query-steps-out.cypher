UNWIND range(0, size($elements) - 1) AS place
MATCH (n) WHERE elementId(n) = $elements[place]
MATCH (n)-[e:$any($types)]->(m:Node)
WHERE $within IS NULL OR e.link IS NULL OR m.repository IN $within
RETURN place, elementId(e) AS edge, type(e) AS type, elementId(m) AS element, m.id AS id, m.type AS label
ORDER BY place
