UNWIND $rows AS row
MATCH (a:Node {id: row.from, version: $version})
USING INDEX SEEK a:Node(id, version)
MATCH (b:Node {id: row.to, version: $version})
USING INDEX SEEK b:Node(id, version)
CREATE (a)-[e:$(row.type)]->(b)
SET e = row.edge
