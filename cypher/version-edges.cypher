MATCH (a:Node {version: $version})-[e:$any($types)]->(b:Node)
RETURN type(e) AS type, a.id AS from, b.id AS to, properties(e) AS edge
ORDER BY type, from, to
