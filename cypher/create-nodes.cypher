UNWIND $rows AS row
CREATE (n:Node:$(row.type))
SET n = row.node, n.version = $version
