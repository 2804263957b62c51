UNWIND $rows AS row
MATCH (f:Snapshot {repository: row.from})
MATCH (t:Snapshot {repository: row.to})
MATCH (a:Node {id: row.from, version: f.version})
MATCH (b:Node {id: row.to, version: t.version})
CREATE (a)-[e:$(row.type)]->(b)
SET e = row.edge, e.link = true
