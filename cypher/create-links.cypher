UNWIND $rows AS row
MATCH (f:Snapshot {repository: row.from})
USING INDEX SEEK f:Snapshot(repository)
MATCH (t:Snapshot {repository: row.to})
USING INDEX SEEK t:Snapshot(repository)
MATCH (a:Node {id: row.from, version: f.version})
USING INDEX SEEK a:Node(id, version)
MATCH (b:Node {id: row.to, version: t.version})
USING INDEX SEEK b:Node(id, version)
CREATE (a)-[e:$(row.type)]->(b)
SET e = row.edge, e.link = true
