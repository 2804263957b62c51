UNWIND $rows AS row
WITH row[0] AS type, row[1] AS from, row[2] AS to,
  row[3] AS weight, row[4] AS confidence, row[5] AS strategy, row[6] AS path, row[7] AS line, row[8] AS target
MATCH (f:Snapshot {repository: $repository})
USING INDEX SEEK f:Snapshot(repository)
MATCH (t:Snapshot {repository: target})
USING INDEX SEEK t:Snapshot(repository)
MATCH (a:Node {id: from, version: f.version})
USING INDEX SEEK a:Node(id, version)
MATCH (b:Node {id: to, version: t.version})
USING INDEX SEEK b:Node(id, version)
CREATE (a)-[:$(type) {
  weight: weight, confidence: confidence, strategy: strategy, path: path, line: line, link: $repository
}]->(b)
