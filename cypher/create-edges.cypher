UNWIND $rows AS row
MATCH (a:Node {id: row.from, version: $version})
MATCH (b:Node {id: row.to, version: $version})
CREATE (a)-[e:$(row.type)]->(b)
SET e = row.edge
