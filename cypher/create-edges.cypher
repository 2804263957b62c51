// The ends are named by what create-nodes gave: to look them up by id would take as long as all the rest. See there for the lock.
MATCH (v:Version {version: $version})
SET v.written = true
WITH v WHERE v.deleted IS NULL
UNWIND $rows AS row
WITH row[0] AS type, row[1] AS from, row[2] AS to,
  row[3] AS weight, row[4] AS confidence, row[5] AS strategy, row[6] AS path, row[7] AS line
MATCH (a) WHERE elementId(a) = from
MATCH (b) WHERE elementId(b) = to
CREATE (a)-[:$(type) {weight: weight, confidence: confidence, strategy: strategy, path: path, line: line}]->(b)
RETURN count(*) AS created
